/** Objects that JSON accepts with changes: their protobuf equals the bytes that Go writes for that JSON. */
import { afterAll, describe, expect, it } from 'vitest';
import { container, limited, metadata, schema, service, write } from './invalid-objects.ts';
import { Oracle, oraclePath } from './oracle.ts';

/** Objects that Go reads as JSON and writes. */
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

/**
 * Go keeps some strings and makes others canonical, on writing and on reading: the result of reading counts.
 */
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
  describe.skip('JSON that Go accepts: no `go` is on the PATH', () => {
    it('requires Go', () => undefined);
  });
} else {
  const oracle = new Oracle(path);
  afterAll(() => oracle.close());

  describe('JSON that Go accepts', () => {
    it.each(forgiven)('$name', async ({ object }) => {
      const want = await oracle.encode(JSON.stringify(object));
      if ('error' in want) throw new Error(want.error);
      expect(Buffer.from(await write(object)).toString('latin1')).toBe(want.value.toString('latin1'));
    });

    it.each(quantities)('the quantity %s', async (quantity) => {
      const object = limited(quantity);
      const want = await oracle.encode(JSON.stringify(object));
      if ('error' in want) throw new Error(want.error);
      const [read, expected] = [await oracle.decode(await write(object)), await oracle.decode(want.value)];
      expect('value' in read ? read.value.toString() : read.error).toBe(
        'value' in expected ? expected.value.toString() : expected.error,
      );
    });
  });
}
