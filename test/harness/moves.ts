import { shipmentBodyWith } from './make.ts';
import { at, send, textAt } from './request.ts';
import type { HttpAnswer } from './request.ts';
import type { TestService } from './service.ts';

/** A shipment made over HTTP, with the IRIs of its first tasks; `pickup` is absent where it has none. */
export interface MadeShipment {
  readonly iri: string;
  readonly id: string;
  readonly trackingNumber: string;
  readonly pickup: string | undefined;
  readonly delivery: string;
}

/** Makes a shipment over HTTP. `pickupPoint` is a bare id. */
export async function makeShipment(
  service: Pick<TestService, 'baseUrl'>,
  token: string,
  options: { readonly pickupPoint?: string; readonly fields?: Readonly<Record<string, unknown>> } = {},
): Promise<MadeShipment> {
  const { pickupPoint, fields } = options;
  const body = shipmentBodyWith({
    ...(pickupPoint === undefined ? {} : { pickupPoint: `/api/v1/pickup-points/${pickupPoint}` }),
    ...fields,
  });
  const answer = expectStatus(await send(service, 'POST', '/shipments', { token, body }), 201);
  const hasPickup = at(answer.body, 'tasks.0.type') === 'pickup';
  return {
    iri: textAt(answer.body, '@id'),
    id: textAt(answer.body, 'id'),
    trackingNumber: textAt(answer.body, 'trackingNumber'),
    pickup: hasPickup ? textAt(answer.body, 'tasks.0.@id') : undefined,
    delivery: textAt(answer.body, hasPickup ? 'tasks.1.@id' : 'tasks.0.@id'),
  };
}

/** Moves a task over HTTP and gives the task as it then is. Throws unless the answer is 200. */
export async function move(
  service: Pick<TestService, 'baseUrl'>,
  token: string,
  task: string,
  transition: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<unknown> {
  const body = { transition, ...fields };
  return expectStatus(await send(service, 'POST', `${task}/transition`, { token, body }), 200).body;
}

/** Gives the answer back when it has the status; throws with its body otherwise. */
export function expectStatus(answer: HttpAnswer, status: number): HttpAnswer {
  if (answer.status === status) return answer;
  throw new Error(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body).slice(0, 800)}`);
}
