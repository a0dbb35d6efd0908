import { randomUUID } from 'node:crypto';
import { hashPassword } from '../../../api/auth/passwords.ts';
import type { HttpClient } from '../../../test/harness/http.ts';
import { makeUser, PASSWORD } from '../../../test/harness/make.ts';
import type { BenchCase } from '../../case.ts';
import { makeTeam } from '../../cast.ts';
import { atRate, timed } from '../../pace.ts';
import { quantilesOf } from '../../rounds.ts';

const WRONG_LOGINS_PER_SECOND = 50;
const REAL_LOGINS = 25;
const REAL_LOGINS_PER_SECOND = 2.5;
/** Longer than the real logins take. */
const WRONG_LOGINS_SECONDS = 12;
/** More than wrong logins can be under way at a time. */
const CONNECTIONS = 500;
/** The loopback network has an address for each stranger (Linux). */
const HOME_ADDRESS = '127.0.0.2';
const NEXT_TO = 'a real login next to the wrong ones';
const ALONE = 'a real login alone';

/** A real login, alone and while another address tries wrong passwords, each for another account. */
export const logins: BenchCase = {
  name: 'neighbour-logins',
  title: `A real login, alone and next to ${WRONG_LOGINS_PER_SECOND} wrong logins a second of another address`,
  figures: [
    {
      of: `${NEXT_TO}, at most`,
      unit: 'ms',
      aim: { atMost: 1_000 },
      also: [`${NEXT_TO}, p95`, `${ALONE}, at most`],
    },
    { of: `${NEXT_TO}, p50`, unit: 'ms', through: `${ALONE}, p50` },
  ],
  open: async (context) => {
    const { deployment, isQuick } = context;
    const home = context.http({ connections: REAL_LOGINS, localAddress: HOME_ADDRESS });
    const { organization } = await makeTeam(deployment);
    // Dear, as in production.
    const passwordHash = await hashPassword(PASSWORD);
    const count = isQuick ? 3 : REAL_LOGINS;
    /** Each by a user of its own, from one address. */
    const realLogins = async (where: string) => {
      const emails: string[] = [];
      while (emails.length < count)
        emails.push((await makeUser(deployment, organization, 'ROLE_DISPATCHER', { passwordHash })).email);
      const begun = await atRate(REAL_LOGINS_PER_SECOND, emails, (email) =>
        timed(async () => {
          const status = await login(home, email, PASSWORD);
          if (status !== 200) throw new Error(`a real login was answered ${status}`);
        }),
      );
      return quantilesOf(where, await Promise.all(begun));
    };
    let strangers = 0;
    const flooded = async () => {
      // A new address for each round: its first seconds, before its limit holds, are the worst.
      strangers += 1;
      const stranger = context.http({ connections: CONNECTIONS, localAddress: `127.0.1.${strangers}` });
      const emails = Array.from(
        { length: WRONG_LOGINS_PER_SECOND * (isQuick ? 2 : WRONG_LOGINS_SECONDS) },
        () => `${randomUUID()}@example.com`,
      );
      const wrong = atRate(WRONG_LOGINS_PER_SECOND, emails, (email) => login(stranger, email, 'wrong'));
      const numbers = await realLogins(NEXT_TO);
      const statuses = await Promise.all(await wrong);
      const limited = statuses.filter((status) => status === 429).length;
      context.say(`    of ${statuses.length} wrong logins ${limited} were answered 429`);
      return numbers;
    };
    return { sides: [flooded, () => realLogins(ALONE)] };
  },
};

async function login(http: HttpClient, email: string, password: string): Promise<number> {
  return (await http.send('POST', '/login_check', { body: { email, password } })).status;
}
