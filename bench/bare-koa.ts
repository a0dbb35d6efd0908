// The bare counterpart of a list: Koa, the bare driver, prepared statements, and nothing else.
import { createServer } from 'node:http';
import Koa from 'koa';
import pg from 'pg';
import { pageSql } from './bare-page.ts';

const POOL_SIZE = 20;

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: POOL_SIZE });
const app = new Koa();
app.use(async (context) => {
  const { rows } = await pool.query<object>({
    name: 'page',
    text: pageSql(),
    values: [context.query['organization'], 30, 0],
  });
  context.body = { member: rows };
});
const handle = app.callback();
const server = createServer((request, response) => void handle(request, response));
server.listen(Number(process.env['BARE_PORT']), '127.0.0.1', () => {
  console.log('bare koa ready');
});
process.once('SIGTERM', () => process.exit(0));
