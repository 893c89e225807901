/** Rotation of the certificate and of its authority while two API servers send reviews to three replicas. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { splitBundle } from '@kgen/certificates/facts';
import {
  converts,
  defaults,
  pathOf,
  reviewService,
  validates,
  type Webhook,
} from '@kgen/controller/webhooks';
import { Clientset } from '@kgen/kubernetes';
import { type ClusterConfig, resource } from '@kgen/runtime';
import { defineResource, type NamespacedResource } from '@kgen/runtime/client';
import { systemEnvironment } from '@kgen/runtime/informers';
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ReviewMetrics } from '../../src/controller/webhooks/server/review-metrics.ts';
import { ReviewServer } from '../../src/controller/webhooks/server/review-server.ts';
import { apiServerCommand } from '../../src/testing/controlplane/servers.ts';
import { Supervisor } from '../../src/testing/controlplane/supervisor.ts';
import { type Balancer, startBalancer } from '../support/balancer.ts';
import { deadline } from '../support/cluster-tests.ts';
import { freePort } from '../support/ports.ts';
import { Load, type LoadRequest } from './load.ts';
import { Replica } from './replicas.ts';

interface Ring {
  metadata?: { name?: string; namespace?: string; labels?: Record<string, string> };
  spec?: { size?: number };
}

const name = 'rings';
const group = 'rotation.example.com';
const facts = {
  ...{ group, kind: 'Ring', listKind: 'RingList', plural: 'rings', singular: 'ring' },
  ...({ scope: 'Namespaced', verbs: [] } as const),
};
interface Verbs {
  create(object: Ring, options?: object): Promise<Ring>;
  get(name: string, options?: object): Promise<Ring>;
  list(options?: object): Promise<{ readonly items: readonly Ring[] }>;
  readonly watch: unknown;
}
const rings = defineResource<NamespacedResource<Ring, unknown, Verbs>>({ ...facts, version: 'v1' });
const oldRings = defineResource<NamespacedResource<Ring, unknown, Verbs>>({ ...facts, version: 'v1alpha1' });

const webhooks: readonly Webhook[] = [
  defaults(rings, { handle: () => ({ metadata: { labels: { defaulted: 'yes' } } }) }),
  validates(rings, { handle: () => undefined }),
  converts(rings, { versions: { v1alpha1: { resource: oldRings, toHub: () => ({}), fromHub: () => ({}) } } }),
];

/** An object that is read in another version than it is stored in. */
const stored = { metadata: { name: 'stored' }, spec: { size: 1 } };

const dayMs = 86_400_000;
/**
 * Certificates that are valid for the clock of the API servers, whatever step the clock of the replicas
 * begins: days since the present, and the remaining ones of the certificate and of the authority.
 */
const validity = { authorityMs: 365 * dayMs, leafMs: 300 * dayMs, clockMs: 600_000 };
const days = {
  installed: -285, // 300, 365
  leafDue: -50, // 65, 130
  authorityDue: 0, // 80, 80
  previousRetired: 81, // after the last certificate of the previous authority
};
const [replicaCount, perSecond] = [3, 200];
/** Requests to each API server while nothing changes. */
const enough = 300;
/** Responses after which a connection closes. */
const closeEvery = 32;

const { available } = controlPlaneAvailability();

describe.skipIf(!available && process.env['KGEN_NOTHING_SKIPPED'] === undefined)(
  'a rotation',
  { timeout: 400_000 },
  () => {
    let plane: ControlPlane;
    let configs: readonly ClusterConfig[];
    let second: Supervisor;
    beforeAll(async () => {
      subscribe('http.server.request.start', closeSometimes);
      plane = await startControlPlane();
      const port = await freePort();
      const ports = {
        ...{ etcd: Number(new URL(plane.etcd).port), etcdPeer: 0 },
        ...{ apiServer: port, controllerManager: 0 },
      };
      second = new Supervisor(join(plane.folder, 'second'));
      second.run(apiServerCommand(plane.assets, plane.folder, ports, []));
      configs = [plane.config, { ...plane.config, server: `https://127.0.0.1:${port}` }];
    }, 1_200_000);
    afterAll(async () => {
      unsubscribe('http.server.request.start', closeSometimes);
      await second?.close();
      await plane?.stop();
    });

    it('fails no request of 200 a second, in each of its steps, on any of the API servers', async () => {
      for (const config of configs) {
        const clients = new Clientset(config);
        onTestFinished(() => clients.close());
        await expect
          .poll(
            () =>
              clients.coreV1
                .namespaces()
                .get('default')
                .then(() => true, String),
            deadline,
          )
          .toBe(true);
      }
      const clock = { day: days.installed };
      const balancer = await startBalancer();
      const admin = new Clientset(plane.config);
      onTestFinished(() => admin.close());
      await admin.coreV1.namespaces().create({ metadata: { name } });
      await register(admin, balancer);
      const replicas = await Promise.all(
        Array.from({ length: replicaCount }, () =>
          startReplica(plane.config, () => Date.now() + clock.day * dayMs),
        ),
      );
      balancer.targets = replicas.map(({ server }) => server.port ?? 0);
      const state = () => stateOf(admin, replicas);
      await expect.poll(state, deadline).toMatchObject({ bundles: [1, 1, 1], served: 1, previous: false });
      await stale(admin, balancer);

      await resource(admin.rest, rings).in(name).create(stored);
      const load = new Load(configs, requestsOf(), perSecond);
      await load.passes('before the rotation', enough);
      /** Sets the clock of the replicas, which observe it with the next change of an object. */
      const passTo = async (day: number): Promise<void> => {
        clock.day = day;
        const labels = { day: `d${day}` };
        await admin.coreV1.secrets(name).patch(`${name}-webhook-certificates`, { metadata: { labels } });
      };
      const served = () => replicas[0]?.server.certificate;
      const first = served();
      await passTo(days.leafDue);
      await expect
        .poll(async () => ({ ...(await state()), isNew: served() !== first }), deadline)
        .toMatchObject({
          ...{ bundles: [1, 1, 1], served: 1, isNew: true },
        });
      await load.passes('new certificate', enough);
      await passTo(days.authorityDue);
      await expect.poll(state, deadline).toMatchObject({ bundles: [2, 2, 2], served: 1, previous: true });
      await load.passes('next authority', enough);
      await passTo(days.previousRetired);
      await expect.poll(state, deadline).toMatchObject({ bundles: [1, 1, 1], served: 1, previous: false });
      await load.passes('previous authority removed', enough);
      await load.stop();

      expect(reasonsOf(replicas)).toEqual([
        'all bundles contain the next authority',
        'no bundle contains the previous authority',
        'the Secret has no authority',
        'the authority is due',
        'the certificate is due',
      ]);
      expect({ failures: load.failures.slice(0, 3), count: load.failures.length }).toEqual({
        failures: [],
        count: 0,
      });
    });
  },
);

let responses = 0;

/** Closes connections of API servers after some responses: the next request verifies a certificate. */
function closeSometimes(message: unknown): void {
  responses += 1;
  // The channel of node:http carries the response.
  const { response } = message as { readonly response: ServerResponse };
  if (responses % closeEvery === 0) response.setHeader('connection', 'close');
}

interface Started {
  readonly replica: Replica;
  readonly server: ReviewServer;
}

/** Starts a replica. */
async function startReplica(config: ClusterConfig, now: () => number): Promise<Started> {
  const targets = [
    { kind: 'ValidatingWebhookConfiguration', name },
    { kind: 'MutatingWebhookConfiguration', name },
    { kind: 'CustomResourceDefinition', name: `rings.${group}` },
  ] as const;
  const installation = { config, name, namespace: name, targets };
  const replica = new Replica(installation, { validity, settleMs: 1_000, now });
  const { clock } = systemEnvironment;
  const ignore = (): void => undefined;
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const service = reviewService(webhooks, { log, clock });
  const server = new ReviewServer({
    ...{ port: 0, host: '127.0.0.1', certificates: replica.certificates, clientAuthorities: undefined },
    ...{ maxBytes: 1_000_000, paths: service.paths, clock, log },
    metrics: new ReviewMetrics(new Registry(), service.paths),
    respond: ({ path, body, signal }) => service.respond(path, body, { signal }),
    stopping: new AbortController().signal,
  });
  onTestFinished(async () => {
    await server.close(AbortSignal.abort());
    await replica.stop();
  });
  await server.start();
  return { replica, server };
}

/** Creates the definition and the configurations, without bundles. */
async function register(admin: Clientset, balancer: Balancer): Promise<void> {
  const version = (of: string) => ({
    ...{ name: of, served: true, storage: of === 'v1' },
    schema: {
      openAPIV3Schema: {
        type: 'object' as const,
        properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
      },
    },
  });
  await admin.apiextensionsV1.customResourceDefinitions().create({
    metadata: { name: `rings.${group}` },
    spec: {
      ...{ group, scope: 'Namespaced', names: { kind: 'Ring', plural: 'rings' } },
      versions: [version('v1'), version('v1alpha1')],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { url: urlOf(balancer, webhooks[2]) },
          conversionReviewVersions: ['v1'],
        },
      },
    },
  });
  const metadata = { name };
  const { admissionregistrationV1: api } = admin;
  await api.mutatingWebhookConfigurations().create({ metadata, webhooks: [webhook(balancer, webhooks[0])] });
  await api
    .validatingWebhookConfigurations()
    .create({ metadata, webhooks: [webhook(balancer, webhooks[1])] });
}

/**
 * Adds a configuration whose bundle stays as it is: that of an API server that has not received any change
 * since.
 */
async function stale(admin: Clientset, balancer: Balancer): Promise<void> {
  const api = admin.admissionregistrationV1.validatingWebhookConfigurations();
  const { webhooks: [present] = [] } = await api.get(name);
  const { clientConfig: { caBundle } = {} } = present ?? {};
  await api.create({
    metadata: { name: 'stale' },
    webhooks: [webhook(balancer, webhooks[1], { caBundle, name: `stale.${group}` })],
  });
}

function webhook(
  balancer: Balancer,
  declaration: Webhook | undefined,
  { caBundle, ...more }: { readonly caBundle?: string | undefined; readonly name?: string } = {},
) {
  return {
    name: `rings.${group}`,
    clientConfig: { url: urlOf(balancer, declaration), ...(caBundle !== undefined && { caBundle }) },
    rules: [
      {
        ...{ apiGroups: [group], apiVersions: ['v1'], resources: ['rings'] },
        operations: ['CREATE' as const],
      },
    ],
    ...{ failurePolicy: 'Fail' as const, sideEffects: 'None' as const, admissionReviewVersions: ['v1'] },
    ...more,
  };
}

function urlOf({ port }: Balancer, declaration: Webhook | undefined): string {
  return `https://127.0.0.1:${port}${declaration === undefined ? '' : pathOf(declaration)}`;
}

/** Returns the authorities in each bundle, the number of certificates that are served, and of the Secret. */
async function stateOf(admin: Clientset, replicas: readonly Started[]) {
  const { admissionregistrationV1: api, apiextensionsV1 } = admin;
  const [validating, mutating, definition, secret] = await Promise.all([
    api.validatingWebhookConfigurations().get(name),
    api.mutatingWebhookConfigurations().get(name),
    apiextensionsV1.customResourceDefinitions().get(`rings.${group}`),
    admin.coreV1.secrets(name).get(`${name}-webhook-certificates`),
  ]);
  const bundles = [
    validating.webhooks?.[0]?.clientConfig,
    mutating.webhooks?.[0]?.clientConfig,
    definition.spec.conversion?.webhook?.clientConfig,
  ].map((config) => splitBundle(Buffer.from(config?.caBundle ?? '', 'base64').toString()).length);
  const previous = secret.data?.['previous.crt'] !== undefined;
  return { bundles, served: new Set(replicas.map(({ server }) => server.certificate)).size, previous };
}

/** Returns the reasons of the writes of the Secret, which any replica makes. */
function reasonsOf(replicas: readonly Started[]): readonly string[] {
  const lines = replicas.flatMap(({ replica }) => replica.log);
  const reasons = lines.flatMap(
    (line) => /the Secret of the webhooks was written: ([^{]+) \{/.exec(line)?.[1] ?? [],
  );
  return [...new Set(reasons)].sort();
}

/** Returns requests of both versions, each of which needs a review of a replica or more. */
function requestsOf(): readonly LoadRequest[] {
  const path = (version: string): string => `/apis/${group}/${version}/namespaces/${name}/${name}`;
  const create = (version: string, index: number): LoadRequest => {
    const metadata = { name: `ring-${index}` };
    const object = { apiVersion: `${group}/${version}`, kind: 'Ring', metadata, spec: { size: index } };
    return { method: 'POST', path: `${path(version)}?dryRun=All`, body: JSON.stringify(object) };
  };
  const read: LoadRequest = { method: 'GET', path: `${path('v1alpha1')}/stored` };
  return [read, create('v1', 1), read, create('v1alpha1', 2)];
}
