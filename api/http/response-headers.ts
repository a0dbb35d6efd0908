import type { Middleware } from 'koa';
import { API_PREFIX } from '../../domain/iri.ts';

const HYDRA_DOCUMENTATION = 'http://www.w3.org/ns/hydra/core#apiDocumentation';

/**
 * Headers of every answer: where the API's documentation is (contract «Collections and documentation», RFC 8288 and
 * RFC 8631), and what keeps a browser from misusing an answer. Absolute addresses come from the configured public
 * one, never from the Host header.
 */
export function responseHeaders(publicUrl: string): Middleware {
  const link = [
    `<${publicUrl}${API_PREFIX}/docs.jsonld>; rel="${HYDRA_DOCUMENTATION}"`,
    `<${publicUrl}${API_PREFIX}/docs>; rel="service-desc"; type="application/vnd.oai.openapi+json"`,
    `<${publicUrl}${API_PREFIX}/docs>; rel="service-doc"; type="text/html"`,
  ].join(', ');
  // Browsers come by https alone for a year, also where a link says http.
  const transport = publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {};
  return async (context, next) => {
    context.set({
      ...transport,
      link,
      vary: 'Accept, Accept-Language, Authorization, X-API-KEY',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    await next();
  };
}
