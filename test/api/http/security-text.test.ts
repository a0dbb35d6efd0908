import test from 'ava';
import { loadApiConfig } from '../../../platform/config.ts';
import { startService } from '../../harness/service.ts';

const NEEDED = {
  DATABASE_URL: 'postgres://127.0.0.1/x',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  JWT_SECRET: '0f9b2c7d41e8a653c5d8e1f20a7b3649',
};

test('200 security.txt names the contacts, and is valid for less than a year', async (t) => {
  const contacts = 'mailto:security@example.com,https://example.com/report';
  const service = await startService({ withWorkers: false, settings: { SECURITY_CONTACT: contacts } });
  t.teardown(service.stop);
  const answer = await fetch(`${service.baseUrl}/.well-known/security.txt`);
  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
  const text = await answer.text();
  const fields = text.split('\r\n').map((line) => line.split(/: (.*)/).slice(0, 2));
  t.deepEqual(fields.slice(0, 2), [
    ['Contact', 'mailto:security@example.com'],
    ['Contact', 'https://example.com/report'],
  ]);
  const expires = Date.parse(fields.find(([name]) => name === 'Expires')?.[1] ?? '');
  t.true(expires > Date.now() && expires < Date.now() + 365 * 86_400_000);
});

test('a security contact is a mailto:, https: or tel: address', (t) => {
  t.deepEqual(loadApiConfig(NEEDED).securityContacts, []);
  t.deepEqual(loadApiConfig({ ...NEEDED, SECURITY_CONTACT: 'tel:+33-1-23' }).securityContacts, [
    'tel:+33-1-23',
  ]);
  for (const contact of ['security@example.com', 'http://example.com', 'mailto:a@b,', 'mailto:a@b\r\nX: y']) {
    t.throws(() => loadApiConfig({ ...NEEDED, SECURITY_CONTACT: contact }), { message: /SECURITY_CONTACT/ });
  }
});
