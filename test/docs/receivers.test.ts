import test from 'ava';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createHmac } from 'node:crypto';
import { anyFreePort } from '../../dev/engines/ports.ts';
import { isInstalled, LANGUAGES, startExample } from './languages.ts';

const SECRET = `whsec_${'0123456789'.repeat(4)}`;
const BODY = Buffer.from(
  JSON.stringify({
    event: 'shipment.status_changed',
    shipmentId: '3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a11',
    trackingNumber: 'TST-20260301-ABC123',
    externalReference: 'Élodie n°5',
    status: 'delivered',
    taskType: 'delivery',
    taskStatus: 'delivered',
    driverName: 'Yanis',
    updatedAt: '2026-03-01T09:30:00.123456+00:00',
  }),
);

for (const language of LANGUAGES) {
  test(`the ${language.name} receiver accepts signed bytes and answers others with 401`, async (t) => {
    if (!isInstalled(t, language)) return;
    const port = await anyFreePort();
    const [program, ...words] = await language.start(language.receiver, t);
    // PHP's own server listens for a program that answers one request.
    const listening = language.name === 'PHP' ? ['-S', `127.0.0.1:${port}`] : [];
    const settings = { WEBHOOK_SECRET: SECRET, PORT: String(port) };
    await firstWords(startExample(t, [program, ...listening, ...words], settings));
    const signature = `sha256=${createHmac('sha256', SECRET).update(BODY).digest('hex')}`;
    const post = async (body: Buffer, header: string): Promise<number> => {
      const answer = await fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-service-signature': header },
        body: new Uint8Array(body),
      });
      return answer.status;
    };
    t.is(await post(BODY, signature), 204);
    t.is(await post(Buffer.concat([BODY, Buffer.from(' ')]), signature), 401);
    t.is(await post(BODY, signature.toUpperCase()), 401);
    t.is(await post(BODY, ''), 401);
  });
}

/** Each receiver says a line when it listens, PHP on its error output. */
async function firstWords({ stdout, stderr }: ChildProcessWithoutNullStreams): Promise<void> {
  await Promise.race([once(stdout, 'data'), once(stderr, 'data')]);
}
