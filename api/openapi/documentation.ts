import type { RouteDefinition } from '../http/route.ts';
import type { JsonSchema } from '../schema/schema.ts';
import { hydraRoutes } from '../hydra/routes.ts';
import type { OpenApi } from './openapi.ts';
import { createOpenApi } from './openapi.ts';
import { readPageFiles } from './page/files.ts';
import { descriptionTexts, docsRoutes, pageFileRoutes } from './routes.ts';

/** The routes that describe the others, and the description of all of them. */
export interface Documentation {
  /** The endpoints' own rows and those of the documentation: what the router runs. */
  readonly rows: readonly RouteDefinition[];
  readonly openApi: OpenApi;
}

/**
 * Makes all descriptions of the rows, once (contract «Collections and documentation», interpretation 25). `shown` is
 * createOpenApi's.
 */
export function createDocumentation(
  rows: readonly RouteDefinition[],
  publicUrl: string,
  published?: (schema: JsonSchema) => JsonSchema,
): Documentation {
  const own = [...hydraRoutes(rows, publicUrl), ...docsRoutes(() => texts)];
  const openApi = createOpenApi([...rows, ...own], publicUrl, published);
  const texts = descriptionTexts(openApi.document);
  return { rows: [...rows, ...own, ...pageFileRoutes(readPageFiles())], openApi };
}
