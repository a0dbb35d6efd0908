import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { parse, parseAllDocuments } from 'yaml';
import { loadApiConfig, loadWorkerConfig } from '../../platform/config.ts';
import { at, fieldsOf, listAt, textAt } from '../harness/json.ts';
import { settingsReadBy } from '../platform/settings-read.ts';

/** What the Kubernetes base says, held to the code that reads it and to the rules of the docs. */

const BASE = join('kubernetes', 'base');
const names = (await readdir(BASE)).filter((name) => name !== 'kustomization.yaml');
const texts = await Promise.all(names.map((name) => readFile(join(BASE, name), 'utf8')));
const toJson = (document: { toJS: () => unknown }): unknown => document.toJS();
const documents: readonly unknown[] = texts.flatMap((text) =>
  parseAllDocuments(text).map((document) => toJson(document)),
);

function find(kind: string, name: string): unknown {
  const found = documents.find(
    (document) => at(document, 'kind') === kind && at(document, 'metadata.name') === name,
  );
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
}

/** Secrets as `docker/make-secrets.sh` makes them, and a database that is reached by TLS. */
const VALUES = {
  DATABASE_URL: 'postgres://database.example.com/shipments?sslmode=verify-full',
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  JWT_SECRET: '0f9b2c7d41e8a653c5d8e1f20a7b3649',
  TRACKING_SECRET: '9463b7a02f1e8d5c356a8e14d7c2b9f0',
};

const workloads = documents.filter((document) =>
  ['Deployment', 'Job'].includes(String(at(document, 'kind'))),
);

test('the kustomization names every file of its folder', async (t) => {
  const kustomization: unknown = parse(await readFile(join(BASE, 'kustomization.yaml'), 'utf8'));
  t.deepEqual(listAt(kustomization, 'resources').map(String).toSorted(), names.toSorted());
});

test('every pod keeps the standard «restricted», has limits, and gets no token of the cluster', (t) => {
  t.is(workloads.length, 5);
  for (const workload of workloads) {
    const what = textAt(workload, 'metadata.name');
    const pod = at(workload, 'spec.template.spec');
    t.is(at(pod, 'automountServiceAccountToken'), false, what);
    t.like(
      at(pod, 'securityContext'),
      { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      what,
    );
    for (const container of listAt(pod, 'containers')) {
      t.deepEqual(at(container, 'securityContext'), {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      for (const bound of ['requests', 'limits']) {
        t.deepEqual(Object.keys(fieldsOf(at(container, `resources.${bound}`))), ['cpu', 'memory'], what);
      }
    }
  }
});

for (const [name, load, port, secrets] of [
  ['api', loadApiConfig, 8080, ['DATABASE_URL', 'ENCRYPTION_KEYS', 'JWT_SECRET', 'TRACKING_SECRET']],
  ['worker', loadWorkerConfig, 8081, ['DATABASE_URL', 'ENCRYPTION_KEYS']],
] as const) {
  test(`the ${name} is given settings and secrets that it reads, and is probed where it answers`, (t) => {
    const deployment = find('Deployment', name);
    const container = at(deployment, 'spec.template.spec.containers.0');
    const environment = Object.fromEntries([
      ...listAt(container, 'envFrom').flatMap((source) =>
        Object.entries(fieldsOf(at(find('ConfigMap', textAt(source, 'configMapRef.name')), 'data'))),
      ),
      ...(name === 'worker'
        ? listAt(container, 'env').map((entry) => [textAt(entry, 'name'), textAt(entry, 'value')] as const)
        : []),
    ]);
    const read = settingsReadBy(load);
    for (const setting of Object.keys(environment)) t.true(read.has(setting.replace(/_FILE$/, '')), setting);
    const files = Object.entries(environment).filter(([setting]) => setting.endsWith('_FILE'));
    t.deepEqual(files.map(([setting]) => setting.replace(/_FILE$/, '')).toSorted(), [...secrets]);
    const mounted = listAt(deployment, 'spec.template.spec.volumes.0.secret.items').map((item) =>
      textAt(item, 'path'),
    );
    t.deepEqual(
      files.map(([, path]) => String(path).replace('/run/secrets/shipments/', '')).toSorted(),
      mounted,
    );
    t.is(at(container, 'ports.0.containerPort'), port);
    t.is(at(container, 'livenessProbe.httpGet.path'), '/health/live');
    t.is(at(container, 'readinessProbe.httpGet.path'), '/health/ready');
    t.true(
      Number(at(deployment, 'spec.template.spec.terminationGracePeriodSeconds')) >= 30,
      'it ends what it began',
    );
    const plain = Object.entries(environment).filter(([setting]) => !setting.endsWith('_FILE'));
    t.is(
      load({ ...Object.fromEntries(plain.map(([key, value]) => [key, String(value)])), ...VALUES }).mode,
      'production',
    );
  });

  test(`the ${name} has an autoscaler and a disruption budget that leave one at work`, (t) => {
    t.is(at(find('HorizontalPodAutoscaler', name), 'spec.scaleTargetRef.name'), name);
    t.true(Number(at(find('HorizontalPodAutoscaler', name), 'spec.minReplicas')) >= 2);
    const budget = find('PodDisruptionBudget', name);
    t.is(at(budget, 'spec.minAvailable'), 1);
    const labels = at(find('Deployment', name), 'spec.template.metadata.labels');
    t.deepEqual(at(budget, 'spec.selector.matchLabels'), labels);
  });
}

test('nothing reaches a pod but requests to the API, and only the worker reaches receivers', (t) => {
  const policies = documents.filter((document) => at(document, 'kind') === 'NetworkPolicy');
  t.deepEqual(at(find('NetworkPolicy', 'nothing-else'), 'spec'), {
    podSelector: {},
    policyTypes: ['Ingress', 'Egress'],
  });
  const withIngress = policies.filter((policy) => at(policy, 'spec.ingress') !== undefined);
  t.deepEqual(
    withIngress.map((policy) => at(policy, 'spec.podSelector.matchLabels')),
    [{ 'app.kubernetes.io/name': 'api' }],
  );
  const toReceivers = find('NetworkPolicy', 'webhooks-to-receivers');
  t.deepEqual(at(toReceivers, 'spec.podSelector.matchLabels'), { 'app.kubernetes.io/name': 'worker' });
});
