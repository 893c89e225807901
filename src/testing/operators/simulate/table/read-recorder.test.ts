import { AssertionError } from 'node:assert';
import { describe, expect, it } from 'vitest';
import { recordReads } from './read-recorder.ts';

interface Thing {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly size: number;
    readonly tls?: { readonly secret: string };
    readonly items: readonly { readonly image: string; readonly ports?: readonly number[] }[];
    readonly map?: Readonly<Record<string, { readonly port: number }>>;
  };
  readonly status?: { readonly phase?: string };
}

const thing: Thing = {
  kind: 'Thing',
  metadata: { name: 'a', labels: { app: 'web', 'a/b': 'c' } },
  spec: {
    size: 3,
    tls: { secret: 's' },
    items: [{ image: 'x', ports: [1] }, { image: 'y' }],
    map: { one: { port: 1 }, two: { port: 2 } },
  },
};

it.each<[name: string, read: (object: Thing) => unknown, select: string]>([
  ['nothing', () => undefined, '{}'],
  ['its identity', ({ kind, metadata }) => [kind, metadata.name], '{}'],
  ['a field', ({ spec }) => spec.size, '{ spec: { size: true } }'],
  ['the presence of an object', ({ spec }) => spec.tls !== undefined, '{ spec: { tls: {} } }'],
  ['an absent field', ({ status }) => status?.phase, '{ status: true }'],
  ['the length of a list', ({ spec }) => spec.items.length, '{ spec: { items: {} } }'],
  ['items', ({ spec }) => spec.items.map(({ image }) => image), '{ spec: { items: { image: true } } }'],
  ['an item', ({ spec }) => spec.items.at(-1)?.image, '{ spec: { items: { image: true } } }'],
  [
    'lists in items',
    ({ spec }) => spec.items.flatMap(({ ports = [] }) => [...ports]),
    '{ spec: { items: { ports: true } } }',
  ],
  ['a key', ({ metadata }) => metadata.labels?.['a/b'], "{ metadata: { labels: { 'a/b': true } } }"],
  ['keys', ({ metadata }) => Object.keys(metadata.labels ?? {}), '{ metadata: { labels: true } }'],
  ['entries', ({ spec }) => Object.values(spec.map ?? {}).map(({ port }) => port), '{ spec: { map: true } }'],
  ['`in`', ({ metadata }) => 'app' in (metadata.labels ?? {}), '{ metadata: { labels: { app: true } } }'],
  ['a spread', ({ spec }) => ({ ...spec.tls }), '{ spec: { tls: true } }'],
  ['JSON', ({ spec }) => JSON.stringify(spec.items), '{ spec: { items: true } }'],
  ['`toString`', ({ spec }) => [String(spec), Object.hasOwn(spec, 'size')], '{ spec: { size: true } }'],
  ['everything', (object) => JSON.stringify(object), '{ metadata: true, spec: true, status: true }'],
])('records %s', (_, read, select) => {
  const reads = recordReads<Thing>();
  read(reads.of(thing));
  expect(reads.print()).toBe(select);
  expect(() => reads.expectOnly(reads.selection)).not.toThrow();
});

it.each<[name: string, objects: readonly object[], select: string]>([
  [
    'a Secret',
    [{ kind: 'Secret', metadata: { name: 'a' }, type: 'Opaque', data: { a: 'eA==' } }],
    '{ metadata: true, type: true, data: true }',
  ],
  [
    'ConfigMaps with different members',
    [
      { kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'x' } },
      { kind: 'ConfigMap', metadata: { name: 'b' }, binaryData: { a: 'eA==' }, immutable: true },
    ],
    '{ metadata: true, data: true, binaryData: true, immutable: true }',
  ],
  [
    'a RoleBinding',
    [{ kind: 'RoleBinding', metadata: { name: 'a' }, roleRef: { name: 'b' }, subjects: [] }],
    '{ metadata: true, roleRef: true, subjects: true }',
  ],
])('selects the members of objects that were read as a whole: %s', (_, objects, select) => {
  const reads = recordReads<object>();
  for (const object of objects) JSON.stringify(reads.of(object));
  expect(reads.print()).toBe(select);
  expect(() => reads.expectOnly(reads.selection)).not.toThrow();
});

describe('a recorded object', () => {
  it('behaves like the object, also if that is frozen', () => {
    const frozen: Thing = Object.freeze({ ...thing, spec: Object.freeze({ ...thing.spec }) });
    for (const object of [thing, frozen]) {
      const proxy = recordReads<Thing>().of(object);
      expect(proxy).toEqual(object);
      expect(JSON.stringify(proxy)).toBe(JSON.stringify(object));
      expect({ ...proxy.spec.items[0] }).toEqual(object.spec.items[0]);
      expect(Array.isArray(proxy.spec.items)).toBe(true);
      expect([...proxy.spec.items].length).toBe(2);
      expect(Object.entries(proxy.spec.items)).toEqual(Object.entries(object.spec.items));
      expect(Object.entries(proxy.metadata.labels ?? {})).toEqual([
        ['app', 'web'],
        ['a/b', 'c'],
      ]);
      expect(proxy.spec).toBe(proxy.spec);
      expect(proxy.spec.items[1]).toBe(proxy.spec.items.at(1));
    }
  });

  it('is recorded once', () => {
    const reads = recordReads<Thing>();
    expect(reads.of(reads.of(thing))).toBe(reads.of(thing));
  });
});

it('names fields that are not selected, with the lines that read them', () => {
  const reads = recordReads<Thing>();
  const { spec, metadata } = reads.of(thing);
  expect([spec.size, Object.keys(metadata.labels ?? {}), spec.items[0]?.image]).toHaveLength(3);
  expect(reads.reads.map(({ path, isWhole }) => `${path.join('.')} ${isWhole}`)).toEqual([
    'spec false',
    'spec.size false',
    'spec.items false',
    'spec.items.image false',
    'metadata false',
    'metadata.labels true',
    'metadata.labels.app false',
    'metadata.labels.a/b false',
  ]);
  const check = (): void => reads.expectOnly({ metadata: { labels: { app: true } }, spec: { size: true } });
  expect(check).toThrow(AssertionError);
  expect(check).toThrow(/^spec.items.image is read.*, but is not selected\nmetadata.labels is read with all/);
  const { stack = '' } = thrownBy(check);
  expect(stack.split('\n').find((line) => /^ +at /.test(line))).toContain('at check (');
  reads.clear();
  expect(reads.print()).toBe('{}');
  check();
});

function thrownBy(run: () => void): Error {
  try {
    run();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  return new Error('nothing was thrown');
}
