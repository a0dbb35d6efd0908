import type { Id } from '../../domain/ids.ts';
import { toId } from '../../domain/ids.ts';
import type { ResourceKind } from '../../domain/iri.ts';
import { iriOf } from '../../domain/iri.ts';
import { say } from '../../domain/messages.ts';
import { conflict, ProblemError } from '../../domain/problem.ts';
import { violatedUniqueIndex } from '../../store/connection.ts';
import type { RouteDefinition, RouteRequest } from '../http/route.ts';
import { dashboardRoute } from '../http/route.ts';
import type { Schema } from '../schema/schema.ts';
import type { EditWords, RecordCheck } from './edit.ts';
import type { Resource } from './resource.ts';
import { infoOf } from './resource.ts';

/** The creation of a record, which a repeated `Idempotency-Key` makes once: the id follows from the key. */
export function createRoute<Kind extends ResourceKind, Row, Body>(
  resource: Resource<Kind, Row>,
  creation: EditWords & {
    readonly hasPassword?: boolean;
    readonly asksPassword: boolean;
    readonly body: Schema<Body>;
    readonly check: RecordCheck<Body, null>;
    readonly create: (request: RouteRequest, id: Id<Kind>, body: Body) => Promise<void>;
  },
): RouteDefinition {
  const { body, check, create, otherAnswers, ...words } = creation;
  const { kind, one, shape, find } = resource;
  /** The answer about what the request made; undefined where it made nothing, or where that is deleted. */
  const made = async (request: RouteRequest) => {
    const id = toId<Kind>(request.effectId);
    const found = await find(request.scope, id);
    if (found.kind !== 'found') return undefined;
    const answer = await resource.answer(request, found.row);
    return { ...answer, status: 201, headers: { location: iriOf(kind, id) } };
  };
  return dashboardRoute({
    summary: `Create a ${one}`,
    ...words,
    ...infoOf(resource, 'create'),
    method: 'POST',
    isIdempotent: true,
    answers: {
      201: { description: `The created ${one}.`, schema: shape, headers: ['Location', 'ETag'] },
      ...otherAnswers,
    },
    body,
    check: (request, valid) => check(request, valid, null),
    handle: async (request) => {
      try {
        await create(request, toId<Kind>(request.effectId), request.body);
      } catch (error) {
        // An earlier request with this key has made it, and its answer was lost.
        if (violatedUniqueIndex(error)?.endsWith('_pkey') !== true) throw error;
      }
      const answer = await made(request);
      if (answer !== undefined) return answer;
      throw new ProblemError(conflict(say('deleted_since', { record: one }), 'deleted'));
    },
    repeat: made,
  });
}
