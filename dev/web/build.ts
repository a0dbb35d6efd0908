// `npm run build:web`: builds the console into web/dist, where its sources changed.
import { say } from '../engines/progress.mjs';
import { buildWeb } from './build-web.ts';

try {
  await buildWeb();
  say('The console is built: web/dist');
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
