import test from 'ava';
import {
  PLAN_HAS_WEBHOOKS,
  verdictOfStatus,
  WEBHOOK_RETRY,
  WEBHOOK_SECRET_PATTERN,
  webhookSecret,
  webhooksAreOn,
} from '../../domain/webhook.ts';

for (const plan of ['pro', 'decouverte'] as const) {
  for (const webhookUrl of ['https://shop.example/hook', null] as const) {
    for (const isWebhookEnabled of [true, false]) {
      const all = plan === 'pro' && webhookUrl !== null && isWebhookEnabled;
      test(`${plan}, ${webhookUrl ?? 'no URL'}, enabled ${String(isWebhookEnabled)}: ${all ? 'sent' : 'not sent'}`, (t) => {
        t.is(webhooksAreOn({ plan, webhookUrl, isWebhookEnabled }), all);
      });
    }
  }
}

test('an address that is not HTTPS counts as absent', (t) => {
  t.false(webhooksAreOn({ plan: 'pro', webhookUrl: 'http://shop.example/hook', isWebhookEnabled: true }));
});

test('Pro, Business and Entreprise include webhooks, Decouverte does not', (t) => {
  t.deepEqual(PLAN_HAS_WEBHOOKS, { decouverte: false, pro: true, business: true, entreprise: true });
});

test('a secret is whsec_ and 40 hex characters', (t) => {
  t.regex(webhookSecret('0123456789abcdef0123456789abcdef01234567'), new RegExp(WEBHOOK_SECRET_PATTERN));
  t.notRegex(webhookSecret('0123456789ABCDEF0123456789ABCDEF01234567'), new RegExp(WEBHOOK_SECRET_PATTERN));
});

for (const [status, verdict] of [
  [100, 'retry'],
  [199, 'retry'],
  [200, 'delivered'],
  [204, 'delivered'],
  [299, 'delivered'],
  [300, 'rejected'],
  [301, 'rejected'],
  [304, 'rejected'],
  [400, 'rejected'],
  [401, 'rejected'],
  [408, 'rejected'],
  [410, 'rejected'],
  [429, 'rejected'],
  [499, 'rejected'],
  [500, 'retry'],
  [503, 'retry'],
  [599, 'retry'],
  [600, 'retry'],
] as const) {
  test(`an answer ${status} means ${verdict}`, (t) => t.is(verdictOfStatus(status), verdict));
}

test('the retry numbers are the contract’s', (t) => {
  t.deepEqual(WEBHOOK_RETRY, {
    defaultMaxAttempts: 3,
    initialIntervalMs: 1_000,
    backoffCoefficient: 2,
    maximumIntervalMs: 4_000,
    answerTimeoutMs: 10_000,
    attemptTimeoutMs: 15_000,
  });
});
