import { API_PREFIX } from '../../domain/iri.ts';
import { Refusal } from '../../domain/problem.ts';
import { contentTag, LASTING } from '../http/lasting.ts';
import { JSON_TYPE, LD_JSON } from '../http/media-types.ts';
import { PROBLEM_STATUS } from '../http/problem-response.ts';
import type { Answer, RouteInfo, RouteRow } from '../http/route.ts';
import { NO_BODY, NO_QUERY, nothing, publicRoute } from '../http/route.ts';
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
export function hydraRoutes(rows: readonly RouteRow[], publicUrl: string): readonly RouteRow[] {
  const classes = classesOf(rows);
  const links = entrypointLinks(rows);
  const contexts = new Map([
    ...[...classes.values()].map((shown) => [shown.name, contextOf(shown, classes, publicUrl)] as const),
    ['Entrypoint', contextDocument(publicUrl, entrypointTerms(links))],
  ]);
  const entrypoint = lasting(entrypointDocument(links));
  const documentation = lasting(apiDocumentation(rows, classes, links, publicUrl));
  return [
    row({
      operation: 'hydra.readEntrypoint',
      path: '/',
      summary: 'The entrypoint: the address of every collection',
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
      description: 'Every class with its properties, and what can be done with it.',
      answers: { 200: { description: 'The documentation.', schema: { type: 'object' }, headers: ['ETag'] } },
      answer: () => documentation,
    }),
    contextRow(new Map([...contexts].map(([name, context]) => [name, lasting(context)]))),
    problemRow(),
  ];
}

function contextRow(contexts: ReadonlyMap<string, Answer>): RouteRow {
  return row({
    operation: 'hydra.readContext',
    path: '/contexts/{name}',
    summary: 'The JSON-LD context of a type',
    pathJson: { name: { type: 'string', enum: [...contexts.keys()].sort() } },
    answers: {
      200: {
        description: 'The context.',
        schema: { title: 'Context', ...shape({ '@context': { type: 'object' } }, ['@context']) },
        headers: ['ETag'],
      },
    },
    answer: ({ name = '' }) => contexts.get(name),
  });
}

/** What stands at the `type` of a problem document (RFC 9457). */
function problemRow(): RouteRow {
  const titles = [...Object.values(PROBLEM_STATUS), { status: 500, title: 'Internal error' }];
  const pages = new Map(
    titles.map(({ status, title }) => {
      const path = `${API_PREFIX}/errors/${status}`;
      const frame = { '@context': contextPath('Error'), '@id': path, '@type': 'Error' };
      return [String(status), lasting({ ...frame, type: path, title, status })] as const;
    }),
  );
  return row({
    operation: 'hydra.readProblemType',
    path: '/errors/{status}',
    summary: 'What a kind of problem means',
    pathJson: { status: { type: 'string', enum: [...pages.keys()].sort() } },
    answers: {
      200: {
        description: 'The kind of problem.',
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
    readonly answer: (params: Readonly<Record<string, string>>) => Answer | undefined;
  },
): RouteRow {
  const { answer, ...info } = definition;
  return publicRoute({
    ...info,
    method: 'GET',
    action: null,
    tag: 'Hydra',
    produces: [LD_JSON, JSON_TYPE],
    body: NO_BODY,
    query: NO_QUERY,
    load: nothing,
    handle: ({ params }) => {
      const found = answer(params);
      if (found !== undefined) return Promise.resolve(found);
      throw new Refusal({ kind: 'missing', detail: 'There is nothing at this address.' });
    },
  });
}

function lasting(document: Document): Answer {
  return { status: 200, body: document, etag: contentTag(JSON.stringify(document)), headers: LASTING };
}
