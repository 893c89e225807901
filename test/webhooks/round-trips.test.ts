/** Round trips of conversions that keep fields, and of those that do not. */
import { converts, type PartialObject, webhooks } from '@kgen/controller/webhooks';
import { defineResource, type NamespacedResource } from '@kgen/runtime/client';
import type { SchemaDocument } from '@kgen/runtime/gen/v1';
import { checkRoundTrips, type RoundTripChange, roundTrips } from '@kgen/testing';
import { describe, expect, it } from 'vitest';

interface Ring {
  metadata?: { name?: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: {
    size?: number;
    zone?: string;
    hosts?: string[];
    ports?: { name: string; port?: number }[];
    open?: Record<string, unknown>;
  };
  status?: { ready?: number };
}

const port = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, port: { type: 'integer', maximum: 9 } },
};
const ring = {
  size: { type: 'integer', minimum: 0, maximum: 5, default: 1 },
  zone: { type: 'string', enum: ['x', 'y'] },
  hosts: { type: 'array', items: { type: 'string', minLength: 1 } },
  ports: { type: 'array', items: port },
  open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};
const { ports: _, ...older } = ring;

function ringsOf(version: string, spec: SchemaDocument) {
  const properties = {
    metadata: { type: 'object' },
    spec: { type: 'object', properties: spec },
    status: { type: 'object', properties: { ready: { type: 'integer' } } },
  };
  const definitions = { Ring: { type: 'object', properties } };
  return defineResource<NamespacedResource<Ring, unknown, unknown>>({
    ...{ group: 'example.com', version, kind: 'Ring', listKind: 'RingList', plural: 'rings' },
    ...({ singular: 'ring', scope: 'Namespaced', verbs: [] } as const),
    schema: () => Promise.resolve({ definitions, kinds: { Ring: 'Ring' }, imports: {} }),
  });
}

const v1 = ringsOf('v1', ring);
const v1alpha1 = ringsOf('v1alpha1', older);

type Convert = (object: Ring) => PartialObject<Ring>;
const copied: Convert = () => ({});

/** Returns the webhooks of a conversion between two versions, of which v1alpha1 has no ports. */
function conversion(toHub: Convert, fromHub: Convert = copied, keepFields = false) {
  const versions = { v1alpha1: { resource: v1alpha1, toHub, fromHub } };
  return webhooks({ handlers: [converts(v1, { versions, keepFields })] });
}

/** Returns the changes without those of the ports, which v1alpha1 does not have. */
const others = { ignore: ({ path }: RoundTripChange) => path.startsWith('.spec.ports') };

const identity = { name: expect.any(String), namespace: 'default' };

describe('checkRoundTrips', () => {
  it('finds nothing if fields that a function leaves out are kept', async () => {
    const fromHub: Convert = ({ spec }) => {
      const { ports: _, ...others } = spec ?? {};
      return spec ? { spec: others } : {};
    };
    expect(await checkRoundTrips(conversion(copied, fromHub, true))).toEqual([]);
  });

  it('reports fields that a function copies to a version that does not have them', async () => {
    const changes = await checkRoundTrips(conversion(copied, copied, true));
    expect(changes).toMatchObject([{ from: 'v1', path: '.spec.ports', message: '[] is lost' }]);
  });

  it('reports a field that the other version does not have, with the smallest sample', async () => {
    expect(await checkRoundTrips(conversion(copied))).toEqual([
      {
        ...{ resource: 'rings.example.com', from: 'v1', to: 'v1alpha1', path: '.spec.ports' },
        message: '[] is lost',
        sample: {
          ...{ apiVersion: 'example.com/v1', kind: 'Ring' },
          metadata: identity,
          spec: { ports: [] },
        },
      },
    ]);
  });

  const spec =
    (change: (spec: NonNullable<Ring['spec']>) => NonNullable<Ring['spec']>): Convert =>
    (object) =>
      object.spec ? { spec: change(object.spec) } : {};
  it.each<{
    name: string;
    toHub: Convert;
    from: string;
    path: string;
    message: string | RegExp;
    sample: object;
  }>([
    {
      name: 'another value of one option',
      toHub: spec(({ zone, ...rest }) => ({ ...rest, ...(zone !== undefined && { zone: 'x' }) })),
      ...{ from: 'v1', path: '.spec.zone', message: '"y" becomes "x"', sample: { spec: { zone: 'y' } } },
    },
    {
      name: 'another order of a list',
      toHub: spec((old) => ({ ...old, ...(old.hosts && { hosts: [...old.hosts].reverse() }) })),
      ...{ from: 'v1', path: '.spec.hosts[0]', message: /^"\w+" becomes "\w+"$/ },
      sample: { spec: { hosts: [expect.any(String), expect.any(String)] } },
    },
    {
      name: 'a list of one item',
      toHub: spec((old) => ({ ...old, ...(old.hosts && { hosts: old.hosts.slice(0, 1) }) })),
      ...{ from: 'v1', path: '.spec.hosts', message: /^\["\w+","\w+"\] becomes \["\w+"\]$/ },
      sample: { spec: { hosts: [expect.any(String), expect.any(String)] } },
    },
    {
      name: 'a field that is added',
      toHub: spec((old) => ({ ...old, zone: old.zone ?? 'x' })),
      ...{ from: 'v1', path: '.spec.zone', message: '"x" is added', sample: { spec: {} } },
    },
    {
      name: 'a label that is lost',
      toHub: ({ metadata }) => ({ metadata: { ...metadata, labels: {} } }),
      ...{ from: 'v1', path: '.metadata.labels.app', message: '"sample" is lost' },
      sample: { metadata: { ...identity, labels: { app: 'sample' } } },
    },
    {
      name: 'a status that is lost',
      toHub: () => ({ status: undefined }),
      ...{ from: 'v1', path: '.status', message: /is lost/, sample: { status: {} } },
    },
    {
      name: 'an object for which the function throws',
      toHub: ({ spec = {} }) => {
        if (spec.size === 5) throw new Error('too large');
        return {};
      },
      ...{
        from: 'v1alpha1',
        path: '',
        message: /^conversion of .* failed: too large$/,
      },
      sample: { spec: { size: 5 } },
    },
  ])('reports $name', async ({ toHub, from, path, message, sample }) => {
    const changes = await checkRoundTrips(conversion(toHub), others);
    expect(changes.find((each) => each.from === from && each.path === path)).toEqual({
      ...{ resource: 'rings.example.com', from, to: from === 'v1' ? 'v1alpha1' : 'v1', path },
      message: typeof message === 'string' ? message : expect.stringMatching(message),
      sample: { apiVersion: `example.com/${from}`, kind: 'Ring', metadata: identity, ...sample },
    });
  });

  it('accepts annotations that a conversion adds', async () => {
    const toHub: Convert = ({ metadata }) => ({
      metadata: { ...metadata, annotations: { ...metadata?.annotations, 'example.com/kept': '1' } },
    });
    expect(await checkRoundTrips(conversion(toHub), others)).toEqual([]);
  });

  it('sets the defaults of the other version, in which the object is written back', async () => {
    const strict = ringsOf('v1alpha1', { ...older, zone: { ...ring.zone, default: 'y' } });
    const versions = { v1alpha1: { resource: strict, toHub: copied, fromHub: copied } };
    const part = webhooks({ handlers: [converts(v1, { versions, keepFields: false })] });
    expect(await checkRoundTrips(part, others)).toMatchObject([
      { from: 'v1', path: '.spec.zone', message: '"y" is added' },
    ]);
  });

  it('converts objects of the caller, too', async () => {
    const toHub = spec((old) => ({ ...old, ...(old.hosts?.[0] === 'rare' && { hosts: ['usual'] }) }));
    const rare = {
      apiVersion: 'example.com/v1',
      kind: 'Ring',
      metadata: { name: 'a' },
      spec: { hosts: ['rare'], size: 2 },
    };
    expect(await checkRoundTrips(conversion(toHub), others)).toEqual([]);
    expect(await checkRoundTrips(conversion(toHub), { ...others, objects: [rare] })).toMatchObject([
      { path: '.spec.hosts[0]', message: '"rare" becomes "usual"', sample: { spec: { hosts: ['rare'] } } },
    ]);
  });

  it('returns the same changes for the same seed', async () => {
    const changes = (seed: number) => checkRoundTrips(conversion(copied), { seed });
    expect(await changes(7)).toEqual(await changes(7));
  });

  it('converts between two versions that are not the hub', async () => {
    const v1beta1 = ringsOf('v1beta1', ring);
    const version = { toHub: copied, fromHub: copied };
    const versions = {
      v1alpha1: { resource: v1alpha1, ...version },
      v1beta1: { resource: v1beta1, ...version },
    };
    const changes = await checkRoundTrips(
      webhooks({ handlers: [converts(v1, { versions, keepFields: false })] }),
    );
    expect(changes.map(({ from, to, path }) => `${from} ${to} ${path}`)).toEqual([
      'v1 v1alpha1 .spec.ports',
      'v1beta1 v1alpha1 .spec.ports',
    ]);
  });

  type Objects = readonly { readonly apiVersion: string; readonly metadata: object }[];
  it.each<{ name: string; change: (objects: Objects) => readonly object[]; message: string }>([
    {
      name: 'another order of the objects',
      change: (objects) => [...objects].reverse(),
      message: 'metadata.name must not change',
    },
    {
      name: 'another name',
      change: (objects) => objects.map((each) => ({ ...each, metadata: { ...each.metadata, name: 'b' } })),
      message: 'metadata.name must not change',
    },
    {
      name: 'other finalizers',
      change: (objects) =>
        objects.map((each) => ({ ...each, metadata: { ...each.metadata, finalizers: ['a/b'] } })),
      message: 'metadata.finalizers must not change',
    },
    { name: 'fewer objects', change: (objects) => objects.slice(1), message: 'fewer objects' },
    {
      name: 'another version',
      change: (objects) => objects.map((each) => ({ ...each, apiVersion: 'example.com/v2' })),
      message: 'is not an object of example.com/v1alpha1',
    },
  ])('reports $name', async ({ change, message }) => {
    const { declarations } = conversion(copied);
    const review = (
      _: unknown,
      { request }: { request?: { desiredAPIVersion: string; objects: Objects } },
    ) => {
      const { desiredAPIVersion = '', objects = [] } = request ?? {};
      const converted = objects.map((each) => ({ ...each, apiVersion: desiredAPIVersion }));
      const response = { convertedObjects: change(converted), result: { status: 'Success' } };
      return Promise.resolve({ status: 200, body: { response } });
    };
    const changes = await checkRoundTrips({ declarations, review });
    expect(changes[0]?.message).toContain(message);
  });
});

describe('roundTrips', () => {
  /** Registers the tests with a framework that collects them. */
  async function registered(part: ReturnType<typeof conversion>) {
    const tests: { readonly title: string; readonly body: () => Promise<void> }[] = [];
    const titles: string[] = [];
    const framework = {
      describe: (name: string, body: () => void) => {
        titles.push(name);
        body();
        titles.pop();
      },
      test: (name: string, body: () => Promise<void>) =>
        tests.push({ title: [...titles, name].join(' '), body }),
      afterAll: () => undefined,
    };
    await roundTrips(part, { framework });
    return tests;
  }

  it('registers a test for each pair of versions, which fails with every change', async () => {
    const [first, second, ...more] = await registered(conversion(copied));
    expect(more).toEqual([]);
    expect(first?.title).toBe(
      'conversion of rings.example.com from v1 to v1alpha1 and back keeps every field',
    );
    expect(second?.title).toContain('from v1alpha1 to v1 and back');
    await second?.body();
    await expect(first?.body()).rejects.toThrow(
      /^rings.example.com: v1 to v1alpha1 and back:\n {2}\.spec\.ports: \[\] is lost, in \{"apiVersion":"example.com\/v1".*"ports":\[\]\}\}$/,
    );
  });

  it('throws TypeError without a conversion', () => {
    expect(() => roundTrips(webhooks({ handlers: [] }))).toThrow('add converts');
  });
});
