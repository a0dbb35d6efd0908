import type { OrganizationId } from '../domain/ids.ts';
import { parseId } from '../domain/ids.ts';
import type { AuditSpan } from '../store/audit/audit-events.ts';
import { auditEventsAcrossTenants, operatorCaller, recordAudit } from '../store/audit/audit-events.ts';
import type { Command } from './command-line.ts';
import { CommandError, onDatabase, readOptions } from './command-line.ts';

const USAGE = `Usage: npm run audit -- export --from MOMENT --to MOMENT [--organization ID]

  --from MOMENT      the first moment, for example 2026-11-01 or 2026-11-01T00:00:00Z
  --to MOMENT        the moment after the last one
  --organization ID  of one organization alone (default: all, with sign-ins of unknown users)

It prints the audit log as JSON lines, oldest first. The export is recorded in the log itself.`;

const OPTIONS = {
  from: { type: 'string', default: '' },
  to: { type: 'string', default: '' },
  organization: { type: 'string' },
} as const;

/** Days and moments in UTC, or with an offset of their own. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Exports the audit log (decision 0040). */
export const command: Command = {
  failure: 'The export is incomplete',
  run: (line) => {
    const [act, ...argv] = line.arguments;
    if (act !== 'export') throw new CommandError(USAGE);
    const span = parseSpan(argv);
    return onDatabase(line, async (database) => {
      const caller = operatorCaller('audit export', span.organizationId);
      await recordAudit(database, caller, { kind: 'audit.exported' });
      for await (const event of auditEventsAcrossTenants(database, span)) line.print(JSON.stringify(event));
      return [];
    });
  },
};

function parseSpan(argv: readonly string[]): AuditSpan {
  const values = readOptions(argv, OPTIONS, USAGE);
  const from = momentOf(values.from);
  const to = momentOf(values.to);
  const organizationId = organizationOf(values.organization);
  const faults = [
    ...(from === undefined ? ['--from must be a day or a moment, for example 2026-11-01.'] : []),
    ...(to === undefined ? ['--to must be a day or a moment, for example 2026-12-01.'] : []),
    ...(from !== undefined && to !== undefined && from >= to ? ['--from must be before --to.'] : []),
    ...(organizationId === undefined ? ['--organization must be the organization’s id.'] : []),
  ];
  if (faults.length > 0 || from === undefined || to === undefined || organizationId === undefined) {
    throw new CommandError(`${faults.join('\n')}\n\n${USAGE}`);
  }
  return { from, to, organizationId };
}

function momentOf(text: string): Date | undefined {
  const moment = new Date(text);
  return MOMENT.test(text) && !Number.isNaN(moment.getTime()) ? moment : undefined;
}

/** null where none is named, undefined where it is not an id. */
function organizationOf(text: string | undefined): OrganizationId | null | undefined {
  return text === undefined ? null : parseId<'organization'>(text);
}
