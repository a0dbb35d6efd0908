import type { BenchCase } from '../../case.ts';
import { hangingReceiver, hangingReceivers20, silentNameServers } from './receivers.ts';
import { bodies } from './bodies.ts';
import { importNeighbour } from './import.ts';
import { logins } from './logins.ts';
import { loop } from './loop.ts';
import { slowReceiver } from './slow-receiver.ts';
import { workbookNeighbour } from './workbook.ts';

/** One bad neighbour costs the others nothing: `npm run bench -- neighbours` runs all of them. */
export const NEIGHBOURS: readonly BenchCase[] = [
  hangingReceiver,
  hangingReceivers20,
  silentNameServers,
  slowReceiver,
  importNeighbour,
  workbookNeighbour,
  bodies,
  logins,
  loop,
];
