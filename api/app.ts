import Koa from 'koa';
import { createAuthentication } from './auth/authenticate.ts';
import type { Dependencies } from './dependencies.ts';
import { createDocumentation } from './openapi/documentation.ts';
import { errorHandler, requestIdOf } from './http/errors.ts';
import { health } from './http/health.ts';
import { requestLog } from './http/request-log.ts';
import { requestTrace } from './http/request-trace.ts';
import { createRouter } from './http/router.ts';
import { responseHeaders } from './http/response-headers.ts';
import { securityText } from './http/security-text.ts';
import { routes } from './routes.ts';
import { addDeskApi } from './session/desk-api.ts';
import { recipientPage } from './tracking/recipient-page.ts';
import { consolePages } from './web/console-pages.ts';

/** The API's middlewares in their order; tests make the same app over their own dependencies. */
export function createApp(dependencies: Dependencies): Koa {
  const { publicUrl, trustedProxyHops } = dependencies.config;
  const app = new Koa({ proxy: trustedProxyHops > 0, maxIpsCount: trustedProxyHops });
  app.use(requestTrace(requestIdOf));
  app.use(requestLog(dependencies.log, requestIdOf));
  app.use(errorHandler(dependencies.log));
  app.use(responseHeaders(publicUrl));
  app.use(health(dependencies));
  app.use(securityText(dependencies.config, new Date(performance.timeOrigin)));
  app.use(recipientPage(dependencies));
  addDeskApi(app, routes, dependencies);
  app.use(consolePages(dependencies));
  const { rows } = createDocumentation(routes, publicUrl);
  app.use(createRouter(rows, dependencies, createAuthentication(dependencies)));
  return app;
}
