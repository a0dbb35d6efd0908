import test from 'ava';
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { anyFreePort } from '../../dev/engines/ports.ts';

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

const RECEIVERS = [
  { language: 'Node', program: process.execPath, arguments: (_port: number) => ['receiver.mjs'] },
  { language: 'Python', program: 'python3', arguments: (_port: number) => ['receiver.py'] },
  {
    language: 'PHP',
    program: 'php',
    arguments: (port: number) => ['-S', `127.0.0.1:${port}`, 'receiver.php'],
  },
] as const;

/** Node runs this test, so its receiver is always tried; the others where their language is installed. */
for (const receiver of RECEIVERS.filter(({ program }) => spawnSync(program, ['--version']).status === 0)) {
  test(`the ${receiver.language} receiver accepts signed bytes and answers others with 401`, async (t) => {
    const port = await anyFreePort();
    const child = spawn(receiver.program, [...receiver.arguments(port)], {
      cwd: fileURLToPath(new URL('../../docs/examples', import.meta.url)),
      env: { ...process.env, WEBHOOK_SECRET: SECRET, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    t.teardown(() => child.kill('SIGKILL'));
    await firstWords(child);
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
async function firstWords({ stdout, stderr }: ChildProcess): Promise<void> {
  if (stdout === null || stderr === null) throw new Error('the receiver has no output');
  await Promise.race([once(stdout, 'data'), once(stderr, 'data')]);
}
