import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ImportRowError } from '../../../domain/import-record.ts';
import { ABANDONED_IMPORT } from '../../../domain/abandoned-import.ts';
import type { ImportId, MerchantId } from '../../../domain/ids.ts';
import { toId } from '../../../domain/ids.ts';
import { invalid, ProblemError, stated } from '../../../domain/problem.ts';
import type { WorkbookProblem } from '../../../spreadsheet/workbook-error.ts';
import { isTooLarge, WorkbookError } from '../../../spreadsheet/workbook-error.ts';
import { beginImport, failImport, finishImport } from '../../../store/shipments/import-records.ts';
import type { MadeRow } from '../../../store/shipments/imports.ts';
import {
  createImported,
  findNamedMerchants,
  findNamedPoints,
  findTimezone,
  storeFailedRows,
} from '../../../store/shipments/imports.ts';
import { tenant } from '../../../store/tenant.ts';
import type { LoadedRequest } from '../../http/route.ts';
import { failedRowsPath, warningsOf } from '../../imports/fields.ts';
import { ownMerchantOf } from '../references.ts';
import type { ImportContext } from './check-rows.ts';
import type { ImportEnd } from './import-process.ts';
import { beginProgressNotes } from './import-progress.ts';
import type { SheetPreview } from './preview.ts';

/** A workbook that was received, and what its form says of it. */
interface Upload {
  readonly file: Buffer;
  readonly fileName: string | null;
  readonly merchant: MerchantId | null;
}

type ImportRequest = LoadedRequest<unknown, Upload>;

/**
 * Creates the shipments of a workbook and answers with the result of each row. It goes on to its end when the caller has gone:
 * its record tells what became of it (decision 0032).
 */
export async function importFile(request: ImportRequest): Promise<object> {
  const { actor, body, dependencies, effectId, scope } = request;
  const id = toId<'import'>(effectId);
  const { userId } = actor;
  await beginImport(scope, { id, userId, merchantId: ownMerchantOf(actor), fileName: body.fileName });
  try {
    const { made, end } = await createRows(request, id);
    dependencies.workflowStarts.enqueue(made);
    // Other requests get their turn: ten thousand rows take some milliseconds here and again as JSON.
    const answer = result(id, made, end);
    await nextTurn();
    return answer;
  } catch (error) {
    throw await failed(request, id, error);
  }
}

/** Reads a workbook as an import does, and makes nothing. */
export async function previewFile(request: ImportRequest): Promise<object> {
  const { actor, body, dependencies } = request;
  try {
    const context = await contextOf(request);
    return previewResult(await dependencies.workbooks.preview(body.file, context, actor.organizationId));
  } catch (error) {
    throw knownError(error);
  }
}

async function createRows(
  request: ImportRequest,
  id: ImportId,
): Promise<{ readonly made: readonly MadeRow[]; readonly end: ImportEnd }> {
  const { actor, body, dependencies, scope } = request;
  const { organizationId, userId } = actor;
  const notes = beginProgressNotes(scope, id);
  try {
    const reading = dependencies.workbooks.read(body.file, await contextOf(request), organizationId);
    const rows = notes.follow(reading.parts);
    const made = await createImported(
      dependencies.database,
      organizationId,
      rows,
      async (transaction, all) => {
        const { failed: failedHere, failedRows, warnings } = await reading.end;
        await notes.end();
        const inside = tenant(transaction, organizationId);
        await finishImport(inside, id, { createdRows: all.length, failed: failedHere, warnings });
        if (failedRows !== null) await storeFailedRows(inside, id, userId, failedRows);
      },
    );
    return { made, end: await reading.end };
  } finally {
    await notes.end();
  }
}

async function contextOf({
  actor,
  body,
  scope,
  dependencies,
  effectId,
}: ImportRequest): Promise<ImportContext> {
  const ownMerchantId = ownMerchantOf(actor);
  return {
    importId: effectId,
    timezone: await findTimezone(scope),
    points: await findNamedPoints(scope, ownMerchantId),
    merchants: ownMerchantId === null ? await findNamedMerchants(scope) : [],
    ownMerchantId,
    defaultMerchantId: body.merchant,
    now: dependencies.clock(),
  };
}

/** Writes the failure into the record and returns the error for the caller. */
async function failed(
  { dependencies, scope }: ImportRequest,
  id: ImportId,
  error: unknown,
): Promise<unknown> {
  const known = knownError(error);
  const problem = known instanceof ProblemError ? known.problem : ABANDONED_IMPORT;
  await failImport(scope, id, problem).catch(() =>
    dependencies.log.warn({ importId: id }, 'failed to record why an import failed; the reconciler will'),
  );
  return known;
}

function knownError(error: unknown): unknown {
  return error instanceof WorkbookError ? problemErrorOf(error.problem) : error;
}

function problemErrorOf(problem: WorkbookProblem): ProblemError {
  const { kind: _kind, ...said } = problem;
  return new ProblemError(
    isTooLarge(problem) ? { kind: 'too_large', ...stated(said) } : invalid('file', said, 'format'),
  );
}

function result(id: ImportId, made: readonly MadeRow[], { failed, failedRows, warnings }: ImportEnd): object {
  const created = made.map(({ row, id: shipmentId, trackingNumber }) => ({
    row,
    status: 'created',
    message: `Created as ${trackingNumber}.`,
    id: shipmentId,
    trackingNumber,
  }));
  return {
    total: made.length + failed.length,
    created: made.length,
    failed: failed.length,
    results: [...created, ...failed.map(errorOf)].sort((left, right) => left.row - right.row),
    ...warningsOf(warnings),
    ...(failedRows === null ? {} : { failedRows: failedRowsPath(id) }),
  };
}

function errorOf({ row, ...error }: ImportRowError) {
  return { row, status: 'error', ...error };
}

function previewResult({ total, valid, failed, rows, columns, warnings }: SheetPreview): object {
  return {
    total,
    created: 0,
    failed: failed.length,
    results: failed.map(errorOf),
    ...warningsOf(warnings),
    valid,
    invalid: failed.length,
    rows,
    columns: columns.map(({ header, column }) => ({ header, ...(column === null ? {} : { column }) })),
  };
}
