import { createRequest, nameOf, type Call, type Caller } from '../client.ts';

/** Who makes requests for an organization of the demo: its users by what they do. */
export type Callers = Readonly<Record<'admin' | 'dispatcher' | 'merchant' | 'driver', Caller>>;

/** A request of one of the organization's users. `key` makes a repeat of it, also by a later process, harmless. */
export interface Question extends Omit<Call, 'caller'> {
  readonly as: keyof Callers;
}

/** Sends a request and resolves to the body of the answer. Rejects with RejectedError when the answer is not a success. */
export type Ask = (question: Question) => Promise<unknown>;

/** An answer that is not a success: a repeat of the same request cannot succeed. */
export class RejectedError extends Error {}

/** Makes an `Ask`. What is repeated and what is rejected goes to `log`. */
export function createAsk(baseUrl: string, callers: () => Callers, log: (line: string) => void): Ask {
  const request = createRequest(baseUrl, (call, status) =>
    log(`${nameOf(call)}: ${status ?? 'no connection'}, trying again`),
  );
  return async ({ as, ...question }) => {
    const call = { ...question, caller: callers()[as] };
    const { status, body } = await request(call);
    if (status < 400) return body;
    const reason = `${nameOf(call)}: ${status} ${JSON.stringify(body).slice(0, 400)}`;
    log(reason);
    throw new RejectedError(reason);
  };
}
