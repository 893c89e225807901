import { defineResource, type NamespacedResource } from '@kgen/runtime/client';
import { jsonOf, parseBytes } from '@kgen/runtime/objects';
import { describe, expect, it } from 'vitest';
import { type ConversionWebhook, converts, keptPrefix } from '../declarations/conversion.ts';
import { convertObject } from './conversion.ts';
import { Reviewer } from './reviews.fixture.ts';

/** Two versions of a kind: `size` is `spec.nodes.count` of the hub, which also has ports with protocols. */
interface Old {
  metadata?: { labels?: Record<string, string> };
  spec?: {
    size?: number;
    ports?: { name: string; port: number }[];
    hosts?: { host: string }[];
    legacy?: number;
  };
}
interface Hub {
  metadata?: { labels?: Record<string, string> };
  spec?: {
    nodes?: { count?: number; zone?: string };
    ports?: { name: string; port: number; protocol?: string }[];
    hosts?: { host: string; weight?: number }[];
    big?: number;
  };
}

const facts = { group: 'example.com', kind: 'Ring', listKind: 'RingList', plural: 'rings', singular: 'ring' };
const shared = { ...facts, scope: 'Namespaced', verbs: [] } as const;
const hub = defineResource<NamespacedResource<Hub, unknown, unknown>>({ ...shared, version: 'v2' });
const old = defineResource<NamespacedResource<Old, unknown, unknown>>({ ...shared, version: 'v1' });
const other = defineResource<NamespacedResource<{ spec?: { nodes?: number } }, unknown, unknown>>({
  ...shared,
  version: 'v3',
});

const webhook = converts(hub, {
  versions: {
    v1: {
      resource: old,
      toHub: ({ spec }) => ({
        spec: {
          ...(spec?.size === undefined ? {} : { nodes: { count: spec.size } }),
          ...(spec?.ports && { ports: spec.ports }),
          ...(spec?.hosts && { hosts: spec.hosts }),
        },
      }),
      fromHub: ({ spec }) => ({
        spec: {
          ...(spec?.nodes?.count === undefined ? {} : { size: spec.nodes.count }),
          ...(spec?.ports && { ports: spec.ports.map(({ name, port }) => ({ name, port })) }),
          ...(spec?.hosts && { hosts: spec.hosts.map(({ host }) => ({ host })) }),
        },
      }),
    },
    v3: {
      resource: other,
      toHub: ({ spec }) => ({ spec: spec?.nodes === undefined ? {} : { nodes: { count: spec.nodes } } }),
      fromHub: ({ spec }) => ({ spec: spec?.nodes?.count === undefined ? {} : { nodes: spec.nodes.count } }),
    },
  },
});

type Version = 'v1' | 'v2' | 'v3';
interface Made {
  apiVersion: string;
  kind: string;
  metadata: Record<string, unknown> & { annotations?: Record<string, string> };
  spec: Record<string, unknown>;
}

const made = (version: Version, spec: unknown, metadata: object = {}): Made =>
  JSON.parse(
    JSON.stringify({
      apiVersion: `example.com/${version}`,
      kind: 'Ring',
      metadata: { name: 'one', namespace: 'shop', uid: 'u', ...metadata },
      spec,
    }),
  );

/** Converts as over the network. */
function convert(object: Made, to: Version, by: ConversionWebhook = webhook): Made {
  const copy = parseBytes(Buffer.from(jsonOf(object))) as Made;
  return parseBytes(Buffer.from(jsonOf(convertObject(by, copy as never, to)))) as Made;
}

const full = {
  nodes: { count: 3, zone: 'a' },
  ports: [
    { name: 'web', port: 80, protocol: 'TCP' },
    { name: 'dns', port: 53, protocol: 'UDP' },
  ],
  hosts: [
    { host: 'x', weight: 1 },
    { host: 'y', weight: 2 },
  ],
};
const small = {
  size: 3,
  ports: [
    { name: 'web', port: 80 },
    { name: 'dns', port: 53 },
  ],
  hosts: [{ host: 'x' }, { host: 'y' }],
};

describe('a conversion', () => {
  it.each<[Version, unknown, Version, unknown]>([
    ['v1', small, 'v2', { nodes: { count: 3 }, ports: small.ports, hosts: small.hosts }],
    ['v2', full, 'v1', small],
    ['v2', full, 'v2', full],
    ['v1', { size: 3 }, 'v3', { nodes: 3 }],
    ['v3', { nodes: 3 }, 'v1', { size: 3 }],
  ])('from %s %j to %s', (from, spec, to, want) => {
    const result = convert(made(from, spec), to);
    expect(result.spec).toEqual(want);
    const { annotations, ...identity } = result.metadata;
    expect(identity).toEqual({ name: 'one', namespace: 'shop', uid: 'u' });
    expect(result).toMatchObject({ apiVersion: `example.com/${to}`, kind: 'Ring' });
  });

  it('copies members that the function does not return, and only labels and annotations of its metadata', () => {
    const by = converts(hub, {
      versions: {
        v1: {
          resource: old,
          toHub: () => ({ metadata: { name: 'two', labels: { a: 'b' } } }),
          fromHub: () => ({ spec: undefined, metadata: { labels: undefined } as never }),
        },
      },
    });
    const source = made('v1', { size: 1 }, { labels: { x: 'y' } });
    expect(convert(source, 'v2', by)).toMatchObject({
      metadata: { name: 'one', labels: { a: 'b' } },
      spec: { size: 1 },
    });
    const plain = converts(hub, {
      versions: { v1: { resource: old, toHub: () => ({}), fromHub: () => ({}) } },
    });
    expect(convert(source, 'v2', plain)).toEqual({ ...source, apiVersion: 'example.com/v2' });
  });

  it('keeps integers of 64 bits', () => {
    const source =
      '{"apiVersion":"example.com/v2","kind":"Ring","metadata":{"name":"one"},"spec":{"big":9007199254740993}}';
    const object = parseBytes(Buffer.from(source)) as Made;
    const there = convertObject(webhook, object as never, 'v1');
    expect(there['spec']).toEqual({});
    expect(jsonOf(convert(there as never, 'v2'))).toContain('"spec":{"big":9007199254740993}');
  });

  it('keeps no annotation without lost fields, and none without the option', () => {
    expect(convert(made('v1', small), 'v2').metadata.annotations).toBeUndefined();
    const by: ConversionWebhook = { ...webhook, options: { ...webhook.options, keepFields: false } };
    expect(convert(made('v2', full), 'v1', by).metadata.annotations).toBeUndefined();
  });

  it('refuses versions that are not those of the resource', () => {
    const functions = { toHub: () => ({}), fromHub: () => ({}) };
    expect(() => converts(hub, { versions: { v9: { resource: old, ...functions } } })).toThrow(TypeError);
    expect(() => converts(hub, { versions: { v2: { resource: hub, ...functions } } })).toThrow(TypeError);
  });
});

describe('fields that a version cannot express', () => {
  it('are kept in an annotation, and restored without it', () => {
    const source = made('v2', full, { annotations: { note: 'x' } });
    const there = convert(source, 'v1');
    expect(Object.keys(there.metadata.annotations ?? {})).toEqual(['note', `${keptPrefix}v2`]);
    expect(convert(there, 'v2')).toEqual(source);
  });

  it('are kept of several versions at once', () => {
    const source = made('v1', { ...small, legacy: 7 });
    const third = convert(source, 'v3');
    expect(third.spec).toEqual({ nodes: 3 });
    expect(convert(third, 'v1')).toEqual(source);
    expect(convert(convert(third, 'v2'), 'v1')).toEqual(source);
  });

  it.each<[title: string, edit: (spec: typeof small & Record<string, unknown>) => unknown, want: unknown]>([
    ['nothing', (spec) => spec, full],
    ['another field', (spec) => ({ ...spec, size: 4 }), { ...full, nodes: { count: 4, zone: 'a' } }],
    ['a parent is removed', ({ size: _, ...spec }) => spec, { ports: full.ports, hosts: full.hosts }],
    [
      'a named item is changed',
      ({ ports, ...spec }) => ({ ...spec, ports: [{ name: 'web', port: 81 }, ports[1]] }),
      {
        ...full,
        ports: [{ name: 'web', port: 81, protocol: 'TCP' }, full.ports[1]],
      },
    ],
    [
      'a named item is added and another one removed',
      ({ ports, ...spec }) => ({ ...spec, ports: [{ name: 'new', port: 1 }, ports[1]] }),
      {
        ...full,
        ports: [{ name: 'new', port: 1 }, full.ports[1]],
      },
    ],
    [
      'items change their order',
      ({ ports, hosts, ...spec }) => ({ ...spec, ports: ports.toReversed(), hosts: hosts.toReversed() }),
      {
        ...full,
        ports: full.ports.toReversed(),
        hosts: full.hosts.toReversed(),
      },
    ],
    [
      'an item is inserted before the others',
      ({ hosts, ...spec }) => ({ ...spec, hosts: [{ host: 'z' }, ...hosts] }),
      {
        ...full,
        hosts: [{ host: 'z' }, ...full.hosts],
      },
    ],
    [
      'an item is changed',
      ({ hosts, ...spec }) => ({ ...spec, hosts: [{ host: 'z' }, hosts[1]] }),
      {
        ...full,
        hosts: [{ host: 'z' }, full.hosts[1]],
      },
    ],
    ['a list is removed', ({ ports: _, ...spec }) => spec, { nodes: full.nodes, hosts: full.hosts }],
  ])('are restored where the other version was not edited: %s', (_, edit, want) => {
    const there = convert(made('v2', full), 'v1');
    const edited = { ...there, spec: edit(there.spec as never) as Record<string, unknown> };
    expect(convert(edited, 'v2').spec).toEqual(want);
  });

  it.each([
    ['', 'no JSON', '1', '[1,null,{}]', '[{"path":1}]', '[{"path":[]}]', '[{"path":["spec"],"value":1}]'],
    ['[{"path":["spec","__proto__","x"],"value":1}]', '[{"path":["metadata","name"],"value":"two"}]'],
    ['[{"path":["kind"],"value":"Pod"}]', '[{"path":["metadata","annotations"],"value":3}]'],
    [
      '[{"path":["spec","ports",{"name":"q"},"x"],"value":1}]',
      '[{"path":["spec","hosts"],"items":[null,1]}]',
    ],
  ])('are not restored from an annotation of another content', (...texts) => {
    for (const text of texts) {
      const there = made('v1', small, { annotations: { [`${keptPrefix}v2`]: text } });
      const result = convert(there, 'v2');
      expect(result.spec).toEqual({ nodes: { count: 3 }, ports: small.ports, hosts: small.hosts });
      expect(result).toMatchObject({ kind: 'Ring', metadata: { name: 'one' } });
    }
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });
});

describe('a conversion review', () => {
  const review = (objects: unknown, desiredAPIVersion: unknown = 'example.com/v1', version = 'v1') => ({
    kind: 'ConversionReview',
    apiVersion: `apiextensions.k8s.io/${version}`,
    request: { uid: 'c-1', desiredAPIVersion, objects },
  });

  it.each(['v1', 'v1beta1'])('converts all objects in their order: %s', async (version) => {
    const reviewer = new Reviewer(webhook);
    const objects = Array.from({ length: 450 }, (_, size) => made('v2', { nodes: { count: size } }));
    const {
      status,
      review: rest,
      response,
    } = await reviewer.send(review(objects, 'example.com/v1', version));
    expect(status).toBe(200);
    expect(rest).toEqual({ kind: 'ConversionReview', apiVersion: `apiextensions.k8s.io/${version}` });
    expect(response).toEqual({
      uid: 'c-1',
      result: { metadata: {}, status: 'Success' },
      convertedObjects: objects.map((_, size) => made('v1', { size })),
    });
    expect(reviewer.records).toMatchObject([{ operation: 'CONVERT', outcome: 'allowed', uid: 'c-1' }]);
  });

  const one = made('v2', {});
  it.each<[title: string, objects: unknown[], desired: string, message: string]>([
    [
      'another desired version',
      [one],
      'example.com/v9',
      'conversion of Ring to "example.com/v9" failed: the version is not one of example.com: v2, v1, v3',
    ],
    [
      'another version',
      [one, { ...one, apiVersion: 'apps/v1' }],
      'example.com/v1',
      'conversion of "Ring" "shop/one" of "apps/v1" to "example.com/v1" failed: the version is not one',
    ],
    ['another kind', [{ ...one, kind: 'Pod' }], 'example.com/v1', 'failed: the kind is not Ring'],
    [
      'no metadata',
      [{ apiVersion: 'example.com/v2', kind: 'Ring' }],
      'example.com/v1',
      'failed: the object has no metadata',
    ],
    [
      'a spec of another type',
      [made('v2', { ports: 3 })],
      'example.com/v1',
      'spec.ports.map is not a function',
    ],
  ])('fails as a whole for %s', async (_, objects, desired, message) => {
    const reviewer = new Reviewer(webhook);
    const { status, response } = await reviewer.send(review(objects, desired));
    expect(status).toBe(200);
    expect(response).toMatchObject({ uid: 'c-1', convertedObjects: [], result: { status: 'Failure' } });
    expect(response['result']).toHaveProperty('message', expect.stringContaining(message));
    expect(reviewer.records).toMatchObject([{ outcome: 'failed' }]);
  });

  it.each<[result: unknown]>([
    [1],
    ['a'],
    [[]],
    [Promise.resolve({})],
    [{ spec: { a: Number.NaN } }],
    [{ metadata: { labels: { a: 1 } } }],
  ])('fails for a function that returns %j', async (result) => {
    const by = converts(hub, {
      // Results of any type are what this table is about.
      versions: { v1: { resource: old, toHub: () => ({}), fromHub: () => result as object } },
    });
    const { response } = await new Reviewer(by).send(review([one]));
    expect(response['result']).toMatchObject({ status: 'Failure' });
  });

  it.each<[unknown]>([[1], [[1]], [[null]], ['x'], [{}]])(
    'refuses objects of another type: %j',
    async (objects) => {
      expect(await new Reviewer(webhook).send(review(objects))).toMatchObject({ status: 400 });
    },
  );

  it('ends when the signal aborts', async () => {
    const { response } = await new Reviewer(webhook).send(review([one]), AbortSignal.abort());
    expect(response['result']).toMatchObject({ status: 'Failure' });
  });
});
