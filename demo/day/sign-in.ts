import { listAt, textAt } from '../../test/harness/json.ts';
import { createRequest, type Caller } from '../client.ts';
import type { Callers } from './ask.ts';

/** Half of a token's life: drivers may drive all day. */
const RENEW_AFTER_MS = 2 * 3_600_000;
const ROLES = {
  admin: 'ROLE_ORG_ADMIN',
  dispatcher: 'ROLE_DISPATCHER',
  merchant: 'ROLE_MERCHANT',
  driver: 'ROLE_DRIVER',
} as const satisfies Record<keyof Callers, string>;

/**
 * Signs in the users of an organization as the credentials file has it. Returns who they are at the moment: they sign in again
 * from time to time. Rejects where a password is not the demo's any more, or the database is another one.
 */
export async function signInDemo(baseUrl: string, organization: unknown): Promise<() => Callers> {
  const request = createRequest(baseUrl, () => undefined);
  const signIn = async (name: keyof Callers): Promise<Caller> => {
    const user = listAt(organization, 'users').find((entry) => textAt(entry, 'role') === ROLES[name]);
    const body = { email: textAt(user, 'email'), password: textAt(user, 'password') };
    const answer = await request({
      caller: { name, headers: {} },
      method: 'POST',
      path: '/login_check',
      body,
    });
    if (answer.status !== 200) throw new Error(`${body.email} cannot sign in (${answer.status}).`);
    return { name, headers: { authorization: `Bearer ${textAt(answer.body, 'token')}` } };
  };
  const signInAll = async (): Promise<Callers> => ({
    admin: await signIn('admin'),
    dispatcher: await signIn('dispatcher'),
    merchant: await signIn('merchant'),
    driver: await signIn('driver'),
  });
  let callers = await signInAll();
  setInterval(() => {
    signInAll().then(
      (renewed) => {
        callers = renewed;
      },
      // The tokens are good for as long again; the next time may succeed.
      () => undefined,
    );
  }, RENEW_AFTER_MS).unref();
  return () => callers;
}
