import { describe, expect, it } from 'vitest';
import { loadAllYaml, loadYaml } from './load.ts';

// Results of kubectl 1.36 for the same input, except for integers, which it rounds beyond 64 bits.
describe('plain scalars', () => {
  it.each<[text: string, want: unknown]>([
    ['yes', true],
    ['on', true],
    ['Y', true],
    ['n', false],
    ['Off', false],
    ['TRUE', true],
    ['tRue', 'tRue'],
    ['~', null],
    ['NULL', null],
    ['nULL', 'nULL'],
    ['', null],
    ['1_000', 1000],
    ['012', 10],
    ['08', 8],
    ['0o7', 7],
    ['0o8', '0o8'],
    ['0x1F', 31],
    ['+0x_1f', 31],
    ['-0b11', -3],
    ['1e3', 1000],
    ['685.230_15e+03', 685230.15],
    ['.5', 0.5],
    ['.5_0', 0.5],
    ['5.', 5],
    ['1._5', 1.5],
    ['-_1', -1],
    ['_1', '_1'],
    ['1e400', '1e400'],
    ['1:30', '1:30'],
    ['2001-12-14', '2001-12-14'],
    ['2001-12-14 21:59:43.10 -5', '2001-12-14 21:59:43.10 -5'],
    ['1.2.3', '1.2.3'],
    ['=', '='],
    ['.', '.'],
    ['-', undefined],
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775809', -9223372036854775809n],
    ['0xFFFFFFFFFFFFFFFFFF', '0xFFFFFFFFFFFFFFFFFF'],
    ['"yes"', 'yes'],
    ['!!str 5', '5'],
    ['!!int "3"', 3],
    ['!!float 3', 3],
    ['!!bool "yes"', true],
    ['!!binary aGVsbG8=', 'hello'],
    ['!!timestamp 2001-12-14', '2001-12-14'],
    ['!ours text', 'text'],
    ['!!set {a, b}', { a: null, b: null }],
  ])('%s: %o', async (text, want) => {
    if (want === undefined) await expect(loadYaml(`a: ${text}`)).rejects.toThrow(SyntaxError);
    else expect(await loadYaml(`a: ${text}`)).toEqual({ a: want });
  });
});

describe('maps', () => {
  it.each<[text: string, want: unknown]>([
    ['{"a": [1, "x", null]}', { a: [1, 'x', null] }],
    ['\ufeffa: 1', { a: 1 }],
    ['1: x\n1.5: w\nyes: z', { '1': 'x', '1.5': 'w', true: 'z' }],
    ['d: &d {x: 1}\ne:\n  <<: *d\n  z: 2', { d: { x: 1 }, e: { x: 1, z: 2 } }],
    ['"<<": a', { '<<': 'a' }],
    ['d: &d {x: 1}\nf: &f {w: 1}\ne:\n  <<: *d\n  <<: *f', { d: { x: 1 }, f: { w: 1 }, e: { x: 1, w: 1 } }],
    ['a: &x 1\nb: &x 2\nc: *x', { a: 1, b: 2, c: 2 }],
    ['a: !!js/function "function () {}"', { a: 'function () {}' }],
    ['a: |\n  one\n  two\nb: >-\n  one\n  two', { a: 'one\ntwo\n', b: 'one two' }],
  ])('%j', async (text, want) => {
    expect(await loadYaml(text)).toEqual(want);
  });

  it('parses a map of a hundred thousand keys', { timeout: 60_000 }, async () => {
    // A check that compares each key with all others would take hours.
    const text = Array.from({ length: 100_000 }, (_, index) => `k${index}: x\n`).join('');
    expect(Object.keys(await loadYaml<object>(text))).toHaveLength(100_000);
  });

  it('parses keys named __proto__ as keys', async () => {
    const value = await loadYaml<{ a: object }>(
      'a: {__proto__: {polluted: true}, constructor: {prototype: 1}}',
    );
    expect(Object.keys(value.a)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value.a)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });
});

describe('aliases', () => {
  it('are expanded in any number, to values of their own', async () => {
    const text = `a: &a {app: web}\nitems:\n${'- {labels: *a}\n'.repeat(5_000)}`;
    const { items } = await loadYaml<{ items: { labels: { app: string } }[] }>(text);
    expect(items).toHaveLength(5_000);
    expect(items.every(({ labels }) => labels.app === 'web')).toBe(true);
    expect(items[0]?.labels).not.toBe(items[1]?.labels);
  });

  it('may expand to nearly all of a document', async () => {
    const part = `a: &a [${'x, '.repeat(1_000)}]\n`;
    const values = await loadYaml<object>(`${part}b: [${'*a, '.repeat(90)}]\n`);
    expect(values).toMatchObject({ b: { length: 90 } });
  });

  it.each([
    ['aliases', `a: &a [${'x, '.repeat(10)}]\nb: &b [${'*a, '.repeat(500)}]\nc: [${'*b, '.repeat(500)}]`],
    ['merges', `a: &a {x: 1}\nb: &b {<<: [${'*a, '.repeat(500)}]}\nc: {<<: [${'*b, '.repeat(500)}]}`],
    ['few aliases in each of many levels', levels(40, (n) => `[*a${n}, *a${n}]`)],
    ['merges in each of many levels', levels(40, (n) => `{<<: [*a${n}, *a${n}]}`)],
  ])('are rejected if %s expand a document beyond the limits of kubectl', async (_, text) => {
    await expect(loadYaml(text)).rejects.toThrow(/not YAML: the aliases .* expand to too many values/);
  });
});

/** Returns a document in which each value contains the one before. */
function levels(count: number, next: (before: number) => string): string {
  const lines = Array.from({ length: count }, (_, level) => `a${level + 1}: &a${level + 1} ${next(level)}\n`);
  return `a0: &a0 {x: 1}\n${lines.join('')}`;
}

describe('errors', () => {
  const bomb = Array.from(
    { length: 9 },
    (_, i) => `a${i}: &a${i} [${i === 0 ? 'x' : `*a${i - 1},`.repeat(9)}]`,
  );
  it.each<[what: string, text: string, message: RegExp]>([
    ['bad indentation', 'a:\n  b: 1\n c: 2', /^apps.yaml:3:\d+: not YAML: /],
    ['an open quote', 'a: "secret', /^apps.yaml:1:\d+: not YAML: missing char/],
    ['tabs', 'a:\n\tb: 1', /^apps.yaml:2:1: not YAML: /],
    ['keys that occur twice', 'a: 1\nb: 2\na: 3', /^apps.yaml:3:1: not YAML: duplicate key/],
    ['a list as a key', 'x: 1\n? [a]\n: b', /^apps.yaml:2:3: not YAML: a key is not a string/],
    ['null as a key', 'x: 1\nnull: b', /^apps.yaml:2:1: not YAML: a key is empty or null/],
    ['keys that are one key as text', 'x:\n  1: a\n  "1": b', /^apps.yaml:3:3: not YAML: duplicate key/],
    ['no key', 'x: 1\n: b', /^apps.yaml:2:\d+: not YAML: a key is empty or null/],
    ['an unknown alias', 'x: 1\na: *b', /^apps.yaml:2:4: not YAML: an alias .* without an anchor/],
    ['an alias before its anchor', 'a: *b\nx: &b 1', /^apps.yaml:1:4: not YAML: an alias .* without/],
    ['a value in itself', 'a: &a\n  b: [*a]', /^apps.yaml:2:7: not YAML: an alias .* contains it/],
    ['a merge of itself', 'a: &a\n  <<: *a', /^apps.yaml:2:7: not YAML: an alias .* contains it/],
    [
      'a merge of a value that is not a map',
      'a:\n  <<: 3',
      /^apps.yaml:2:3: not YAML: a merge \(<<\) of a value/,
    ],
    [
      'a merge of a list of other values',
      'a:\n  <<: [{b: 1}, 3]',
      /^apps.yaml:2:3: not YAML: a merge \(<<\)/,
    ],
    ['a bomb of aliases', bomb.join('\n'), /^apps.yaml:\d:\d+: not YAML: the aliases .* expand to too/],
    ['depth', '['.repeat(100_000), /^apps.yaml.*: not YAML: /],
    ['nothing', '# only a comment\n', /^apps.yaml: no document found/],
    ['two documents', 'a: 1\n---\nb: 2', /^apps.yaml:3:1: a second document; loadAllYaml/],
  ])('%s', async (_, text, message) => {
    const problem = await loadYaml(text, { source: 'apps.yaml' }).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(SyntaxError);
    expect(String(problem).replace('SyntaxError: ', '')).toMatch(message);
    expect(String(problem)).not.toContain('secret');
  });
});

describe('loadAllYaml', () => {
  it.each<[text: string, want: unknown[]]>([
    ['', []],
    ['---\n---\n# nothing\n', []],
    ['a: 1\n---\n---\n# nothing\n---\nb: 2\n...\n', [{ a: 1 }, { b: 2 }]],
    ['kind: List\nitems: [{a: 1}, {a: 2}]', [{ kind: 'List', items: [{ a: 1 }, { a: 2 }] }]],
    ['%YAML 1.1\n---\na: yes', [{ a: true }]],
    ['{"a":1}\n{"b":"}{"}\n', [{ a: 1 }, { b: '}{' }]],
    ['{"a":1}{"b":2}{"c":{}}', [{ a: 1 }, { b: 2 }, { c: {} }]],
    ['\ufeff\n{\n\t"a": "é"\n}\r\n{\n  "b": [\n    {}\n  ]\n}\n\n', [{ a: 'é' }, { b: [{}] }]],
    [
      '{"a":12345678901234567890} {"b":9007199254740993}',
      [{ a: 12345678901234567890n }, { b: 9007199254740993n }],
    ],
    ['{"a":1}\n---\n{"b":2}\n---\nc: 3', [{ a: 1 }, { b: 2 }, { c: 3 }]],
    ['{"a":1}\nb: 2\n---\nc: 3', [{ a: 1 }, { b: 2 }, { c: 3 }]],
    ['{"a":1}\n# nothing', [{ a: 1 }]],
    ['{a: 1}\n', [{ a: 1 }]],
  ])('%j', async (text, want) => {
    expect(await loadAllYaml(text)).toEqual(want);
  });

  it.each([
    ['{"a":1}\n{"b":2}\n{"c":', 'yaml:3:1: not JSON, after several JSON values'],
    ['{"a":1}{"b":2}\n---\nc: 3', 'yaml:2:1: not JSON, after several JSON values'],
    ['{"é":1}\n  {"b":1,"b":2}', 'yaml:2:10: not YAML: duplicate key'],
    ['{"a":1},{"b":2}', 'yaml:1:8: not YAML: '],
  ])('names the JSON value that cannot be parsed: %j', async (text, message) => {
    await expect(loadAllYaml(text)).rejects.toThrow(message);
    await expect(loadAllYaml(text)).rejects.toThrow(SyntaxError);
  });

  it('names the second JSON value of a text with one document', async () => {
    await expect(loadYaml('{"a":1}\n{"b":2}')).rejects.toThrow('yaml:2:1: a second document; loadAllYaml');
  });

  it('names the document that cannot be parsed', async () => {
    await expect(loadAllYaml('a: 1\n---\nb: [\n---\nc: 1')).rejects.toThrow(/^yaml:[34]:\d+: not YAML/);
  });
});
