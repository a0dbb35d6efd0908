import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../api/schema/json-schema.ts';
import type { ChangeEvent } from '../../harness/events.ts';
import { listAt, send, textAt } from '../../harness/request.ts';
import type { TestService } from '../../harness/service.ts';

type Row = Readonly<Record<string, unknown>>;

/** What a client has on its screen: the rows of a board, which it keeps up with the changes. */
export interface Picture {
  readonly rows: Map<string, Row>;
  readonly cursor: string;
  /** Takes events in: of two rows the newer version. */
  readonly take: (events: readonly ChangeEvent[]) => void;
}

const ON_BOARD = ['Task', 'DeliveryRun', 'Driver'];

/** Reads the board of today as a client would. */
export async function readPicture(service: Pick<TestService, 'baseUrl'>, token: string): Promise<Picture> {
  const { body } = await send(service, 'GET', '/board', { token });
  const rows = new Map<string, Row>();
  for (const list of ['tasks', 'runs', 'drivers']) {
    for (const row of listAt(body, list)) if (isJsonObject(row)) rows.set(textAt(row, '@id'), row);
  }
  return {
    rows,
    cursor: textAt(body, 'cursor'),
    take: (events) => {
      for (const { type, data } of events) {
        if (!ON_BOARD.includes(type)) continue;
        const id = textAt(data, '@id');
        const known = rows.get(id);
        if (data['deleted'] === true) rows.delete(id);
        else if (Number(known?.['version'] ?? 0) <= Number(data['version'])) rows.set(id, data);
      }
    },
  };
}

/** Where two pictures differ, by the ids of the rows. The version of a run is the moment's, not the row's. */
export function differences(one: Picture, other: Picture): string[] {
  const ids = new Set([...one.rows.keys(), ...other.rows.keys()]);
  const shown = (picture: Picture, id: string): Row | undefined => {
    const row = picture.rows.get(id);
    return row?.['@type'] === 'DeliveryRun' ? { ...row, version: 0 } : row;
  };
  return [...ids].filter((id) => !isDeepStrictEqual(shown(one, id), shown(other, id)));
}
