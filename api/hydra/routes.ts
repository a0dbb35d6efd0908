import { API_PREFIX } from '../../domain/iri.ts';
import { say } from '../../domain/messages.ts';
import { ProblemError, stated } from '../../domain/problem.ts';
import { contentEtag, CACHEABLE } from '../http/static-content.ts';
import { JSON_TYPE, LD_JSON } from '../http/media-types.ts';
import { PROBLEM_STATUS } from '../http/problem-response.ts';
import type { RouteResponse, RouteInfo, RouteDefinition } from '../http/route.ts';
import { publicRoute } from '../http/route.ts';
import { iri, shape, string } from '../schema/shapes.ts';
import { apiDocumentation } from './api-documentation.ts';
import { contextDocument, contextOf } from './context.ts';
import { entrypointDocument, entrypointLinks, entrypointTerms } from './entrypoint.ts';
import type { Document } from './resource.ts';
import { contextPath } from './resource.ts';
import { classesOf } from './vocabulary.ts';

const FRAME = { '@context': string, '@id': iri, '@type': string };

/**
 * The rows for Hydra clients (interpretation 25): the entrypoint, a context for each type, the API documentation, and a
 * page for each kind of problem. All are made once, from the rows that the router runs.
 */
export function hydraRoutes(rows: readonly RouteDefinition[], publicUrl: string): readonly RouteDefinition[] {
  const classes = classesOf(rows);
  const links = entrypointLinks(rows);
  const contexts = new Map([
    ...[...classes.values()].map((shown) => [shown.name, contextOf(shown, classes, publicUrl)] as const),
    ['Entrypoint', contextDocument(publicUrl, entrypointTerms(links))],
  ]);
  const entrypoint = cacheable(entrypointDocument(links));
  const documentation = cacheable(apiDocumentation(rows, classes, links, publicUrl));
  return [
    row({
      operation: 'hydra.readEntrypoint',
      path: '/',
      summary: 'The entrypoint: the URL of every collection',
      answers: {
        200: {
          description: 'The entrypoint.',
          schema: {
            title: 'Entrypoint',
            ...shape({ ...FRAME, '@type': { const: 'Entrypoint' } }, Object.keys(FRAME)),
            additionalProperties: iri,
          },
          headers: ['ETag'],
        },
      },
      answer: () => entrypoint,
    }),
    row({
      operation: 'hydra.readDocumentation',
      path: '/docs.jsonld',
      summary: 'The Hydra API documentation',
      description: 'Every class with its properties and operations.',
      answers: { 200: { description: 'The documentation.', schema: { type: 'object' }, headers: ['ETag'] } },
      answer: () => documentation,
    }),
    contextRow(new Map([...contexts].map(([name, context]) => [name, cacheable(context)]))),
    problemRow(),
  ];
}

function contextRow(contexts: ReadonlyMap<string, RouteResponse>): RouteDefinition {
  return row({
    operation: 'hydra.readContext',
    path: '/contexts/{name}',
    summary: 'The JSON-LD context of a type',
    pathJson: { name: { type: 'string', enum: [...contexts.keys()].sort() } },
    answers: {
      200: {
        description: 'The context.',
        schema: { title: 'ContextDocument', ...shape({ '@context': { type: 'object' } }, ['@context']) },
        headers: ['ETag'],
      },
    },
    answer: ({ name = '' }) => contexts.get(name),
  });
}

/** What the `type` of a problem document leads to (RFC 9457). */
function problemRow(): RouteDefinition {
  const titles = [...Object.values(PROBLEM_STATUS), { status: 500, title: 'Internal server error' }];
  const pages = new Map(
    titles.map(({ status, title }) => {
      const path = `${API_PREFIX}/errors/${status}`;
      const frame = { '@context': contextPath('Error'), '@id': path, '@type': 'Error' };
      return [String(status), cacheable({ ...frame, type: path, title, status })] as const;
    }),
  );
  return row({
    operation: 'hydra.readProblemType',
    path: '/errors/{status}',
    summary: 'Read a problem type',
    pathJson: { status: { type: 'string', enum: [...pages.keys()].sort() } },
    answers: {
      200: {
        description: 'The problem type.',
        schema: {
          title: 'ProblemType',
          ...shape({ ...FRAME, type: iri, title: string, status: { type: 'integer' } }, [
            ...Object.keys(FRAME),
            'type',
            'title',
            'status',
          ]),
        },
        headers: ['ETag'],
      },
    },
    answer: ({ status = '' }) => pages.get(status),
  });
}

function row(
  definition: Pick<RouteInfo, 'operation' | 'path' | 'summary' | 'description' | 'pathJson' | 'answers'> & {
    readonly answer: (params: Readonly<Record<string, string>>) => RouteResponse | undefined;
  },
): RouteDefinition {
  const { answer, ...info } = definition;
  return publicRoute({
    ...info,
    method: 'GET',
    produces: [LD_JSON, JSON_TYPE],
    handle: ({ params }) => {
      const found = answer(params);
      if (found !== undefined) return found;
      throw new ProblemError({ kind: 'missing', ...stated(say('no_resource')) });
    },
  });
}

function cacheable(document: Document): RouteResponse {
  return { status: 200, body: document, etag: contentEtag(JSON.stringify(document)), headers: CACHEABLE };
}
