// Writes the API's description as JSON to the file that is named: the types of the console's requests are made of it.
import { writeFile } from 'node:fs/promises';
import { createDocumentation } from '../../api/openapi/documentation.ts';
import { routes } from '../../api/routes.ts';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: describe-api.ts FILE');
await writeFile(file, JSON.stringify(createDocumentation(routes, 'http://localhost:8080').openApi.document));
