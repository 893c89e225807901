import { describe, expect, it } from 'vitest';
import { randomSelection } from '../../../../test/support/random-selection.ts';
import { Seeded } from '../../../../test/support/runtime/random.ts';
import type { AnySelection } from '../../api/selected.ts';
import { jsonOf } from '../integers/write-json.ts';
import { LeanReader } from '../lean-json.ts';
import { StringPool } from '../string-pool.ts';
import { Projection } from './projection.ts';
import { JsonSkimmer } from './skim-json.ts';

const skimmerOf = (select: AnySelection, keepManagedFields = false): JsonSkimmer =>
  new JsonSkimmer(Projection.of(select).branch, keepManagedFields);

/** Returns the copy of an object that other bytes surround. */
function skim(text: string, select: AnySelection, keepManagedFields = false): string | undefined {
  const [before, after] = ['"},{"spec":[', ']}"'];
  const bytes = Buffer.from(`${before}${text}${after}`);
  return skimmerOf(select, keepManagedFields).object(bytes, before.length, bytes.length - after.length);
}

/** Returns the copy of the object in an event. */
function skimEvent(object: string, select: AnySelection): string | undefined {
  return skimmerOf(select).event(Buffer.from(`{"type":"ADDED","object":${object}}`));
}

const meta = '"metadata":{"name":"a"}';
const spec: AnySelection = { spec: { a: true } };

describe('a copy of selected members', () => {
  it.each<[text: string, select: AnySelection, want: string]>([
    [`{${meta},"spec":{"a":1,"b":2}}`, spec, `{${meta},"spec":{"a":1}}`],
    [`{"x":0,${meta},"y":{},"spec":{"b":2,"a":1},"z":[]}`, spec, `{${meta},"spec":{"a":1}}`],
    [`{"x":0,"y":1}`, spec, '{}'],
    ['{}', spec, '{}'],
    ['{"spec":{},"status":{}}', spec, '{"spec":{}}'],
    // Values without members.
    ['{"spec":null}', spec, '{"spec":null}'],
    ['{"spec":"text","x":-1.5e3}', spec, '{"spec":"text"}'],
    ['{"spec":[]}', spec, '{"spec":[]}'],
    ['{"spec":[ ]}', spec, '{"spec":[ ]}'],
    // Lists, and lists in lists.
    [
      '{"spec":[{"a":1,"b":2},{"b":2},7,null,{"b":[],"a":"x"}]}',
      spec,
      '{"spec":[{"a":1},{},7,null,{"a":"x"}]}',
    ],
    ['{"spec":[[{"b":1}],[],[[{"a":2}]]]}', spec, '{"spec":[[{}],[],[[{"a":2}]]]}'],
    // Strings that look like structure.
    [
      '{"x":"}],\\"spec\\":{\\\\","spec":{"b":"\\"a\\":[{","a":"\\\\\\""},"y":["]}"]}',
      spec,
      '{"spec":{"a":"\\\\\\""}}',
    ],
    // Maps, and names with a meaning in JavaScript.
    [
      '{"spec":{"a":{"x":1,"y":2},"b":{"x":3}}}',
      { spec: { '*': { x: true } } },
      '{"spec":{"a":{"x":1},"b":{"x":3}}}',
    ],
    ['{"spec":{"__proto__":{"a":1},"constructor":{"a":1}}}', spec, '{"spec":{}}'],
    ['{"spec":{"__proto__":{"a":1}}}', { spec: { '*': true } }, '{"spec":{"__proto__":{"a":1}}}'],
    // Escape sequences and other characters in names.
    ['{"\\u0073pec":{"\\u0061":1,"\\u0062":2}}', spec, '{"\\u0073pec":{"\\u0061":1}}'],
    ['{"sp\\u00e9c":{"ä":1},"späc":{"ä":1,"a":2}}', { späc: { ä: true } }, '{"späc":{"ä":1}}'],
    ['{"a\\"b":1,"a/b":2,"a\\/b":3}', { 'a"b': true, 'a/b': true }, '{"a\\"b":1,"a/b":2,"a\\/b":3}'],
    // Duplicate names.
    ['{"spec":{"a":1},"spec":5,"spec":{"a":2,"b":1}}', spec, '{"spec":{"a":1},"spec":5,"spec":{"a":2}}'],
    // White space.
    [' {\t"x" : 1 ,\r\n"spec" : { "b" : [ ] , "a" : 1 } } ', spec, '{"spec" : {"a" : 1 }}'],
    // Long texts.
    [
      `{"x":"${'é'.repeat(20_000)}","spec":{"a":"${'ü'.repeat(20_000)}"}}`,
      spec,
      `{"spec":{"a":"${'ü'.repeat(20_000)}"}}`,
    ],
  ])('of %.60s', (text, select, want) => {
    expect(skim(text, select)).toBe(want);
    if (text.startsWith('{')) expect(skimEvent(text, select)).toBe(`{"type":"ADDED","object":${want}}`);
  });

  it.each<[text: string, keep: boolean, want: string]>([
    ['{"metadata":{"a":1,"managedFields":[{"b":"]"}],"c":2}}', false, '{"metadata":{"a":1,"c":2}}'],
    ['{"metadata":{"managedFields":[{}]},"spec":{}}', false, '{"metadata":{}}'],
    ['{"metadata":{"a":1,"managedFields":[{}]}}', true, '{"metadata":{"a":1,"managedFields":[{}]}}'],
  ])('has no managedFields of %s unless they are kept: %o', (text, keep, want) => {
    expect(skim(text, { metadata: true }, keep)).toBe(want);
  });
});

describe('irregular bytes are not copied', () => {
  it.each([
    '',
    ' ',
    '[]',
    '7',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{,"a":1}',
    '{"a" 1}',
    '{a:1}',
    '{"a":1 "b":2}x',
    '{"a":[}',
    '{"a":"',
    '{"spec":[{"a":1}',
    '{"spec":[{"a":1};]}',
    '{"spec":[,]}x',
    '{"spec":{"a":1}]',
    '{"a":1}{"b":2}',
    '\ufeff{"a":1}',
  ])('%s', (text) => {
    expect(skimmerOf(spec).object(Buffer.from(text), 0, Buffer.byteLength(text))).toBeUndefined();
  });

  it('every prefix of an object', () => {
    const text =
      '{"x":[{"a":"}"},{}],"metadata":{"name":"a","labels":{"b":"c"}},"spec":[{"a":1,"b":[2]},"x"],"y":{}}';
    for (let end = 0; end < text.length; end += 1)
      expect(skim(text.slice(0, end), spec), `${end}`).toBeUndefined();
  });

  it('lists in lists in lists', () => {
    const deep = (depth: number): string => `{"spec":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(skim(deep(50), spec)).toBe(deep(50));
    expect(skim(deep(100_000), spec)).toBeUndefined();
    expect(skim(deep(100_000), { status: true })).toBe('{}');
  });

  it.each([
    '{"type":"BOOKMARK","object":{"metadata":{}}}',
    '{"type":"ERROR","object":{"code":410}}',
    '{"object":{},"type":"ADDED"}',
    '{"type":"ADDED","object":7}',
    '{"type":"ADDED","object":{"a":1}',
    '{"type":"ADDED"}',
  ])('events of another form: %s', (line) => {
    const text = skimmerOf(spec).event(Buffer.from(line));
    if (text !== undefined) expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });
});

it('the end of managedFields is not guessed within a string', () => {
  const reader = new LeanReader({
    keepManagedFields: false,
    strings: new StringPool(),
    projection: () => Projection.of({ metadata: { labels: true }, spec: true }),
  });
  const strings = ['x}],', 'x}]', '}]}', '}]},', '}]}}', '}],\\"spec\\":{', ':1}],', '}]}},'];
  for (const one of strings) {
    for (const other of strings) {
      const fields = `[{"a":"${one}","${other}":{"b":1},":":":"}]`;
      const object = { metadata: { name: 'a', labels: { b: 'c' } }, spec: { d: 1 }, status: { e: [1] } };
      const text = JSON.stringify(object).replace(',"labels"', `,"managedFields":${fields},"labels"`);
      const event: unknown = reader.parseLine(Buffer.from(`{"type":"MODIFIED","object":${text}}`));
      const { status: _, ...want } = object;
      expect(JSON.parse(JSON.stringify(event)), fields).toEqual({ type: 'MODIFIED', object: want });
    }
  }
});

/** Random objects as JSON, with their names from a few. */
class Writer {
  readonly #random: Seeded;

  constructor(random: Seeded) {
    this.#random = random;
  }

  object(depth: number): string {
    const members = Array.from({ length: this.#random.below(6) }, () => this.#member(depth));
    return `{${this.#space()}${members.join(',')}}`;
  }

  #member(depth: number): string {
    const name = this.#pick(['metadata', 'spec', 'labels', 'managedFields', 'name', 'a', 'ä', '__proto__']);
    const key = this.#random.chance(0.05) ? name.replace('a', '\\u0061') : name;
    return `${this.#space()}"${key}"${this.#space()}:${this.#space()}${this.#value(depth - 1)}${this.#space()}`;
  }

  #value(depth: number): string {
    const kind = this.#random.below(depth <= 0 ? 3 : 8);
    if (kind === 0) return this.#pick(['0', '-1.5e3', 'true', 'null', '9007199254740993', '[]', '{}']);
    if (kind < 3) return JSON.stringify(this.#pick(['', 'plain', '"}]', '\\', ',"a":{', '€', '\u2028']));
    if (kind > 4) return this.object(depth);
    const items = Array.from({ length: this.#random.below(4) }, () => this.#value(depth - 1));
    return `[${items.join(`${this.#space()},`)}]`;
  }

  #pick(texts: readonly string[]): string {
    return this.#random.pick(texts) ?? '';
  }

  #space(): string {
    return this.#random.chance(0.1) ? this.#pick([' ', '\n  ', '\r\n\t']) : '';
  }
}

const reading = (projection: Projection | undefined): LeanReader =>
  new LeanReader({ keepManagedFields: false, strings: new StringPool(), projection: () => projection });

it.each([1, 2])('copies select the same as the whole, and prefixes are refused: seed %i', (seed) => {
  const random = new Seeded(seed);
  const writer = new Writer(random);
  const whole = reading(undefined);
  let passed = 0;
  for (let round = 0; round < 1000; round += 1) {
    const text = writer.object(4);
    const bytes = Buffer.from(text);
    const object: unknown = whole.readItem(bytes, 0, bytes.length);
    const projection = Projection.of(randomSelection(object, random));
    const want = projection.pick(Object(object));
    const why = `seed ${seed}, round ${round}: ${projection.key} of ${text}`;
    // A reader makes no copies for a while after objects of which most is selected.
    const lean = reading(projection);
    expect(jsonOf(lean.readItem(bytes, 0, bytes.length)), why).toBe(jsonOf(want));
    const event = Buffer.from(`{"type":"ADDED","object":${text}}`);
    expect(jsonOf(reading(projection).parseLine(event)), why).toBe(jsonOf({ type: 'ADDED', object: want }));
    const copy = new JsonSkimmer(projection.branch, false).object(bytes, 0, bytes.length);
    if (copy !== undefined && copy.length < text.length) passed += 1;
    const end = random.below(text.trimEnd().length);
    expect(
      () =>
        reading(projection).readItem(
          Buffer.from(text.slice(0, end)),
          0,
          Buffer.byteLength(text.slice(0, end)),
        ),
      why,
    ).toThrow(SyntaxError);
  }
  expect(passed).toBeGreaterThan(450);
});
