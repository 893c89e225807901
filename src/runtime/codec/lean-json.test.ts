import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { Seeded } from '../../../test/support/runtime/random.ts';
import { seedsOf } from '../../../test/support/seeds.ts';
import { ItemsReader } from './items-reader.ts';
import { parseLineLazily, readItemLazily } from './lazy/lazy-json.ts';
import { LeanReader } from './lean-json.ts';
import { StringPool } from './string-pool.ts';

const reader = (keepManagedFields = false): LeanReader =>
  new LeanReader({ keepManagedFields, strings: new StringPool() });

/** The expected result: all members of `metadata` except one. */
function without(object: unknown): unknown {
  const { metadata } = Object(object);
  if (metadata instanceof Object && !Array.isArray(metadata))
    Reflect.deleteProperty(metadata, 'managedFields');
  return object;
}

type Outcome = { readonly value: unknown; readonly text: string } | 'refused';

/** Compares strings too, in which the order of members counts. */
function outcome(read: () => unknown): Outcome {
  try {
    const value = read();
    return { value, text: JSON.stringify(value) };
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return 'refused';
  }
}

function readItem(text: string): Outcome {
  const before = '"},{"metadata":{"managedFields":[';
  const bytes = Buffer.from(`${before}${text}]}"`);
  return outcome(() => reader().readItem(bytes, before.length, bytes.length - 3));
}

/** Checks the object as an item of a list and in an event. */
function check(text: string, why?: string): void {
  expect(readItem(text), why).toStrictEqual(outcome(() => without(JSON.parse(text))));
  const event = (object: unknown): unknown => ({ type: 'ADDED', object });
  const got = outcome(() =>
    reader().parseLine(new TextEncoder().encode(`{"type":"ADDED","object":${text}}`)),
  );
  expect(got, why).toStrictEqual(outcome(() => event(without(JSON.parse(text)))));
  checkLazy(text, why);
}

/** With `managedFields` that are parsed on first access, the object is that of `JSON.parse`. */
function checkLazy(text: string, why?: string): void {
  const bytes = Buffer.from(`"},${text}]`);
  const item = outcome(() => readItemLazily(bytes, 3, bytes.length - 1));
  expect(item, why).toStrictEqual(outcome(() => JSON.parse(text)));
  const line = `{"type":"ADDED","object":${text}}`;
  const event = outcome(() => parseLineLazily(Buffer.from(line)));
  expect(event, why).toStrictEqual(outcome(() => JSON.parse(line)));
}

const fields = '[{"manager":"a\\"]","fieldsV1":{"f:x":{"k:{\\"a\\":\\"]}\\"}":{}}}},{"operation":"}]"}]';
const formatted = (text: string): string => JSON.stringify(JSON.parse(text), undefined, 2);

const objects: readonly string[] = [
  `{"metadata":{"name":"a","managedFields":${fields},"uid":"u"},"spec":{}}`,
  `{"metadata":{"name":"a","managedFields":${fields}},"spec":{}}`,
  `{"metadata":{"managedFields":${fields},"name":"a"},"spec":{}}`,
  `{"metadata":{"managedFields":${fields}}}`,
  `{"kind":"Pod","spec":{"a":[1,{"b":"]"},-1.5e3,true]},"metadata":{"a":1,"managedFields":${fields}}}`,
  formatted(`{"kind":"Pod","metadata":{"name":"a","managedFields":${fields},"uid":"u"},"spec":[]}`),
  formatted(`{"metadata":{"name":"a","managedFields":${fields}},"spec":[]}`),
  `\t{ "metadata" : { "a" : 1 , "managedFields" : ${fields} , "b" : 2 } } \r\n`,
  // In other places it is kept.
  '{"metadata":{"name":"a"},"data":{"managedFields":[1]}}',
  '{"metadata":{"name":"a","annotations":{"managedFields":[1],"metadata":{"managedFields":[2]}}}}',
  '{"spec":{"template":{"metadata":{"name":"a","managedFields":[{}]}}}}',
  '{"spec":{"metadata":{"name":"a","managedFields":[{}]}},"metadata":{"name":"b"}}',
  `{"spec":{"properties":{"metadata":{"x":1,"managedFields":[1]}}},"metadata":{"x":2,"managedFields":${fields}}}`,
  '{"managedFields":[1],"metadata":{"name":"a"}}',
  '{"object":{"metadata":{"name":"a","managedFields":[1]}},"metadata":{"name":"b"}}',
  '{"metadata":[{"name":"a","managedFields":[1]}]}',
  '[{"metadata":{"name":"a","managedFields":[1]}}]',
  // Strings that look like it.
  '{"metadata":{"name":"\\"managedFields\\":[1]","b":",\\"managedFields\\":[1]"}}',
  '{"metadata":{"name":"a","x\\\\":1,"x\\"managedFields":[1],"x\\\\\\"managedFields":[2],"y":"managedFields"}}',
  '{"metadata":{"name":"managedFields","managedFields ":[1],"ManagedFields":[2]}}',
  '{"a":"{\\"metadata\\":{","metadata":"managedFields"}',
  // Escaped or duplicate keys.
  '{"metadata":{"name":"a","managed\\u0046ields":[1],"b":1}}',
  '{"m\\u0065tadata":{"name":"a","managedFields":[1],"b":1}}',
  '{"metadata":{"name":"a","managedFields":[1],"managedFields":[2],"b":1}}',
  '{"metadata":{"managedFields":[1],"managedFields":[2]}}',
  '{"metadata":{"name":"a","managedFields":[1],"b":1},"metadata":{"name":"c","managedFields":[2]}}',
  '{"metadata":{"name":"a","managedFields":[1]},"metadata":5}',
  '{"metadata":null,"metadata":{"name":"a","managedFields":[1]}}',
  '{"metadata":{"name":"a","managedFields":[1]},"met\\u0061data":{"name":"b","managedFields":[2],"c":1}}',
  '{"met\\u0061data":{"name":"a","managedFields":[1]},"metadata":{"name":"b","managedFields":[2],"c":1}}',
  '{"metadata":{"name":"a","managedFields":[1],"managed\\u0046ields":[2],"b":1}}',
  '{"metadata":{"name":"a","managed\\u0046ields":[1],"managedFields":[2],"b":1}}',
  // Values that are not lists, or empty lists.
  ...['[]', '[ ]', 'null', '{}', '{"a":[1]}', '"text"', '1', '-0.5e+7', 'false'].map(
    (value) => `{"metadata":{"name":"a","managedFields":${value},"b":1}}`,
  ),
  // Names with a meaning in JavaScript, and multi-byte characters.
  '{"__proto__":{"metadata":{"a":1,"managedFields":[1]}},"metadata":{"__proto__":{"x":1},"managedFields":[{}],"constructor":1}}',
  '{"metadata":{"__proto__":{"x":1},"managed\\u0046ields":[{}],"constructor":1}}',
  '{"metadata":{"name":"ä€😀","managedFields":[{"manager":"€]"}],"b":"\u2028"}}',
  // Values that are not objects.
  '{}',
  '[]',
  'null',
  '"metadata"',
  '{"metadata":{}}',
  '{"metadata":null}',
];

const broken: readonly string[] = [
  '',
  ' ',
  '{',
  '{"metadata"',
  '{"metadata":',
  '{"metadata":{',
  '{"metadata":{"a":1,"managedFields":',
  '{"metadata":{"a":1,"managedFields":[',
  '{"metadata":{"a":1,"managedFields":["]}}',
  '{"metadata":{"a":1,"managedFields":[]',
  '{"metadata":{"a":1,"managedFields":[}}}',
  '{"metadata":{"a":1,"managedFields":[{"b":{}},"c":1},"d":1}}',
  '{"metadata":{"a":1,"managedFields":[]]}}',
  '{"metadata":{"a":1,"managedFields":[]:1}}',
  '{"metadata":{"a":1,"managedFields":[]5}}',
  '{"metadata":{"a":1,"managedFields":[].5,"b":1}}',
  '{"metadata":{"a":1,"managedFields":[] "b":1}}',
  '{"metadata":{"a":1,"managedFields":[],}}',
  '{"metadata":{"a":1,"managedFields":[],,"b":1}}',
  '{"metadata":{"a":1,,"managedFields":[]}}',
  '{"metadata":{,"managedFields":[]}}',
  '{"metadata":{"a":1 "managedFields":[]}}',
  '{"metadata":{"a":1,"managedFields" []}}',
  '{"metadata":{"a":1,"managedFields";[],"b":1}}',
  '{"metadata":{"a":tru,"managedFields":[]}}',
  '{"metadata":{"a":1,managedFields:[]}}',
  '{"metadata":{"a":1,"managedFields":[]}',
  '{"metadata":{"a":1,"managedFields":[]}}}',
];

describe('an object', () => {
  it.each(objects)('is read without managedFields: %s', (text) => check(text));
  it.each(objects)('with everything is what JSON.parse makes of it: %s', (text) => {
    const bytes = Buffer.from(text);
    const got = outcome(() => reader(true).readItem(bytes, 0, bytes.length));
    expect(got).toStrictEqual(outcome(() => JSON.parse(text)));
  });
  it.each(broken)('that is no JSON is refused: %s', (text) => {
    expect(readItem(text)).toBe('refused');
    check(text);
  });
  it.each(objects.slice(0, 8))('that ends too early is refused at every byte: %s', (text) => {
    for (let end = 0; end < text.trimEnd().length; end += 1) check(text.slice(0, end), `cut at ${end}`);
  });
});

describe('the bytes of managedFields', () => {
  it.each([0, 5])('are not parsed: %o', (index) => {
    const parse = vi.spyOn(JSON, 'parse');
    check(objects[index] ?? '');
    const parsed = parse.mock.calls.map(([text]) => text);
    parse.mockRestore();
    expect(parsed[0]).not.toContain('manage');
    expect(parsed[2]).not.toContain('manage');
  });
});

it.each([
  '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7"}}}',
  '{"object":{"metadata":{"a":1,"managedFields":[1]}},"type":"ADDED","metadata":{"a":1,"managedFields":[2]}}',
  '{"object":{"metadata":{"a":1,"managedFields":[1]}},"object":{"metadata":{"b":1,"managedFields":[2]}}}',
  '{"object":{"metadata":{"a":1,"managedFields":[1]}},"\\u006fbject":{"metadata":{"b":1,"managedFields":[2]}}}',
  '{"\\u006fbject":{"metadata":{"a":1,"managedFields":[1]}},"object":{"metadata":{"b":1,"managedFields":[2]}}}',
  '{"type":"ERROR","object":{"kind":"Status","metadata":{},"code":410}}',
  '{"type":"ADDED","object":null}',
  '{"type":"ADDED"}',
  '[]',
  'null',
])('a line is read without managedFields of its object: %s', (line) => {
  const want: unknown = JSON.parse(line);
  without(Object(want).object);
  expect(reader().parseLine(Buffer.from(line))).toStrictEqual(want);
});

/** Random objects as JSON. */
class Writer {
  readonly #random: Seeded;

  constructor(random: Seeded) {
    this.#random = random;
  }

  object(depth = 4): string {
    const members = Array.from({ length: this.#random.below(5) }, () => this.#member(depth));
    return `{${this.#space()}${members.join(',')}}`;
  }

  #member(depth: number): string {
    const key = this.#random.pick([
      'metadata',
      'metadata',
      'managedFields',
      'managedFields',
      'a',
      'ä\\"',
      'object',
    ]);
    const value =
      key === 'metadata' && this.#random.chance(0.7) ? this.object(depth) : this.#value(depth - 1);
    const escaped = this.#random.chance(0.03) ? key?.replace('d', '\\u0064') : key;
    return `${this.#space()}"${escaped}"${this.#space()}:${this.#space()}${value}${this.#space()}`;
  }

  #value(depth: number): string {
    const kind = this.#random.below(depth <= 0 ? 3 : 7);
    if (kind === 0) return this.#random.pick(['0', '-1.5e3', 'true', 'null']) ?? '';
    if (kind < 3) return this.#text();
    if (kind > 4) return this.object(depth);
    const items = Array.from({ length: this.#random.below(4) }, () => this.#value(depth - 1));
    return `[${this.#space()}${items.join(`${this.#space()},`)}]`;
  }

  #text(): string {
    const parts = ['"managedFields":[', '\\', '"', ']}', '€', ',"metadata":{', 'plain text to share'];
    return JSON.stringify(
      Array.from({ length: this.#random.below(4) }, () => this.#random.pick(parts)).join(''),
    );
  }

  #space(): string {
    return this.#random.chance(0.1) ? (this.#random.pick([' ', '\n  ', '\r\n\t']) ?? '') : '';
  }
}

it.each(seedsOf({ all: 8, few: 2 }))('objects by chance are read without managedFields: seed %i', (seed) => {
  const writer = new Writer(new Seeded(seed));
  let dropped = 0;
  for (let round = 0; round < 2000; round += 1) {
    const text = writer.object();
    if (JSON.stringify(without(JSON.parse(text))) !== JSON.stringify(JSON.parse(text))) dropped += 1;
    check(text, `seed ${seed}, round ${round}: ${text}`);
  }
  expect(dropped).toBeGreaterThan(150);
});

it.each([
  '[{"manager":"]"}]',
  '[{"manager":"}]"}]',
  '[{"manager":"}],"},{"a":"}"}]',
  '[{"a":[{}]},{"b":[{"c":[{}]}]}]',
  '[{"manager":"\\\\]"}]',
  '[{"manager":"],"},{"operation":"}"}]',
  '[{"manager":"]}},1:{","a":":"}]',
  '[[],{"a":[[1],[]]}]',
  '[{"a":{"b":[1]}},{"c":[]}]',
  '[{"a":{"b":[1]}}]',
  '["]}}"]',
])('a line is read, with the first closing bracket not at the end: %s', (list) => {
  const lean = reader();
  const plain = JSON.stringify({ type: 'ADDED', object: { metadata: { a: 1, managedFields: [{}], b: 2 } } });
  for (const rest of [
    ',"b":2},"spec":{"a":[1]}}}',
    '}}}',
    '},"a":"]"}}',
    '},"a":[{"b":["}"]}]}}',
    '}},"x":[]}',
  ]) {
    // After a wrong guess, and after the number of lines until guessing resumes.
    for (const before of [0, 1, 99, 100, 101, 200]) {
      for (let line = 0; line < before; line += 1) lean.parseLine(Buffer.from(plain));
      const text = `{"type":"ADDED","object":{"metadata":{"name":"a","managedFields":${list}${rest}`;
      const want: unknown = JSON.parse(text);
      without(Object(want).object);
      expect(lean.parseLine(Buffer.from(text))).toStrictEqual(want);
    }
  }
});

it('a line is refused that ends within managedFields, also where the rest would be JSON without them', () => {
  const line = '{"type":"ADDED","object":{"metadata":{"a":1,"managedFields":[{"x":{"y":{"z":[{}],"w":1}}}';
  expect(() => reader().parseLine(Buffer.from(line))).toThrow(SyntaxError);
});

it.each([10, 70_000])('an object of %i bytes and more', (length) => {
  const long = '€'.repeat(length);
  check(`{"metadata":{"name":"${long}","managedFields":${fields},"uid":"u"},"spec":{"a":"${long}"}}`);
});

it.each([true, false])('texts are shared, with managedFields: %o', (keepManagedFields) => {
  const strings = new StringPool();
  const share = vi.spyOn(strings, 'share');
  const lean = new LeanReader({ keepManagedFields, strings });
  const item = Buffer.from('{"metadata":{"name":"a name that recurs","managedFields":[]}}');
  const values = [
    lean.readItem(item, 0, item.length),
    lean.parseLine(Buffer.from(`{"type":"ADDED","object":${item}}`)),
  ];
  expect(share.mock.calls).toHaveLength(2);
  for (const [index, value] of values.entries()) expect(share.mock.calls[index]?.[0]).toBe(value);
});

it('distinguishes items of a list by their ends, not by the members that are omitted', () => {
  const [first = ''] = objects;
  const traps = [
    fields,
    '["},{\\"metadata\\":{"]',
    '[{"a":[{},{"metadata":{"b":1}}]},{"metadata":{}}]',
    // If only the bytes up to the first closing bracket are removed, the first part looks like a whole
    // object.
    '[{"a":{"b":[{}]}},{"metadata":{}}]',
  ];
  const items = Array.from({ length: 2000 }, (_, index) =>
    first.replace(fields, () => traps[index % traps.length] ?? '').replace('"u"', `"u${index}"`),
  );
  const want = items.map((item) => without(JSON.parse(item)));
  const list = new ItemsReader(reader().readItem);
  list.push(Buffer.from(`${items.join(',')}]`));
  list.complete();
  let step = list.step();
  while (step === 'item') step = list.step();
  expect(step).toBe('ended');
  expect(list.items).toEqual(want);
});

const corpus = process.env['KGEN_CORPUS'];
const golden = corpus === undefined ? '' : join(corpus, 'golden');
const versions = existsSync(golden) ? readdirSync(golden) : [];

describe.skipIf(versions.length === 0)('objects of a Kubernetes release, where KGEN_CORPUS has them', () => {
  it.each(versions)('%s', (version) => {
    const names = readdirSync(join(golden, version)).filter((name) => name.endsWith('.json'));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const text = readFileSync(join(golden, version, name), 'utf8');
      check(text, name);
      check(JSON.stringify(JSON.parse(text)), name);
    }
  });
});
