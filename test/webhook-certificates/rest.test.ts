/** Replicas that keep certificates in virtual time: their requests, and the texts that they write. */
import { mutatingWebhookConfigurations } from '@kgen/kubernetes/admissionregistration.k8s.io/v1';
import { secrets } from '@kgen/kubernetes/core/v1';
import { RESTClient, resource } from '@kgen/runtime';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { expect, it, onTestFinished } from 'vitest';
import { Replica } from './replicas.ts';

const name = 'hooks';
const secretName = `${name}-webhook-certificates`;
const hourMs = 3_600_000;
const targets = [
  { kind: 'ValidatingWebhookConfiguration', name },
  { kind: 'MutatingWebhookConfiguration', name },
  { kind: 'CustomResourceDefinition', name: 'foos.example.com' },
] as const;

const webhooks = [
  {
    name: 'hooks.example.com',
    clientConfig: { service: { namespace: name, name } },
    rules: [
      {
        ...{ apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['foos'] },
        operations: ['CREATE' as const],
      },
    ],
    ...{ sideEffects: 'None' as const, admissionReviewVersions: ['v1'] },
  },
];
const configuration = (kind: string) => ({
  ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind },
  ...{ metadata: { name }, webhooks },
});

async function world() {
  const server: TestServer = await startTestServer({
    ...{ time: 'virtual', controllers: false, namespaces: [name] },
    objects: [configuration('ValidatingWebhookConfiguration'), configuration('MutatingWebhookConfiguration')],
  });
  onTestFinished(() => server.stop());
  const { time, transport, config } = server;
  const rest = new RESTClient(config, { transport });
  onTestFinished(() => rest.close());
  const start = async (seed = 0.5): Promise<Replica> => {
    const replica = new Replica(
      { config, name, namespace: name, targets },
      {
        ...{ transport, now: time.now },
        environment: { clock: time, random: () => seed },
        validity: { authorityMs: 12 * hourMs, leafMs: 3 * hourMs, clockMs: 60_000 },
      },
    );
    onTestFinished(() => replica.stop());
    const started = replica.start();
    started.catch(() => undefined);
    await time.advance(60_000);
    await started;
    return replica;
  };
  return { server, rest, start };
}

it('sends at most 12 watch requests per hour for each object, and nothing else, while nothing is due', async () => {
  const { server, start } = await world();
  const replica = await start(0);
  const writes = replica.writes.length;
  server.requests.clear();
  await server.time.advance(hourMs);
  const requests = server.requests.matching(() => true);
  expect(new Set(requests.map(({ verb }) => verb))).toEqual(new Set(['watch']));
  expect(requests.length).toBeGreaterThan(0);
  expect(requests.length).toBeLessThanOrEqual(12 * (targets.length + 1));
  expect(replica.writes).toHaveLength(writes);
});

it('writes no part of a key or of its Secret to logs, metrics and errors in the whole life of certificates', async () => {
  const { server, rest, start } = await world();
  const { time } = server;
  const client = resource(rest, secrets).in(name);
  const contents = new Set<string>();
  /** Sets an end to the changes of a step, and keeps the content of the Secret. */
  const passes = async (ms = 120_000): Promise<void> => {
    await time.advance(ms);
    const { data = {} } = await client.get(secretName);
    for (const value of Object.values(data)) contents.add(String(value));
  };
  const replicas = [await start(), await start(0.9)];
  await passes();
  const { data: backup = {} } = await client.get(secretName);
  let denials = 0;
  const repeats = server.webhooks.add({
    ...{ name: 'secrets.example.com', type: 'validating' },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'], operations: ['*'] }],
    handle: ({ object, operation }) => {
      if (operation === 'DELETE') return undefined;
      const { data } = Object(object);
      for (const value of Object.values(Object(data))) contents.add(String(value));
      const texts = Object.values(Object(data)).map((value) =>
        Buffer.from(String(value), 'base64').toString(),
      );
      const parts = Object.values(Object(data)).map((value) => String(value).slice(20, 180));
      denials += 1;
      const message = denials % 2 === 0 ? `${JSON.stringify(object)} ${texts.join()}` : parts.join();
      return { allowed: false, message };
    },
  });
  await client.delete(secretName);
  await time.advance(120_000);
  repeats();
  await passes();
  for (const key of ['tls.key', 'tls.crt', 'authority.key', 'authority.crt']) {
    await client.patch(secretName, { data: { [key]: '' } }, { type: 'merge' });
    await passes();
  }
  const reset = webhooks.map((each) => ({
    ...each,
    clientConfig: { ...each.clientConfig, caBundle: 'Cg==' },
  }));
  const argocd = { fieldManager: 'argocd', force: true };
  await resource(rest, mutatingWebhookConfigurations).apply({ metadata: { name }, webhooks: reset }, argocd);
  for (let hour = 0; hour < 20; hour += 1) await passes(hourMs);
  await client.patch(secretName, { data: backup }, { type: 'merge' });
  await passes();
  await client.patch(secretName, { metadata: { annotations: null } }, { type: 'merge' });
  await passes();
  const errors = await new Promise<string>((resolve) => {
    const replica = new Replica(
      { config: server.config, name, namespace: name, targets },
      { transport: server.transport, now: time.now, environment: { clock: time, random: () => 0.5 } },
    );
    onTestFinished(() => replica.stop());
    replica.start().then(
      () => resolve(''),
      (error) => resolve(`${error.stack} ${JSON.stringify(error)}`),
    );
    void time.advance(60_000);
  });

  const metrics = await Promise.all(replicas.map(({ registry }) => registry.metrics()));
  const text = [...replicas.flatMap(({ log }) => log), ...metrics, errors].join('\n');
  for (const part of [
    'denied the request',
    'was exchanged',
    'the authority is due',
    'argocd',
    'delete or rename it',
  ])
    expect(text).toContain(part);
  expect(contents.size).toBeGreaterThan(20);
  for (const content of contents) {
    const decoded = Buffer.from(content, 'base64').toString();
    for (const line of [...decoded.split('\n'), ...(content.match(/.{1,32}/g) ?? [])])
      if (line.length >= 32) expect(text.includes(line), line).toBe(false);
  }
  expect(text).not.toMatch(/BEGIN|PRIVATE KEY/);
});
