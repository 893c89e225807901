/** Reviews of a real API server: the objects that handlers receive, and the effect of their responses. */
import {
  AdmissionDenied,
  converts,
  defaults,
  type Operation,
  pathOf,
  reviewService,
  validates,
  type Webhook,
} from '@kgen/controller/webhooks';
import { Clientset } from '@kgen/kubernetes';
import { pods } from '@kgen/kubernetes/core/v1';
import { ApiError } from '@kgen/runtime';
import { defineResource, type NamespacedResource } from '@kgen/runtime/client';
import { invalidValue } from '@kgen/runtime/objects';
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ReviewServer, startReviewServer } from './review-servers.ts';

interface Ring {
  apiVersion?: 'reviews.example.com/v1' | undefined;
  kind?: 'Ring' | undefined;
  metadata?: { name?: string; namespace?: string; uid?: string; labels?: Record<string, string> };
  spec?: { size?: number; color?: string | null; zone?: string };
}
interface OldRing {
  spec?: { count?: number; color?: string | null };
}

const group = 'reviews.example.com';
const facts = { group, kind: 'Ring', listKind: 'RingList', plural: 'rings', singular: 'ring', verbs: [] };
const rest = { ...facts, scope: 'Namespaced' } as const;
const rings = defineResource<NamespacedResource<Ring, unknown, unknown>>({ ...rest, version: 'v1' });
const oldRings = defineResource<NamespacedResource<OldRing, unknown, unknown>>({
  ...rest,
  version: 'v1alpha1',
});

/** Facts of each call of a handler. */
interface Seen {
  readonly type: string;
  readonly operation: Operation;
  readonly subresource: string;
  readonly name: string;
  readonly dryRun: boolean;
  readonly hasOld: boolean;
  readonly metadata: readonly string[];
}
const seen: Seen[] = [];
const metadataOf = (object: object): readonly string[] => {
  const metadata: object = Reflect.get(object, 'metadata') ?? {};
  return ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp'].filter(
    (key) => key in metadata,
  );
};
function note(
  type: string,
  object: object,
  context: Omit<Seen, 'type' | 'hasOld' | 'metadata'> & { readonly old?: object | undefined },
): void {
  const { operation, subresource, name, dryRun, old } = context;
  seen.push({
    type,
    operation,
    subresource,
    name,
    dryRun,
    hasOld: old !== undefined,
    metadata: metadataOf(object),
  });
}

const all = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;
const webhooks: readonly Webhook[] = [
  defaults(rings, {
    handle: (ring, context) => {
      note('defaults', ring, context);
      if (ring.spec?.color === 'broken') throw new Error('no color');
      const { zone: _, ...spec } = ring.spec ?? {};
      return { spec: { size: 1, ...spec, ...(spec.color === null ? { color: 'red' } : {}) } };
    },
  }),
  validates(rings, {
    operations: all,
    handle: (ring, context) => {
      note('validates', ring, context);
      context.warn('line\none');
      if (context.operation === 'DELETE' && ring.spec?.color === 'kept')
        throw new AdmissionDenied('it is kept', { code: 409, reason: 'Conflict' });
      return ring.spec?.size === 0 ? [invalidValue('spec.size', 0, 'must be positive')] : [];
    },
  }),
  validates(rings, {
    operations: ['UPDATE'],
    subresource: 'scale',
    handle: (scale, context) => note('scale', scale, context),
  }),
  validates(rings, {
    operations: ['UPDATE'],
    subresource: 'status',
    handle: (ring, context) => note('status', ring, context),
  }),
  validates(pods, {
    operations: ['CONNECT'],
    subresource: 'exec',
    handle: (options, context) => {
      note('exec', options, context);
      return options.command?.[0] === 'rm' ? [invalidValue('command', options.command, 'is dangerous')] : [];
    },
  }),
  validates(pods, {
    operations: ['CREATE'],
    subresource: 'eviction',
    handle: (eviction, context) => {
      note('eviction', eviction, context);
      throw new AdmissionDenied('not now', { code: 429, reason: 'TooManyRequests' });
    },
  }),
  validates(rings, {
    name: `colors.${group}`,
    handle: ({ spec: { color } = {} }) =>
      color === 'grey' ? [invalidValue('spec.color', color, 'is dull')] : [],
  }),
  converts(rings, {
    versions: {
      v1alpha1: {
        resource: oldRings,
        toHub: ({ spec = {} }) => ({
          spec: {
            ...(spec.count === undefined ? {} : { size: spec.count }),
            ...(spec.color === undefined ? {} : { color: spec.color }),
          },
        }),
        fromHub: ({ spec = {} }) => ({
          spec: {
            ...(spec.size === undefined ? {} : { count: spec.size }),
            ...(spec.color === undefined ? {} : { color: spec.color }),
          },
        }),
      },
    },
  }),
];

const availability = controlPlaneAvailability();
const isRequired = process.env['KGEN_NOTHING_SKIPPED'] !== undefined;
/** The first start builds the servers. */
const startTimeout = 1_200_000;

describe.skipIf(!availability.available && !isRequired)(
  'reviews of a real API server',
  { timeout: 180_000 },
  () => {
    let plane: ControlPlane;
    let clients: Clientset;
    let server: ReviewServer;
    const path = `/apis/${group}/v1/namespaces/reviews/rings`;

    beforeAll(async () => {
      const silent = {
        debug: () => undefined,
        info: () => undefined,
        warn: () => undefined,
        error: () => undefined,
      };
      const service = reviewService(webhooks, {
        log: silent,
        clock: { now: () => performance.now(), timer: () => () => undefined },
      });
      server = await startReviewServer((at, body) =>
        service.respond(at, body, { signal: new AbortController().signal }),
      );
      plane = await startControlPlane();
      clients = new Clientset(plane.config);
      await clients.coreV1.namespaces().create({ metadata: { name: 'reviews', labels: { reviews: 'yes' } } });
      await install();
    }, startTimeout);
    afterAll(async () => {
      await clients?.close();
      await server?.close();
      await plane?.stop();
    });

    const send = (
      method: 'post' | 'put' | 'patch' | 'delete',
      at: string,
      body?: object,
      options: object = {},
    ): Promise<Ring> =>
      // Paths that are built at run time have no types.
      Reflect.apply(clients.rest[method], clients.rest, [
        at,
        { ...(body && { body }), ...options },
      ]) as Promise<Ring>;
    const ring = (name: string, spec: object, version = 'v1') => ({
      apiVersion: `${group}/${version}`,
      kind: 'Ring',
      metadata: { name },
      spec,
    });

    async function install(): Promise<void> {
      const schema = (field: string) => ({
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: {
                [field]: { type: 'integer' },
                color: { type: 'string', nullable: true },
                ...(field === 'size' && { zone: { type: 'string' } }),
              },
            },
            status: { type: 'object', properties: { replicas: { type: 'integer' } } },
          },
        },
      });
      const version = (name: string, field: string) => ({
        ...{ name, served: true, storage: name === 'v1', schema: schema(field) },
        subresources: {
          status: {},
          scale: { specReplicasPath: `.spec.${field}`, statusReplicasPath: '.status.replicas' },
        },
      });
      await send('post', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `rings.${group}` },
        spec: {
          ...{
            group,
            scope: 'Namespaced',
            names: { kind: 'Ring', listKind: 'RingList', plural: 'rings', singular: 'ring' },
          },
          versions: [version('v1', 'size'), version('v1alpha1', 'count')],
          conversion: {
            strategy: 'Webhook',
            webhook: {
              conversionReviewVersions: ['v1'],
              clientConfig: server.clientConfig(`/convert/${group}/rings`),
            },
          },
        },
      });
      for (const [type, kind, versions] of [
        ['defaults', 'MutatingWebhookConfiguration', ['v1beta1']],
        ['validates', 'ValidatingWebhookConfiguration', ['v1']],
      ] as const)
        await send('post', `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}s`, {
          ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: type } },
          webhooks: webhooks
            .filter((each) => each.type === type)
            .map((each, index) => ({
              ...{
                name: `${type}${index}.${group}`,
                clientConfig: server.clientConfig(pathOf(each)),
                sideEffects: 'None',
              },
              admissionReviewVersions: versions,
              namespaceSelector: { matchLabels: { reviews: 'yes' } },
              rules: [
                {
                  apiGroups: [each.resource.group],
                  apiVersions: ['v1'],
                  operations: ['*'].flatMap(() =>
                    'operations' in each.options
                      ? [...(each.options.operations ?? ['CREATE', 'UPDATE'])]
                      : ['CREATE', 'UPDATE'],
                  ),
                  resources: [
                    [each.resource.plural, Reflect.get(each.options, 'subresource')]
                      .filter(Boolean)
                      .join('/'),
                  ],
                },
              ],
            })),
        });
      // Configurations take effect a moment after their creation.
      await vi.waitUntil(
        async () => {
          await send('post', path, ring('probe', {}), { query: { dryRun: 'All' } }).catch(() => undefined);
          return (
            seen.some(({ type }) => type === 'defaults') && seen.some(({ type }) => type === 'validates')
          );
        },
        { timeout: 60_000, interval: 100 },
      );
      seen.length = 0;
    }

    const taken = (): readonly Seen[] => seen.splice(0);
    const stored = ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp'];
    const created = ['name', 'namespace', 'uid', 'creationTimestamp'];
    const errorOf = async (call: Promise<unknown>): Promise<ApiError> => {
      const error = await call.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error instanceof ApiError) return error;
      throw new Error('the request was allowed');
    };

    it('have the metadata of the types, and patches are applied', async () => {
      const one = await send('post', path, ring('one', { color: null, zone: 'a' }));
      expect(one.spec).toEqual({ size: 1, color: 'red' });
      expect(taken()).toMatchObject([
        {
          type: 'defaults',
          operation: 'CREATE',
          hasOld: false,
          name: 'one',
          metadata: ['name', 'namespace'],
        },
        { type: 'validates', operation: 'CREATE', hasOld: false, name: 'one', metadata: created },
      ]);
      await send(
        'post',
        path,
        { ...ring('', {}), metadata: { generateName: 'g-' } },
        { query: { dryRun: 'All' } },
      );
      expect(taken()).toMatchObject([
        { type: 'defaults', name: '', dryRun: true, metadata: ['namespace'] },
        { type: 'validates', name: expect.stringMatching(/^g-./), dryRun: true, metadata: created },
      ]);
      await send(
        'patch',
        `${path}/one`,
        { spec: { size: 2 } },
        { contentType: 'application/merge-patch+json' },
      );
      await send('patch', `${path}/one`, ring('one', { size: 3 }), {
        contentType: 'application/apply-patch+yaml',
        query: { fieldManager: 'x', force: true },
      });
      expect(taken()).toMatchObject(
        [1, 2].flatMap(() =>
          ['defaults', 'validates'].map((type) => ({
            type,
            operation: 'UPDATE',
            hasOld: true,
            metadata: stored,
          })),
        ),
      );
      await send(
        'patch',
        `${path}/one/scale`,
        { spec: { replicas: 4 } },
        { contentType: 'application/merge-patch+json' },
      );
      await send(
        'patch',
        `${path}/one/status`,
        { status: { replicas: 4 } },
        { contentType: 'application/merge-patch+json' },
      );
      expect(taken()).toMatchObject([
        { type: 'scale', operation: 'UPDATE', subresource: 'scale', hasOld: true, metadata: stored },
        { type: 'status', operation: 'UPDATE', subresource: 'status', hasOld: true, metadata: stored },
      ]);
      await send('delete', path);
      expect(taken()).toMatchObject([
        { type: 'validates', operation: 'DELETE', name: 'one', hasOld: true, metadata: stored },
      ]);
    });

    it('deny requests with the status of the handler', async () => {
      const invalid = await errorOf(send('post', path, ring('two', { size: 0 })));
      expect(invalid.status).toMatchObject({
        ...{ code: 422, reason: 'Invalid' },
        message: `admission webhook "validates0.${group}" denied the request: Ring.${group} "two" is invalid: spec.size: Invalid value: 0: must be positive`,
        details: {
          ...{ name: 'two', group, kind: 'Ring' },
          causes: [{ reason: 'FieldValueInvalid', field: 'spec.size' }],
        },
      });
      expect(await errorOf(send('post', path, ring('two', { color: 'broken' })))).toMatchObject({
        code: 500,
      });
      await send('post', path, ring('kept', { color: 'kept' }));
      expect(await errorOf(send('delete', `${path}/kept`))).toMatchObject({ code: 409, reason: 'Conflict' });
    });

    it('are sent to each of two webhooks of one resource, which a name distinguishes', async () => {
      const messageOf = async (spec: object) =>
        (await errorOf(send('post', path, ring('three', spec)))).message;
      expect(await messageOf({ size: 0 })).toContain(`"validates0.${group}" denied the request`);
      expect(await messageOf({ color: 'grey' })).toContain(`"validates5.${group}" denied the request`);
    });

    it('are sent for connects and evictions', async () => {
      await send('post', '/api/v1/namespaces/reviews/serviceaccounts', { metadata: { name: 'default' } });
      const pod = '/api/v1/namespaces/reviews/pods';
      await send('post', pod, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
      taken();
      const exec = await errorOf(
        send('post', `${pod}/p/exec`, undefined, { query: { command: 'rm', stdout: true } }),
      );
      expect(exec).toMatchObject({ code: 422, reason: 'Invalid' });
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
      expect(await errorOf(send('post', `${pod}/p/eviction`, eviction, { maxRetries: 0 }))).toMatchObject({
        code: 429,
      });
      expect(taken()).toMatchObject([
        { type: 'exec', operation: 'CONNECT', name: 'p', hasOld: false, metadata: [] },
        { type: 'eviction', operation: 'CREATE', name: 'p', hasOld: false },
      ]);
    });

    it('convert objects, and keep the fields that a version cannot express', async () => {
      const old = path.replace('/v1/', '/v1alpha1/');
      await send('post', path, ring('both', { size: 5, color: 'blue' }));
      const read = await clients.rest.get(`${old}/both` as never);
      expect(read).toMatchObject({ apiVersion: `${group}/v1alpha1`, spec: { count: 5, color: 'blue' } });
      await send('post', old, ring('older', { count: 6 }, 'v1alpha1'));
      expect(await clients.rest.get(`${path}/older` as never)).toMatchObject({ spec: { size: 6 } });
    });
  },
);
