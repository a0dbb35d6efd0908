import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import { at } from '../../../test/harness/json.ts';
import type { BenchCase } from '../../case.ts';
import { makeShipments, makeTeam, type MadeShipment } from '../../cast.ts';
import { rateOf } from '../../cpu.ts';
import { timed } from '../../pace.ts';
import { broken } from '../../rows.ts';

const ITEMS = 100;
/** As many shipments as the one request carries out at a time (api/commands/send-command.ts). */
const CLIENTS = 16;
const MS_PER_SECOND = 1_000;
const TOGETHER = `${ITEMS} assignments in one request`;
const ONE_BY_ONE = `${ITEMS} requests of ${CLIENTS} clients`;

/** A dispatcher moves a hundred cards: one request, against as many requests as are under way in it. */
export const consoleMoves: BenchCase = {
  name: 'console-moves',
  title: `POST /tasks/transitions with ${ITEMS} items of as many shipments`,
  figures: [
    { of: TOGETHER, unit: 's', aim: { atMost: 2 } },
    { of: TOGETHER, unit: 's', through: ONE_BY_ONE, aim: { atMost: 1.25 } },
  ],
  open: async (context) => {
    const { deployment } = context;
    const http = context.http({ connections: CLIENTS });
    const team = await makeTeam(deployment);
    const driver = `/api/v1/drivers/${team.driver}`;
    const items = (shipments: readonly MadeShipment[]) =>
      shipments.map(({ pickup: task }) => ({
        ...{ task, transition: 'assign', driver, idempotencyKey: randomUUID() },
      }));
    const together = async (shipments: readonly MadeShipment[]): Promise<void> => {
      const { body } = await http.send('POST', '/tasks/transitions', {
        token: team.token,
        body: { items: items(shipments) },
      });
      if (at(body, 'applied') !== ITEMS) throw new Error(`${String(at(body, 'applied'))} were applied`);
    };
    const oneByOne = (shipments: readonly MadeShipment[]) =>
      pMap(
        items(shipments),
        async ({ task, idempotencyKey, ...body }) => {
          const headers = { 'idempotency-key': idempotencyKey };
          const { status } = await http.send('POST', `${task}/transition`, {
            ...{ token: team.token, body, headers },
          });
          if (status !== 200) throw new Error(`a move was answered ${status}`);
        },
        { concurrency: CLIENTS },
      );
    const side =
      (name: string, act: (shipments: readonly MadeShipment[]) => Promise<unknown>) => async () => {
        const shipments = await makeShipments(deployment, http, team, ITEMS);
        const work = () => timed(() => act(shipments));
        const { result } = await rateOf(context, name, ITEMS, work);
        return { [name]: result / MS_PER_SECOND };
      };
    return {
      sides: [side(TOGETHER, together), side(ONE_BY_ONE, oneByOne)],
      check: () => broken(deployment, 'shipments were assigned once', ASSIGNED_SQL, [team.organization.id]),
    };
  },
};

const ASSIGNED_SQL = `select count(*) as total, count(*) filter (where moves = 1) as right
  from (select (select count(*) from timeline_entries t where t.shipment_id = s.id and t.kind = 'transition') as moves
    from shipments s where s.organization_id = $1) made`;
