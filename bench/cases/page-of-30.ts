import pMap from 'p-map';
import { anyFreePort } from '../../dev/engines/ports.ts';
import { listAt } from '../../test/harness/json.ts';
import type { BenchCase } from '../case.ts';
import { makeTeam } from '../cast.ts';
import { rateOf } from '../cpu.ts';
import { makeManyShipments } from '../many-shipments.ts';

const CLIENTS = 8;
const PAGE_SIZE = 30;
const SHIPMENTS = 20_000;
/** About two seconds of a side. */
const PAGES_IN_A_ROUND = 4_000;
const SERVICE = 'pages of the service';
const BARE = 'pages of Koa with bare SQL';

/** A page of 30 shipments through HTTP against Koa with its bare SQL. */
export const pageOf30: BenchCase = {
  name: 'page',
  title: `A page of ${PAGE_SIZE} of ${SHIPMENTS} shipments, ${CLIENTS} clients; the bare side does not count the rest`,
  figures: [{ of: SERVICE, unit: '/s', through: BARE, aim: { atLeast: 0.6 } }],
  open: async (context) => {
    const { deployment, isQuick } = context;
    const { organization, token } = await makeTeam(deployment);
    await makeManyShipments(deployment, organization.id, 'PAGE', isQuick ? 1_000 : SHIPMENTS);
    const port = await anyFreePort();
    const bareKoa = deployment.makeProgram({
      name: 'bare-koa',
      script: 'bench/bare-koa.ts',
      readyWhen: 'bare koa ready',
      environment: { BARE_PORT: String(port) },
    });
    context.atEnd(bareKoa.stop);
    await bareKoa.start();
    const side = (name: string, baseUrl: string, path: string) => {
      const http = context.http({ baseUrl, connections: CLIENTS });
      const ask = async (): Promise<void> => {
        const { status, body } = await http.send('GET', path, { token });
        if (status !== 200 || listAt(body, 'member').length !== PAGE_SIZE)
          throw new Error(`the page was answered ${status}`);
      };
      const pages = isQuick ? 100 : PAGES_IN_A_ROUND;
      const work = () => pMap(new Array(pages).keys(), ask, { concurrency: CLIENTS });
      return async () => ({ [name]: (await rateOf(context, name, pages, work)).rate });
    };
    return {
      sides: [
        side(SERVICE, deployment.baseUrl, '/shipments'),
        side(BARE, `http://127.0.0.1:${port}`, `/api?organization=${organization.id}`),
      ],
    };
  },
};
