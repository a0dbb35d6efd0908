import { migrate } from '../store/migrate.ts';

const databaseUrl = process.env['DATABASE_URL'];
if (databaseUrl === undefined || databaseUrl === '') {
  console.error('DATABASE_URL is missing: set it to the database to migrate.');
  process.exit(1);
}
const applied = await migrate(databaseUrl);
console.log(applied.length === 0 ? 'The database is current.' : `Applied: ${applied.join(', ')}`);
