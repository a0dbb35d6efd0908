import type { Context } from 'koa';
import { createHash } from 'node:crypto';
import { API_PREFIX } from '../../domain/iri.ts';
import type { UserRole } from '../../domain/permission.ts';
import type { Board, BoardPart } from '../../store/board/board.ts';
import { formatCursor } from '../../store/changes/cursor.ts';
import { openBody } from '../http/compression.ts';
import type { RouteResponse } from '../http/route.ts';
import { contextPath } from '../hydra/resource.ts';
import { boardDriver, boardRun, boardTask } from './fields.ts';

/** What makes a board: it gives the tasks part by part, and resolves to the rest. */
type ReadBoard = (take: (part: BoardPart) => Promise<void>) => Promise<Board>;

/**
 * Writes a board as JSON while it is being read: one part of the tasks is read, another one presented, a third one compressed on
 * another thread, and other requests are answered in between. The tag says what the board shows: everything but its
 * moment and what only the moment changes.
 */
export async function writeBoard(
  context: Context,
  viewerRole: UserRole,
  read: ReadBoard,
): Promise<{ readonly etag: string } & Pick<RouteResponse, 'body' | 'headers'>> {
  const body = openBody(context);
  const hash = createHash('sha256');
  // What comes before the next part.
  const state = { before: BEGINNING };
  try {
    const board = await read(async ({ tasks, siblings }) => {
      if (tasks.length === 0) return;
      const members = tasks.map((row) => {
        const shown = Object.assign(row, { viewerRole, siblings: siblings.get(row.shipmentId) ?? [] });
        return boardTask.presentMember(shown);
      });
      const text = JSON.stringify(members).slice(1, -1);
      const bytes = Buffer.from(`${state.before}${text}`);
      state.before = ',';
      hash.update(bytes);
      await body.add(bytes);
    });
    const { text, shown } = presentRest(board);
    await body.add(Buffer.from(`${state.before === ',' ? '' : BEGINNING}${text}`));
    const etag = `W/"${hash.update(shown).digest('base64url').slice(0, 22)}"`;
    return { ...(await body.end()), etag };
  } catch (error) {
    body.drop();
    throw error;
  }
}

/** All that comes before the first task is the same in each board. */
const FRAME = { '@context': contextPath('Board'), '@id': `${API_PREFIX}/board`, '@type': 'Board' };
const BEGINNING = `${JSON.stringify(FRAME).slice(0, -1)},"tasks":[`;

/** What comes after the last task, and of it what the tag covers. */
function presentRest(board: Board): { readonly text: string; readonly shown: string } {
  const { asOf, cursor, day, currency, timezone, isPartial } = board;
  const settings = { date: day.date, currency, timezone, isPartial };
  const drivers = board.drivers.map((row) => boardDriver.presentMember(row));
  const runs = board.runs.map((row) => boardRun.presentMember(row));
  const rest = { asOf: asOf.toISOString(), cursor: formatCursor(cursor), ...settings, drivers, runs };
  const withoutVersions = runs.map(({ version: _version, ...run }) => run);
  return {
    text: `],${JSON.stringify(rest).slice(1)}`,
    shown: JSON.stringify([settings, drivers, withoutVersions]),
  };
}
