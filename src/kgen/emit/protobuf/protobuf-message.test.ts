import { describe, expect, it } from 'vitest';
import type { Element, Field, Omission, Shape } from '../../protobuf/types.ts';
import { compile, field, message } from './protobuf-message.fixture.ts';
import { messageText } from './protobuf-message.ts';

const part = message('Part', [field(1, 'x', {})]);
const list = message('Names', [field(1, 'items', { shape: 'slice', omission: 'never' })], true);
const partRef: Element = { message: 't/v1.Part' };
const bareRef: Element = { message: 't/v1.Names' };
const text: Element = { scalar: 'string' };

interface Rule {
  readonly shape: Shape;
  readonly element: Element;
  readonly omission: Omission;
  /** JSON value if the field is absent from the bytes; `undefined` if JSON has no such member. */
  readonly absent: unknown;
  /** Bytes that are written if JSON has no such member. */
  readonly zero: readonly number[];
  readonly value: unknown;
  readonly bytes: readonly number[];
}

const rule = (
  shape: Shape,
  element: Element,
  omission: Omission,
  absent: unknown,
  zero: readonly number[],
  value: unknown,
  bytes: readonly number[],
): Rule => ({ shape, element, omission, absent, zero, value, bytes });

const a = 0x61;
const time = '1970-01-01T00:00:01Z';
const timeBytes = [0x08, 1, 0x10, 0];

/**
 * One row for each combination of type and tag that a Go field can have, with its JSON if the field is
 * absent.
 */
const rules: readonly Rule[] = [
  rule('value', text, 'omitempty', undefined, [10, 0], 'a', [10, 1, a]),
  rule('value', text, 'never', '', [10, 0], 'a', [10, 1, a]),
  rule('pointer', text, 'omitempty', undefined, [], '', [10, 0]),
  rule('pointer', text, 'never', null, [], 'a', [10, 1, a]),
  rule('value', { scalar: 'int32' }, 'omitempty', undefined, [8, 0], 7, [8, 7]),
  rule('value', { scalar: 'int32' }, 'never', 0, [8, 0], 300, [8, 0xac, 2]),
  rule('pointer', { scalar: 'int32' }, 'omitempty', undefined, [], 0, [8, 0]),
  rule('value', { scalar: 'int64' }, 'omitempty', undefined, [8, 0], 7, [8, 7]),
  rule('value', { scalar: 'int64' }, 'never', 0, [8, 0], 7, [8, 7]),
  rule('pointer', { scalar: 'int64' }, 'never', null, [], 0, [8, 0]),
  rule('value', { scalar: 'bool' }, 'omitempty', undefined, [8, 0], true, [8, 1]),
  rule('value', { scalar: 'bool' }, 'never', false, [8, 0], true, [8, 1]),
  rule('pointer', { scalar: 'bool' }, 'omitempty', undefined, [], false, [8, 0]),
  rule('pointer', { scalar: 'double' }, 'omitempty', undefined, [], -0, [9, 0, 0, 0, 0, 0, 0, 0, 0x80]),
  rule('value', { scalar: 'bytes' }, 'omitempty', undefined, [], 'YQ==', [10, 1, a]),
  rule('value', { scalar: 'bytes' }, 'never', null, [], '', [10, 0]),
  rule('value', partRef, 'omitempty', {}, [10, 2, 10, 0], { x: 'a' }, [10, 3, 10, 1, a]),
  rule('value', partRef, 'never', {}, [10, 2, 10, 0], { x: 'a' }, [10, 3, 10, 1, a]),
  rule('pointer', partRef, 'omitempty', undefined, [], {}, [10, 2, 10, 0]),
  rule('pointer', partRef, 'never', null, [], {}, [10, 2, 10, 0]),
  rule('slice', text, 'omitempty', undefined, [], ['a', ''], [10, 1, a, 10, 0]),
  rule('slice', text, 'never', null, [], ['a'], [10, 1, a]),
  rule('slice', partRef, 'never', null, [], [{}, { x: 'a' }], [10, 2, 10, 0, 10, 3, 10, 1, a]),
  rule('slice', { scalar: 'int64' }, 'omitempty', undefined, [], [1, 0], [8, 1, 8, 0]),
  rule('slice', { scalar: 'bool' }, 'omitempty', undefined, [], [true, false], [8, 1, 8, 0]),
  rule('slice', { scalar: 'bytes' }, 'omitempty', undefined, [], ['YQ==', ''], [10, 1, a, 10, 0]),
  rule('map', text, 'omitempty', undefined, [], { a: 'a' }, [10, 6, 10, 1, a, 18, 1, a]),
  rule('map', { scalar: 'bytes' }, 'omitempty', undefined, [], { a: 'YQ==' }, [10, 6, 10, 1, a, 18, 1, a]),
  rule('map', partRef, 'omitempty', undefined, [], { a: {} }, [10, 7, 10, 1, a, 18, 2, 10, 0]),
  rule('map', bareRef, 'omitempty', undefined, [], { a: ['a'] }, [10, 8, 10, 1, a, 18, 3, 10, 1, a]),
  rule('pointer', bareRef, 'never', null, [], ['a'], [10, 3, 10, 1, a]),
  rule('pointer', bareRef, 'never', null, [], [], [10, 0]),
  rule('value', { special: 'Time' }, 'omitempty', null, [10, 0], time, [10, 4, ...timeBytes]),
  rule('value', { special: 'Time' }, 'never', null, [10, 0], time, [10, 4, ...timeBytes]),
  rule('value', { special: 'Time' }, 'omitzero', undefined, [10, 0], time, [10, 4, ...timeBytes]),
  rule('pointer', { special: 'Time' }, 'omitempty', undefined, [], time, [10, 4, ...timeBytes]),
  rule(
    'value',
    { special: 'MicroTime' },
    'omitempty',
    null,
    [10, 0],
    '1970-01-01T00:00:00.000000Z',
    [10, 4, 8, 0, 16, 0],
  ),
  rule('value', { special: 'IntOrString' }, 'omitempty', 0, [10, 6, 8, 0, 16, 0, 26, 0], 'a', [
    10,
    7,
    8,
    1,
    16,
    0,
    26,
    1,
    a,
  ]),
  rule('pointer', { special: 'IntOrString' }, 'omitempty', undefined, [], 0, [10, 6, 8, 0, 16, 0, 26, 0]),
  rule('value', { special: 'Quantity' }, 'omitempty', '0', [10, 3, 10, 1, 0x30], '1', [10, 3, 10, 1, 0x31]),
  rule('pointer', { special: 'Quantity' }, 'omitempty', undefined, [], '1', [10, 3, 10, 1, 0x31]),
  rule('map', { special: 'Quantity' }, 'omitempty', undefined, [], { a: '1' }, [
    10,
    8,
    10,
    1,
    a,
    18,
    3,
    10,
    1,
    0x31,
  ]),
  rule('value', { special: 'Duration' }, 'omitempty', '0s', [10, 2, 8, 0], '1ns', [10, 2, 8, 1]),
  rule(
    'value',
    { special: 'RawExtension' },
    'omitempty',
    null,
    [10, 0],
    true,
    [10, 6, 10, 4, 0x74, 0x72, 0x75, 0x65],
  ),
  rule('pointer', { special: 'RawExtension' }, 'omitempty', undefined, [], 7, [10, 3, 10, 1, 0x37]),
  rule('slice', { special: 'JSON' }, 'omitempty', undefined, [], [null, 7], [10, 0, 10, 3, 10, 1, 0x37]),
];

const named = rules.map(
  (one) => [`${one.shape} ${JSON.stringify(one.element)} ${one.omission}`, one] as const,
);
const codecOf = ({ shape, element, omission }: Rule) =>
  compile(message('Thing', [field(1, 'f', { shape, element, omission })]), part, list);

describe('a protobuf field', () => {
  it.each(named)('reads absent fields as Go does: %s', (_, one) => {
    expect(codecOf(one).read([])).toStrictEqual(one.absent === undefined ? {} : { f: one.absent });
  });

  it.each(named)('writes absent fields as Go does: %s', (_, one) => {
    for (const object of [{}, { f: null }, { f: undefined }])
      expect(codecOf(one).write(object)).toEqual(one.zero);
  });

  it.each(named)('round-trips: %s', (_, one) => {
    const { read, write } = codecOf(one);
    expect(write({ f: one.value })).toEqual(one.bytes);
    expect(read(one.bytes)).toStrictEqual({ f: one.value });
    expect(write(read(one.bytes))).toEqual(one.bytes);
  });
});

/** A field that is present and empty prints as if it were absent, or as null, and is written again. */
describe('a protobuf field that is present and empty', () => {
  const cases: readonly (readonly [string, Partial<Field>, unknown])[] = [
    ['a time', { shape: 'pointer', element: { special: 'Time' } }, { f: null }],
    ['a moment', { shape: 'pointer', element: { special: 'MicroTime' } }, { f: null }],
    ['JSON', { shape: 'pointer', element: { special: 'JSON' } }, { f: null }],
    ['an object of any kind', { shape: 'pointer', element: { special: 'RawExtension' } }, { f: null }],
    ['bytes', { element: { scalar: 'bytes' } }, {}],
  ];

  it.each(cases)('is written again: %s', (_, rest, json) => {
    const { read, write } = compile(message('Thing', [field(1, 'f', rest)]));
    const object = read([10, 0]);
    expect(object).toStrictEqual(json);
    expect(write(object)).toEqual([10, 0]);
    expect(write({ ...object })).toEqual([]);
  });
});

describe('a message that is inlined in its parent', () => {
  const source = message('Source', [field(1, 'x', { omission: 'never' }), field(2, 'y', {})]);
  const outer = (inner: string) => [
    field(1, 'name', { omission: 'never' }),
    field(2, undefined, { element: { message: `t/v1.${inner}` } }),
  ];
  const { read, write } = compile(message('Volume', outer('Source')), source);

  it('reads its members into the parent', () => {
    const bytes = [10, 1, a, 18, 5, 10, 1, a, 18, 0];
    expect(read(bytes)).toStrictEqual({ x: 'a', name: 'a' });
    expect(write({ x: 'a', name: 'a' })).toEqual(bytes);
    expect(read([])).toStrictEqual({ x: '', name: '' });
  });

  it('keeps unknown fields of the parent', () => {
    const bytes = [10, 1, a, 18, 8, 10, 1, a, 18, 0, 0x7a, 1, 7, 0x72, 1, 8];
    expect(write(read(bytes))).toEqual(bytes);
  });

  it('contains an inlined message', () => {
    const twice = compile(
      message('Outer', [field(1, undefined, { element: { message: 't/v1.Volume' } })]),
      message('Volume', outer('Source')),
      source,
    );
    const bytes = [10, 10, 10, 1, a, 18, 5, 10, 1, a, 18, 0];
    expect(twice.read(bytes)).toStrictEqual({ x: 'a', name: 'a' });
    expect(twice.write({ x: 'a', name: 'a' })).toEqual(bytes);
  });

  it('throws for unknown members', () => {
    expect(() => write({ x: 'a', name: 'a', z: 1 })).toThrow(new TypeError('protobuf: z: unknown member'));
  });
});

describe('the code of a message', () => {
  const names = {
    read: (ref: string) => `read${ref.slice(5)}`,
    write: (ref: string) => `write${ref.slice(5)}`,
    use: (name: string) => name,
    local: (name: string) => name,
    message: () => undefined,
  };

  it('has only declarations of exported functions in declaration files', () => {
    expect(messageText(part, names, { form: 'dts', exported: true })).toBe(
      'export declare function readPart(r: Reader, end: number): Message;\nexport declare function writePart(w: Writer, m: Message): number;\n',
    );
    expect(messageText(part, names, { form: 'dts', exported: false })).toBe('');
  });

  it('is equal in JavaScript, without types', () => {
    const script = messageText(part, names, { form: 'js', exported: true });
    expect(script).not.toMatch(/: (?:Message|Reader|Writer|number|unknown)/);
    expect(script).toContain('export function readPart(r, end) {');
  });

  it('names its constants as the codecs of the runtime do', () => {
    const pod = message('CSIDriver', [field(1, 'x', {}), field(2, 'y', { shape: 'slice' })]);
    const source = messageText(pod, names, { form: 'ts', exported: false });
    expect(source).toContain("const csiDriverFields = '1 x,2 y*';");
    expect(source).toContain('const CSIDriverShape = /* @__PURE__ */ objectClass();');
    expect(source).toContain('new CSIDriverShape()');
    expect(source).toContain('f2 = append(f2, r.string());');
    expect(source).toContain('trimCapacity(f2)');
  });

  it('writes any name as a string literal', () => {
    const { read, write } = compile(
      message('Thing', [field(1, "a'b\\", { omission: 'never' }), field(2, '$ref', {})]),
    );
    expect(read([10, 1, a])).toStrictEqual({ "a'b\\": 'a' });
    expect(write({ $ref: 'a' })).toEqual([10, 0, 18, 1, a]);
  });
});
