/**
 * Objects that protobuf cannot say: a TypeError with the place, nothing is left out. What JSON would forgive or change
 * is written as Go writes what it reads in that JSON.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { decode, encode } from './codec.ts';
import type { JsonObject } from './expected.ts';
import { Oracle, oraclePath } from './oracle.ts';

function write(object: object): Promise<Uint8Array> {
  // seam: objects that no type would let through
  return encode(object as unknown as Parameters<typeof encode>[0]);
}

function pod(spec: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [], ...spec } };
}

function container(members: JsonObject): JsonObject {
  return pod({ containers: [{ name: 'main' }, { name: 'b', ...members }] });
}

function service(spec: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec };
}

function metadata(members: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...members } };
}

function schema(members: JsonObject): JsonObject {
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: members } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'as.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'as', kind: 'A' },
      scope: 'Namespaced',
      versions: [version],
    },
  };
}

const second = 'spec.containers[1]';
const inSchema = 'spec.versions[0].schema.openAPIV3Schema';

/** Members that are wrong, and the path that the error names. */
const cases: readonly { readonly name: string; readonly object: object; readonly path: string }[] = [
  { name: 'text: a number', object: container({ image: 7 }), path: `${second}.image` },
  { name: 'text: true', object: container({ image: true }), path: `${second}.image` },
  { name: 'text: an object', object: container({ image: {} }), path: `${second}.image` },
  { name: 'text: a list', object: container({ image: ['a'] }), path: `${second}.image` },
  { name: 'text: a String object', object: container({ image: Object('a') }), path: `${second}.image` },
  { name: 'text: a symbol', object: container({ image: Symbol('a') }), path: `${second}.image` },
  { name: 'text: a function', object: container({ image: () => 'a' }), path: `${second}.image` },
  { name: 'pointer to text: a number', object: pod({ runtimeClassName: 7 }), path: 'spec.runtimeClassName' },
  { name: 'truth: text', object: container({ stdin: 'true' }), path: `${second}.stdin` },
  { name: 'truth: 1', object: container({ stdin: 1 }), path: `${second}.stdin` },
  { name: 'int32: text', object: pod({ priority: '1' }), path: 'spec.priority' },
  { name: 'int32: a fraction', object: pod({ priority: 1.5 }), path: 'spec.priority' },
  { name: 'int32: not a number', object: pod({ priority: Number.NaN }), path: 'spec.priority' },
  { name: 'int32: too large', object: pod({ priority: 2 ** 31 }), path: 'spec.priority' },
  { name: 'int32: too small', object: pod({ priority: -(2 ** 31) - 1 }), path: 'spec.priority' },
  { name: 'int32: true', object: pod({ priority: true }), path: 'spec.priority' },
  { name: 'int32: a bigint', object: pod({ priority: 1n }), path: 'spec.priority' },
  { name: 'int64: a fraction', object: metadata({ generation: 0.5 }), path: 'metadata.generation' },
  { name: 'int64: infinite', object: metadata({ generation: 1 / 0 }), path: 'metadata.generation' },
  { name: 'int64: too large', object: metadata({ generation: 2 ** 63 + 2048 }), path: 'metadata.generation' },
  {
    name: 'int64: too small',
    object: metadata({ generation: -(2 ** 63) - 2048 }),
    path: 'metadata.generation',
  },
  { name: 'double: text', object: schema({ maximum: '1' }), path: `${inSchema}.maximum` },
  { name: 'double: infinite', object: schema({ maximum: 1 / 0 }), path: `${inSchema}.maximum` },
  { name: 'message: text', object: container({ resources: 'a' }), path: `${second}.resources` },
  { name: 'message: a list', object: container({ resources: [] }), path: `${second}.resources` },
  { name: 'message: a number', object: pod({ securityContext: 1 }), path: 'spec.securityContext' },
  { name: 'list: an object', object: container({ args: {} }), path: `${second}.args` },
  { name: 'list: text', object: container({ args: 'a' }), path: `${second}.args` },
  { name: 'list of text: a number in it', object: container({ args: ['a', 1] }), path: `${second}.args[1]` },
  { name: 'list of messages: text in it', object: container({ env: ['a'] }), path: `${second}.env[0]` },
  { name: 'list of messages: a list in it', object: container({ env: [[]] }), path: `${second}.env[0]` },
  { name: 'map: a list', object: metadata({ labels: ['a'] }), path: 'metadata.labels' },
  { name: 'map: text', object: metadata({ labels: 'a' }), path: 'metadata.labels' },
  { name: 'map of text: a number in it', object: metadata({ labels: { a: 1 } }), path: 'metadata.labels' },
  { name: 'bytes: not base64', object: secretWith('!!!'), path: 'data' },
  { name: 'bytes: base64 without its end', object: secretWith('YQ'), path: 'data' },
  { name: 'bytes: base64 of URLs', object: secretWith('_-8='), path: 'data' },
  { name: 'bytes: a number', object: secretWith(7), path: 'data' },
  {
    name: 'time: no time',
    object: metadata({ creationTimestamp: 'today' }),
    path: 'metadata.creationTimestamp',
  },
  {
    name: 'time: no such day',
    object: metadata({ creationTimestamp: '2024-02-30T00:00:00Z' }),
    path: 'metadata.creationTimestamp',
  },
  { name: 'time: a number', object: metadata({ creationTimestamp: 7 }), path: 'metadata.creationTimestamp' },
  {
    name: 'time: without a zone',
    object: metadata({ creationTimestamp: '2024-01-01T00:00:00' }),
    path: 'metadata.creationTimestamp',
  },
  { name: 'quantity: no number', object: limited('abc'), path: `${second}.resources.limits` },
  { name: 'quantity: nothing', object: limited(''), path: `${second}.resources.limits` },
  { name: 'quantity: a space', object: limited('1 Gi'), path: `${second}.resources.limits` },
  { name: 'quantity: true', object: limited(true), path: `${second}.resources.limits` },
  { name: 'number or text: true', object: ported(true), path: 'spec.ports[0].targetPort' },
  { name: 'number or text: a fraction', object: ported(1.5), path: 'spec.ports[0].targetPort' },
  { name: 'number or text: too large', object: ported(2 ** 31), path: 'spec.ports[0].targetPort' },
  { name: 'number or text: an object', object: ported({}), path: 'spec.ports[0].targetPort' },
  { name: 'a member that is unknown', object: pod({ imagee: 'a' }), path: 'spec.imagee' },
  { name: 'one in a list', object: container({ imagee: 'a' }), path: `${second}.imagee` },
  { name: 'one in metadata', object: metadata({ Name: 'a' }), path: 'metadata.Name' },
  { name: 'one at the top', object: { ...metadata({}), spec: {} }, path: 'spec' },
  { name: 'one called __proto__', object: pod(JSON.parse('{"__proto__":{"a":1}}')), path: 'spec.__proto__' },
  { name: 'one called constructor', object: pod({ constructor: 'a' }), path: 'spec.constructor' },
];

function secretWith(value: unknown): JsonObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { k: value } };
}

function limited(value: unknown): JsonObject {
  return container({ resources: { limits: { cpu: value } } });
}

function ported(value: unknown): JsonObject {
  return service({ ports: [{ port: 1, targetPort: value }] });
}

describe('objects without a protobuf representation', () => {
  it.each(cases)('$name', async ({ object, path }) => {
    const error = await write(object).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(path);
  });

  it.each([
    ['nothing', {}],
    ['no kind', { apiVersion: 'v1' }],
    ['no apiVersion', { kind: 'Pod' }],
    ['a kind that is a number', { apiVersion: 'v1', kind: 7 }],
    ['an unknown kind', { apiVersion: 'v1', kind: 'Pot' }],
    ['an unknown group', { apiVersion: 'a.example.com/v1', kind: 'Pod' }],
    ['a group called __proto__', { apiVersion: '__proto__', kind: 'Pod' }],
  ])('throws for a type that is %s', async (_name, object) => {
    await expect(write(object)).rejects.toThrow(TypeError);
  });

  it.each([
    ['null', null],
    ['text', 'a'],
    ['undefined', undefined],
    ['a list', []],
  ])('%s', async (_name, value) => {
    // seam: no object at all
    await expect(write(value as unknown as object)).rejects.toThrow(TypeError);
  });
});

describe('cyclic objects', () => {
  it('are rejected as a message', async () => {
    const own: JsonObject = { type: 'object' };
    own['not'] = own;
    await expect(write(schema(own))).rejects.toThrow(TypeError);
  });

  it('are rejected within JSON', async () => {
    const own: JsonObject = {};
    own['again'] = own;
    await expect(write(schema({ default: own }))).rejects.toThrow(TypeError);
  });

  it('are rejected in a list', async () => {
    const own: unknown[] = [];
    own.push(own);
    await expect(write(container({ args: own }))).rejects.toThrow(TypeError);
  });
});

describe('strings', () => {
  it('are encoded at any length', async () => {
    const long = 'é'.repeat(10_000_000);
    const read = await decode(await write(metadata({ annotations: { long } })));
    expect(read.metadata?.annotations?.['long'] === long).toBe(true);
  });
});

/** What Go reads in JSON and writes. */
const forgiven: readonly { readonly name: string; readonly object: object }[] = [
  {
    name: 'members that are undefined',
    object: container({ image: undefined, stdin: undefined, env: undefined }),
  },
  {
    name: 'members that are null',
    object: container({ image: null, stdin: null, env: null, resources: null, lifecycle: null }),
  },
  { name: 'maps and metadata that are null', object: { ...metadata({ labels: null }), data: null } },
  { name: 'times that are null', object: metadata({ creationTimestamp: null, deletionTimestamp: null }) },
  { name: 'times elsewhere', object: metadata({ creationTimestamp: '2024-01-01T12:00:00+14:00' }) },
  { name: 'times with fractions', object: metadata({ creationTimestamp: '2024-01-01T12:00:00.999999999Z' }) },
  { name: 'times before 1970', object: metadata({ creationTimestamp: '0001-01-01T00:00:01Z' }) },
  { name: 'a time that is zero', object: metadata({ creationTimestamp: '0001-01-01T00:00:00Z' }) },
  {
    name: 'times with microseconds',
    object: {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      spec: { renewTime: '2024-01-01T12:00:00.123456-07:00', acquireTime: '2024-01-01T00:00:00.000001Z' },
    },
  },
  {
    name: 'half of a letter',
    object: metadata({ labels: { a: 'a\ud800b', b: '\udc00', c: '\udc00\ud800' } }),
  },
  { name: 'half of a letter in JSON', object: schema({ default: '\ud800' }) },
  {
    name: 'keys that sort otherwise in UTF-16',
    object: metadata({ labels: { '\ue000': '1', '\u{1f600}': '2', a: '3', '': '4', 10: '5', 9: '6' } }),
  },
  {
    name: 'keys of an object’s own machinery',
    object: metadata({ labels: JSON.parse('{"__proto__":"1","constructor":"2"}') }),
  },
  {
    name: 'the largest integers',
    object: metadata({
      generation: Number.MAX_SAFE_INTEGER,
      deletionGracePeriodSeconds: -Number.MAX_SAFE_INTEGER,
    }),
  },
  { name: 'no number at all below zero', object: metadata({ generation: -0 }) },
  { name: 'doubles', object: schema({ maximum: 0, minimum: 1e300, multipleOf: 5e-324 }) },
  {
    name: 'JSON within',
    object: schema({
      default: { b: [1, null, { a: 'x' }], '': true },
      enum: [null, 'a', 0.5],
      example: null,
    }),
  },
  {
    name: 'schemas in all their forms',
    object: schema({
      items: [{ type: 'string' }, {}],
      additionalProperties: false,
      additionalItems: { type: 'a' },
      dependencies: { a: ['b'], c: { type: 'd' } },
    }),
  },
  {
    name: 'empty schemas',
    object: schema({
      items: {},
      additionalProperties: true,
      dependencies: { a: [], b: {} },
      not: {},
      properties: {},
    }),
  },
  {
    name: 'numbers and text',
    object: service({
      ports: [
        { port: 80, targetPort: 'http' },
        { port: 81, targetPort: -1 },
        { port: 82, targetPort: '' },
      ],
    }),
  },
  {
    name: 'bytes',
    object: {
      apiVersion: 'v1',
      kind: 'Secret',
      data: { a: '', b: 'AA==', d: '////' },
      stringData: { e: '' },
    },
  },
  { name: 'empty lists and maps', object: container({ args: [], env: [], resources: { limits: {} } }) },
  {
    name: 'a list',
    object: {
      apiVersion: 'v1',
      kind: 'ConfigMapList',
      metadata: {},
      items: [{ apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } }, {}],
    },
  },
  {
    name: 'a list of anything',
    object: { apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'v1', kind: 'Pod' }] },
  },
];

/** Go keeps some texts and makes others canonical, when it writes and when it reads: what it reads in the end counts. */
const quantities: readonly unknown[] = [
  ...[
    '0',
    '1',
    '1.50',
    '1500m',
    '0.5',
    '.5',
    '1.',
    '+1',
    '-1',
    '-1.5k',
    '1e3',
    '1E3',
    '1e-3',
    '1k',
    '1000',
    '1000m',
    '1n',
    '0.1n',
  ],
  ...[
    '100000000000000000000',
    '12345678901234567890123m',
    '9223372036854775808',
    '0.0001Ki',
    '1.5Ki',
    '0.5Gi',
    '1024Mi',
    '2000Mi',
  ],
  ...['16Ei', '1E', '00012', '1.000', '-0', 1, 1.5, 0, -2, 1e21, 1e-7, null],
];

const path = await oraclePath();

if (path === undefined) {
  describe.skip("Go's decoding of JSON: no `go` is on the PATH", () => {
    it('requires Go', () => undefined);
  });
} else {
  const oracle = new Oracle(path);
  afterAll(() => oracle.close());

  describe("Go's decoding of JSON", () => {
    it.each(forgiven)('$name', async ({ object }) => {
      const want = await oracle.encode(JSON.stringify(object));
      if ('error' in want) throw new Error(want.error);
      expect(Buffer.from(await write(object)).toString('latin1')).toBe(want.value.toString('latin1'));
    });

    it.each(quantities)('is equal for the quantity %s', async (quantity) => {
      const object = limited(quantity);
      const want = await oracle.encode(JSON.stringify(object));
      if ('error' in want) throw new Error(want.error);
      const [read, wanted] = [await oracle.decode(await write(object)), await oracle.decode(want.value)];
      expect('value' in read ? read.value.toString() : read.error).toBe(
        'value' in wanted ? wanted.value.toString() : wanted.error,
      );
    });
  });
}
