import { IMPORT_STATUSES } from '../../domain/enumerations.ts';
import { findImport, findImportPage } from '../../store/shipments/import-records.ts';
import { EMPTY_PAGE } from '../../store/page.ts';
import { COLLECTION_QUERY, orderOf } from '../http/pagination.ts';
import { several } from '../http/query.ts';
import { listRoute, readRoute, recordResponse, resourceOf, shownOwners } from '../resource/resource.ts';
import { object, optional } from '../schema/schema-objects.ts';
import { choice } from '../schema/schema-values.ts';
import { importRecord } from './fields.ts';

const tag = 'Import and export';
const EXPIRY = 'An import is kept for one day.';

/** Imports (decision 0032). Staff see all of the organization, a merchant’s user those of its merchant. */
const imports = resourceOf('import', {
  find: findImport,
  isOwn: ({ merchantId }, row) => merchantId !== null && row.merchantId === merchantId,
  shape: importRecord.shapes.record,
  answer: (_request, row) => recordResponse(importRecord.present(row), importRecord.editable),
});

const list = listRoute(imports, {
  tag,
  action: 'shipment.import',
  note: `${EXPIRY} A merchant’s user sees those of its merchant.`,
  shape: importRecord.shapes.collection,
  query: object(
    { ...COLLECTION_QUERY, status: optional(several(choice(IMPORT_STATUSES))) },
    { strict: true },
  ),
  findPage: async (request) => {
    const { actor, query, scope } = request;
    const merchantIds = shownOwners(request, actor.merchantId);
    if (merchantIds === undefined) return EMPTY_PAGE;
    return findImportPage(scope, { status: query.status, merchantIds }, orderOf(query), query);
  },
  present: importRecord.presentMember,
});

const read = readRoute(imports, {
  tag,
  action: 'shipment.import',
  summary: 'Read an import',
  description: `Its progress while it works, then its result; also where the connection of POST /shipments/import was closed. ${EXPIRY}`,
  shows: 'The import with the messages of its failed rows.',
});

export const importRecordRoutes = [list, read];
