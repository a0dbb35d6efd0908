import type { OrganizationId } from '../domain/ids.ts';
import { parseId } from '../domain/ids.ts';
import { parsePhoneNumber } from '../domain/phone-number.ts';
import type { AuditNote } from '../store/audit/audit-events.ts';
import { operatorCaller, recordAudit } from '../store/audit/audit-events.ts';
import type { Database } from '../store/connection.ts';
import type { RowCounts } from '../store/people/erase-person.ts';
import { countPerson, erasePerson } from '../store/people/erase-person.ts';
import { exportPerson } from '../store/people/export-person.ts';
import type { FoundPerson } from '../store/people/find-person.ts';
import { findPerson } from '../store/people/find-person.ts';
import type { PersonName } from '../store/people/person-scope.ts';
import type { Command, CommandLine } from './command-line.ts';
import { CommandError, onDatabase, readOptions } from './command-line.ts';

const USAGE = `Usage: npm run person -- erase --organization ID WHO [--dry-run]
       npm run person -- export --organization ID WHO

  erase   removes a person from everything that is kept (docs/privacy.md); amounts, dates and statuses stay
  export  prints everything that is kept about a person, as JSON lines

WHO is one of:
  --phone NUMBER   the recipient, and the contact of places, with this number, for example +33612345678
  --email ADDRESS  the same by an e-mail address
  --shipment ID    the recipient of this shipment alone
  --driver ID      a driver, with its user
  --user ID        a user, with its driver

  --dry-run        counts the rows, says what stands in the way, and changes nothing`;

const OPTIONS = {
  organization: { type: 'string', default: '' },
  phone: { type: 'string' },
  email: { type: 'string' },
  shipment: { type: 'string' },
  driver: { type: 'string' },
  user: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
} as const;

/** Erases and exports people (decision 0045). */
export const command: Command = {
  failure: (act) =>
    act === 'export' ? 'The export is incomplete' : 'The erasure is incomplete: run it again',
  run: (line) => {
    const [act, ...argv] = line.arguments;
    if (act !== 'erase' && act !== 'export') throw new CommandError(USAGE);
    const { organizationId, name, isDryRun } = parseWho(argv);
    if (act === 'export' && isDryRun) throw new CommandError(`An export changes nothing.\n\n${USAGE}`);
    const work = async (database: Database) => {
      const person = await findPerson(database, organizationId, name);
      if (person === undefined) {
        const orErased = name.by === 'shipment' ? ', or its recipient is erased already' : '';
        throw new CommandError(`The organization has no such ${name.by}${orErased}.`);
      }
      return act === 'export' ? exportTo(line, database, person) : erase(database, person, { isDryRun });
    };
    return onDatabase(line, work, { hasNoTimeouts: true });
  },
};

async function exportTo(
  line: CommandLine,
  database: Database,
  person: FoundPerson,
): Promise<readonly string[]> {
  await recordAudit(database, callerOf(person), { kind: 'person.exported', ...subjectOf(person) });
  for await (const kept of exportPerson(database, person)) line.print(JSON.stringify(kept));
  return [];
}

async function erase(
  database: Database,
  person: FoundPerson,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<readonly string[]> {
  const { obstacles } = person;
  if (isDryRun) {
    return [
      ...countLines(await countPerson(database, person)),
      ...(obstacles.length === 0 ? ['Nothing stands in the way.'] : ['The person cannot be erased yet:']),
      ...obstacles.map((obstacle) => `  ${obstacle}`),
    ];
  }
  if (obstacles.length > 0) {
    throw new CommandError(
      ['The person cannot be erased yet:', ...obstacles.map((text) => `  ${text}`)].join('\n'),
    );
  }
  const counts = await erasePerson(database, person, async (transaction, made) => {
    const count = [...made.values()].reduce((sum, rows) => sum + rows, 0);
    if (count > 0) {
      await recordAudit(transaction, callerOf(person), {
        kind: 'person.erased',
        ...subjectOf(person),
        count,
      });
    }
  });
  return [...countLines(counts), 'The person is erased.'];
}

function callerOf({ scope }: FoundPerson) {
  return operatorCaller('person', scope.organizationId);
}

/** The record that was named; a number or an address is in no log. */
function subjectOf({ name }: FoundPerson): Pick<AuditNote, 'subject'> {
  return 'id' in name ? { subject: { kind: name.by, id: name.id } } : {};
}

function countLines(counts: RowCounts): readonly string[] {
  const lines = [...counts].flatMap(([table, count]) => (count === 0 ? [] : [`${count}  ${table}`]));
  return lines.length === 0 ? ['Nothing is kept of this person.'] : lines;
}

function parseWho(argv: readonly string[]): {
  readonly organizationId: OrganizationId;
  readonly name: PersonName;
  readonly isDryRun: boolean;
} {
  const values = readOptions(argv, OPTIONS, USAGE);
  const organizationId = parseId<'organization'>(values.organization);
  const faults: string[] = [];
  if (organizationId === undefined) faults.push('--organization must be the organization’s id, a UUID.');
  const names = namesOf(values, faults);
  if (names.length !== 1 && faults.length === 0) faults.push('Name the person in one way.');
  const [name] = names;
  if (faults.length > 0 || organizationId === undefined || name === undefined) {
    throw new CommandError(`${faults.join('\n')}\n\n${USAGE}`);
  }
  return { organizationId, name, isDryRun: values['dry-run'] };
}

function namesOf(
  { phone, email, shipment, driver, user }: Readonly<Partial<Record<string, string | boolean>>>,
  faults: string[],
): readonly PersonName[] {
  const names: PersonName[] = [];
  const take = (
    value: string | boolean | undefined,
    read: (text: string) => PersonName | undefined,
    fault: string,
  ) => {
    if (typeof value !== 'string') return;
    const name = read(value.trim());
    if (name === undefined) faults.push(fault);
    else names.push(name);
  };
  take(
    phone,
    (text) => {
      const value = parsePhoneNumber(text);
      return value === undefined ? undefined : { by: 'phone_number', value };
    },
    '--phone must be a number with + and the country code.',
  );
  take(
    email,
    (value) => (value.includes('@') ? { by: 'email', value } : undefined),
    '--email must be an address.',
  );
  const byId = (by: 'shipment' | 'driver' | 'user', value: string | boolean | undefined) =>
    take(value, (text) => idName(by, text), `--${by} must be an id, a UUID.`);
  byId('shipment', shipment);
  byId('driver', driver);
  byId('user', user);
  return names;
}

function idName(by: 'shipment' | 'driver' | 'user', text: string): PersonName | undefined {
  if (by === 'shipment') {
    const id = parseId<'shipment'>(text);
    return id === undefined ? undefined : { by, id };
  }
  if (by === 'driver') {
    const id = parseId<'driver'>(text);
    return id === undefined ? undefined : { by, id };
  }
  const id = parseId<'user'>(text);
  return id === undefined ? undefined : { by, id };
}
