import { describe, expect, it } from 'vitest';
import { randomSelection } from '../../../../test/support/random-selection.ts';
import { Seeded } from '../../../../test/support/runtime/random.ts';
import type { AnySelection } from '../../api/selected.ts';
import { parseText } from '../integers/keep-digits.ts';
import { jsonOf } from '../integers/write-json.ts';
import { LeanReader } from '../lean-json.ts';
import { StringPool } from '../string-pool.ts';
import { Projection } from './projection.ts';
import { includesField, requireField, selectionIn } from './selected-mark.ts';

const metadata = {
  name: 'a',
  namespace: 'shop',
  uid: 'u',
  resourceVersion: '7',
  creationTimestamp: '2026-01-31T12:00:00Z',
};
const names = { apiVersion: 'a.b/v1', kind: 'Shape' };

/** Every shape that types have. */
const shape = {
  ...names,
  metadata: { ...metadata, generation: 3, labels: { app: 'web', tier: 'front' }, finalizers: ['a.b/c'] },
  spec: {
    scalar: 'a text that is longer than ten characters',
    zero: 0,
    no: false,
    nothing: null,
    port: 'http',
    other: 8080,
    list: ['a', 'b'],
    servers: [{ port: 1, tls: { secret: 's' } }, { port: 2 }],
    matrix: [[{ x: 1, y: 2 }], []],
    byName: { web: { port: 1, host: 'h' }, db: { port: 2 } },
    listsByName: { web: [{ port: 1, host: 'h' }] },
    either: { socket: '/run' },
    anything: { a: [{ b: { c: 1, d: 2 } }] },
    tree: { value: 'r', children: [{ value: 'c', children: [{ value: 'd' }] }] },
    empty: {},
    hasOwnProperty: 'own',
  },
  status: { ready: true },
};

/** Names that every object inherits. */
const inherited: AnySelection = Object.fromEntries([
  ['constructor', true],
  ['toString', { a: true }],
]);

const reader = (projection: Projection): LeanReader =>
  new LeanReader({ keepManagedFields: false, strings: new StringPool(), projection: () => projection });

/** Returns the fields of an object that JSON represents, picked from the object and from its JSON. */
function picked(select: AnySelection): unknown {
  const projection = Projection.of(select);
  const bytes = Buffer.from(JSON.stringify(shape));
  const event = Buffer.from(JSON.stringify({ type: 'MODIFIED', object: shape }));
  const [whole, item, line] = [
    projection.pick(shape),
    reader(projection).readItem(bytes, 0, bytes.length),
    reader(projection).parseLine(event),
  ];
  expect(item).toStrictEqual(whole);
  expect(line).toStrictEqual({ type: 'MODIFIED', object: whole });
  expect(selectionIn(whole)).toBe(projection.selection);
  return JSON.parse(JSON.stringify(whole));
}

describe('a projection', () => {
  it.each<[select: AnySelection, want: object]>([
    [{}, {}],
    [{ spec: { scalar: true, absent: true } }, { spec: { scalar: shape.spec.scalar } }],
    [
      { spec: { zero: true, no: true, nothing: { a: true } } },
      { spec: { zero: 0, no: false, nothing: null } },
    ],
    [{ spec: { port: true, other: { x: true } } }, { spec: { port: 'http', other: 8080 } }],
    [{ spec: { list: true } }, { spec: { list: ['a', 'b'] } }],
    [{ spec: { servers: { port: true } } }, { spec: { servers: [{ port: 1 }, { port: 2 }] } }],
    [{ spec: { servers: { tls: { secret: true } } } }, { spec: { servers: [{ tls: { secret: 's' } }, {}] } }],
    [{ spec: { matrix: { x: true } } }, { spec: { matrix: [[{ x: 1 }], []] } }],
    [
      { spec: { byName: { '*': { port: true } } } },
      { spec: { byName: { web: { port: 1 }, db: { port: 2 } } } },
    ],
    [
      { spec: { byName: { web: { host: true }, '*': { port: true } } } },
      { spec: { byName: { web: { host: 'h', port: 1 }, db: { port: 2 } } } },
    ],
    [{ spec: { listsByName: { '*': { host: true } } } }, { spec: { listsByName: { web: [{ host: 'h' }] } } }],
    [{ spec: { either: { port: true, socket: true } } }, { spec: { either: { socket: '/run' } } }],
    [{ spec: { anything: { a: { b: { d: true } } } } }, { spec: { anything: { a: [{ b: { d: 2 } }] } } }],
    [
      { spec: { tree: { children: { children: { value: true } } } } },
      { spec: { tree: { children: [{ children: [{ value: 'd' }] }] } } },
    ],
    [{ spec: { empty: true, ...inherited } }, { spec: { empty: {} } }],
    [{ spec: Object.fromEntries([['hasOwnProperty', true]]) }, { spec: { hasOwnProperty: 'own' } }],
    [{ '*': { ready: true } }, { spec: {}, status: { ready: true } }],
    [
      { spec: true, status: true },
      { spec: shape.spec, status: shape.status },
    ],
  ])('picks the selected fields: %j', (select, want) => {
    const rest: object = '*' in select ? { metadata: shape.metadata } : { metadata };
    expect(picked(select)).toEqual({ ...names, ...rest, ...want, ...('*' in select && { metadata }) });
  });

  it.each<[select: AnySelection, want: object]>([
    [{ metadata: { labels: true } }, { labels: shape.metadata.labels }],
    [{ metadata: { labels: { app: true } } }, { labels: { app: 'web' } }],
    [{ metadata: true }, { generation: 3, labels: shape.metadata.labels, finalizers: ['a.b/c'] }],
  ])('picks metadata besides the identity: %j', (select, want) => {
    expect(picked(select)).toEqual({ ...names, metadata: { ...metadata, ...want } });
  });

  it('does not change the whole object', () => {
    const before = structuredClone(shape);
    Projection.of({ metadata: true, spec: true }).pick(shape);
    expect(shape).toStrictEqual(before);
    expect(selectionIn(shape)).toBeUndefined();
  });

  it('returns its own objects, and picks those of a wider selection', () => {
    const narrow = Projection.of({ spec: { zero: true } });
    const wide = Projection.union(narrow, [Projection.of({ spec: { no: true }, status: true })]);
    const object = wide.pick(shape);
    expect(JSON.parse(JSON.stringify(object))).toEqual({
      ...names,
      metadata,
      spec: { zero: 0, no: false },
      status: { ready: true },
    });
    expect(wide.pick(object)).toBe(object);
    expect(narrow.pick(object)).toStrictEqual(narrow.pick(shape));
  });

  it('is equal for the same fields in any order, and found by its selection', () => {
    const one = Projection.of({ spec: { zero: true, no: true }, metadata: { name: true } });
    expect(Projection.of({ spec: { no: true, zero: true } }).key).toBe(one.key);
    expect(Projection.of(one.selection)).toBe(one);
    expect(Projection.union(one, [Projection.of({})])).toBe(one);
  });

  it('keeps bookmarks and errors whole', () => {
    const { parseLine } = reader(Projection.of({}));
    for (const type of ['BOOKMARK', 'ERROR']) {
      const event = { type, object: { metadata: { annotations: { a: 'b' } }, status: 'Failure' } };
      expect(parseLine(Buffer.from(JSON.stringify(event)))).toStrictEqual(event);
    }
  });

  it('keeps the digits of long integers', () => {
    const text = `{"metadata":{"name":"a"},"spec":{"big":12345678901234567890,"list":[{"n":9007199254740993}]}}`;
    const projection = Projection.of({ spec: { big: true, list: { n: true } } });
    const bytes = Buffer.from(text);
    const item = reader(projection).readItem(bytes, 0, bytes.length);
    expect(jsonOf(Object(item).spec)).toBe('{"big":12345678901234567890,"list":[{"n":9007199254740993}]}');
    expect(jsonOf(projection.pick(Object(parseText(text))).spec)).toBe(jsonOf(Object(item).spec));
  });

  it('picks the same from an object and from a wider projection of it, for random selections', () => {
    const random = new Seeded(Number(process.env['KGEN_SEED'] ?? 1));
    for (let round = 0; round < 500; round += 1) {
      const [one, other] = [randomSelection(shape, random), randomSelection(shape, random)];
      const [narrow, second] = [Projection.of(one), Projection.of(other)];
      const wide = Projection.union(narrow, [second]);
      expect(narrow.pick(wide.pick(shape)), JSON.stringify(one)).toStrictEqual(narrow.pick(shape));
      expect(Projection.union(second, [narrow]).key).toBe(wide.key);
    }
  });
});

describe('the mark of selected objects', () => {
  const { selection } = Projection.of({ metadata: { labels: { app: true } }, spec: { '*': true } });
  const object = Projection.of(selection).pick(shape);

  it.each<[path: string, want: boolean]>([
    ['metadata.labels.app', true],
    ['metadata.labels.tier', false],
    ['metadata.labels', false],
    ['metadata.uid', true],
    ['spec.anything.else', true],
    ['status', false],
  ])('includes %s: %s', (path, want) => {
    expect(includesField(selection, path.split('.'))).toBe(want);
    const check = (): void => requireField(object, ...path.split('.'));
    if (want) check();
    else expect(check).toThrow(`${path} is not in the selection of the informer: add it to select`);
    requireField(shape, ...path.split('.'));
  });

  it('remains in copies and is not part of the JSON', () => {
    const copy = { ...object, metadata: { ...object.metadata, labels: {} } };
    expect(selectionIn(copy)).toBe(selection);
    expect(Object.keys(object.metadata)).not.toContain('selection');
    expect(JSON.stringify(object)).not.toContain('selected');
  });
});
