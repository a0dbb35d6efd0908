import { once } from 'node:events';
import test from 'ava';
import Koa from 'koa';
import { responseHeaders } from '../../../api/http/response-headers.ts';

for (const [name, publicUrl, expected] of [
  ['200 over https browsers are told to come by https alone', 'https://desk.example.com', 'max-age=31536000'],
  ['200 over http they are not', 'http://localhost:8080', null],
] as const) {
  test(name, async (t) => {
    const app = new Koa();
    app.use(responseHeaders(publicUrl));
    app.use((context) => {
      context.body = 'ok';
    });
    const server = app.listen(0, '127.0.0.1');
    t.teardown(() => server.close());
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') return t.fail('the server has no port');
    const answer = await fetch(`http://127.0.0.1:${address.port}`);
    t.is(answer.headers.get('strict-transport-security'), expected);
  });
}
