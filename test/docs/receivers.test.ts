import test from 'ava';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { timestampedSignature } from '../../activities/webhook-signature.ts';
import { anyFreePort } from '../../dev/engines/ports.ts';
import { isInstalled, LANGUAGES, startExample } from './languages.ts';

const SECRET = `whsec_${'0123456789'.repeat(4)}`;
const OTHER_SECRET = `whsec_${'9876543210'.repeat(4)}`;
const MS_PER_MINUTE = 60_000;
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
  test(`the ${language.name} receiver accepts signed bytes; a repeated or forged request is 401`, async (t) => {
    if (!isInstalled(t, language)) return;
    const port = await anyFreePort();
    const [program, ...words] = await language.start(language.receiver, t);
    // PHP's own server listens for a program that answers one request.
    const listening = language.name === 'PHP' ? ['-S', `127.0.0.1:${port}`] : [];
    const settings = { WEBHOOK_SECRET: SECRET, PORT: String(port) };
    await firstWords(startExample(t, [program, ...listening, ...words], settings));
    const post = async (body: Buffer, header: string): Promise<number> => {
      const answer = await fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-service-timestamped-signature': header },
        body: new Uint8Array(body),
      });
      return answer.status;
    };
    const signedBy = (secrets: readonly string[], minutes = 0): string =>
      timestampedSignature(BODY, secrets, new Date(Date.now() + minutes * MS_PER_MINUTE));
    const signature = signedBy([SECRET]);
    const [time = '', value = ''] = signature.split(',');
    const answers: readonly (readonly [body: Buffer, header: string, status: number])[] = [
      [BODY, signature, 204],
      // During an overlap there are two.
      [BODY, signedBy([OTHER_SECRET, SECRET]), 204],
      [BODY, signedBy([SECRET, OTHER_SECRET]), 204],
      [BODY, signedBy([SECRET], -4), 204],
      [BODY, signedBy([SECRET], -6), 401],
      [BODY, signedBy([SECRET], 6), 401],
      [BODY, signedBy([OTHER_SECRET]), 401],
      [Buffer.concat([BODY, Buffer.from(' ')]), signature, 401],
      [BODY, `t=${Number(time.slice('t='.length)) + 1},${value}`, 401],
      ...[
        time,
        value,
        `t=,${value}`,
        `${time},v1=`,
        `${time},v0=${value.slice('v1='.length)}`,
        ',,=',
        '',
      ].map((header) => [BODY, header, 401] as const),
    ];
    for (const [body, header, status] of answers) t.is(await post(body, header), status, header);
  });
}

/** Each receiver says a line when it listens, PHP on its error output. */
async function firstWords({ stdout, stderr }: ChildProcessWithoutNullStreams): Promise<void> {
  await Promise.race([once(stdout, 'data'), once(stderr, 'data')]);
}
