import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer, type TLSSocket } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import {
  issueServerCertificate,
  loadOrCreateAuthority,
  type CertificateAuthority,
} from '../../dev/engines/certificate-authority.ts';

const now = new Date();

for (const servername of ['localhost', 'receiver.example']) {
  test(`a client that trusts the authority accepts its server as ${servername}`, async (t) => {
    const authority = await newAuthority(t);
    const port = await serve(t, authority);
    const socket = await handshake({ port, servername, ca: authority.certificatePem });
    t.true(socket.authorized);
    socket.destroy();
  });
}

test('a client rejects the server under a name that is not in the certificate', async (t) => {
  const authority = await newAuthority(t);
  const port = await serve(t, authority);
  await t.throwsAsync(handshake({ port, servername: 'other.example', ca: authority.certificatePem }), {
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
});

test('a client that trusts another authority, or none, rejects the server', async (t) => {
  const port = await serve(t, await newAuthority(t));
  const other = await newAuthority(t);
  await t.throwsAsync(handshake({ port, servername: 'localhost', ca: other.certificatePem }), {
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  });
  await t.throwsAsync(handshake({ port, servername: 'localhost' }), {
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  });
});

test('the authority is made once, and only its owner can read it', async (t) => {
  const folder = await newFolder(t);
  const first = await loadOrCreateAuthority(folder, now);
  const second = await loadOrCreateAuthority(folder, now);
  t.deepEqual(second, first);
  for (const file of [first.keyFile, first.certificateFile]) t.is((await stat(file)).mode & 0o777, 0o600);
});

async function newAuthority(t: ExecutionContext): Promise<CertificateAuthority> {
  return loadOrCreateAuthority(await newFolder(t), now);
}

async function newFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'authority-'));
  t.teardown(() => rm(folder, { recursive: true }));
  return folder;
}

async function serve(t: ExecutionContext, authority: CertificateAuthority): Promise<number> {
  const { certificatePem, keyPem } = await issueServerCertificate(authority, now, ['receiver.example']);
  const server = createServer({ cert: certificatePem, key: keyPem });
  // A client that refuses breaks the connection off: that is the point of some tests.
  server.on('connection', (socket: Socket) => socket.on('error', () => undefined));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

function handshake(options: { port: number; servername: string; ca?: string }): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...options, host: '127.0.0.1' }, () => resolve(socket));
    socket.once('error', reject);
  });
}
