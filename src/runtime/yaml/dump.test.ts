import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load as witness, loadAll as witnessAll } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { dumpAllYaml, dumpYaml } from './dump.ts';
import { loadAllYaml, loadYaml } from './load.ts';

const texts = [
  ...['', 'yes', 'on', 'y', 'N', 'true', 'null', '~', '=', '<<', '1_000', '0o7', '012', '1e3', '.5', '-.inf'],
  ...['.NaN', '2001-12-14', '2001-12-14T00:00:00Z', '1:30', '0x1F', '0b1', '+1', '-0', '---', '...', '- a'],
  ...['a: b', 'a #b', '#', '?', ':', 'a:', ' a', 'a ', '\n', 'a\n', 'a\n\n', '\na', '  a\nb', 'a\n ', 'a\tb'],
  ...[
    '---\nx',
    '%a',
    '@a',
    '`',
    '!x',
    '&x',
    '*x',
    '|',
    '>',
    '{',
    ']',
    ',',
    '"',
    "'",
    '\\',
    'a\r\nb',
    '\u0001',
  ],
  ...[
    '\u0085',
    '\u2028',
    '\ufeff',
    '😀',
    '1.2.3',
    '10.0.0.1',
    'nginx:1.27',
    '100m',
    '1Gi',
    '__proto__',
    'x'.repeat(1100),
  ],
];

describe('round-trips strings as values and keys, also with a YAML 1.2 parser', () => {
  it.each(texts.map((text) => [text]))('%j', async (text) => {
    const value = [text, Object.fromEntries([[text, { a: text }]])];
    const yaml = await dumpYaml(value);
    expect(await loadYaml(yaml)).toEqual(value);
    expect(witness(yaml)).toEqual(value);
    expect(await loadYaml(await dumpYaml(text))).toBe(text);
  });
});

describe('format of YAML', () => {
  it.each<[what: string, value: unknown, want: string]>([
    [
      'plain and quoted text',
      { a: 'web', b: 'yes', c: '012', d: '1.2.3' },
      'a: web\nb: "yes"\nc: "012"\nd: 1.2.3\n',
    ],
    ['quoted keys', { on: { '1': 'x' } }, '"on":\n  "1": x\n'],
    ['lines', { script: '#!/bin/sh\necho\n' }, 'script: |\n  #!/bin/sh\n  echo\n'],
    ['lines without the last break', { a: { b: 'x\n  y' } }, 'a:\n  b: |-\n    x\n      y\n'],
    ['lines that a blank begins', { a: ' x\nz' }, 'a: " x\\nz"\n'],
    ['lines that a break begins', { a: '\nx\nz' }, 'a: "\\nx\\nz"\n'],
    ['lines that a blank ends', { a: 'x\nz ' }, 'a: "x\\nz "\n'],
    ['lines that a blank line ends', { a: 'x\nz\n\n' }, 'a: "x\\nz\\n\\n"\n'],
    ['lines with blanks and empty ones between', { a: 'x \n\n z' }, 'a: |-\n  x \n\n   z\n'],
    ['holes', { a: new Array<number>(1) }, 'a:\n  - null\n'],
    [
      'what has a class',
      {
        a: new (class Size {
          readonly cm: number = 3;
        })(),
      },
      'a:\n  cm: 3\n',
    ],
    ['long lines', { a: 'word '.repeat(40).trim() }, `a: ${'word '.repeat(40).trim()}\n`],
    ['empty things', { a: {}, b: [], c: null, d: '' }, 'a: {}\nb: []\nc: null\nd: ""\n'],
    ['undefined', { a: undefined, b: [undefined] }, 'b:\n  - null\n'],
    [
      'numbers',
      { a: 1, b: -1.5, c: 1e21, d: 9007199254740993n, e: -0 },
      'a: 1\nb: -1.5\nc: 1e+21\nd: 9007199254740993\ne: 0\n',
    ],
    ['the order of keys', { kind: 'B', apiVersion: 'v1', a: true }, 'kind: B\napiVersion: v1\na: true\n'],
    ['dates', { at: new Date(0) }, 'at: "1970-01-01T00:00:00.000Z"\n'],
    ['one object in two places', ((x) => ({ a: x, b: x }))({ y: 1 }), 'a:\n  "y": 1\nb:\n  "y": 1\n'],
    ['a scalar', 'a\nb', '"a\\nb"\n'],
    ['nothing', undefined, 'null\n'],
  ])('%s', async (_, value, want) => {
    expect(await dumpYaml(value)).toBe(want);
  });

  it('writes keys named __proto__', async () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1}}');
    const yaml = await dumpYaml(value);
    expect(yaml).toBe('__proto__:\n  a: 1\n');
    expect(Object.keys(await loadYaml<object>(yaml))).toEqual(['__proto__']);
  });

  it('writes several documents', async () => {
    const yaml = await dumpAllYaml([{ a: 1 }, [2]]);
    expect(yaml).toBe('a: 1\n---\n- 2\n');
    expect(await loadAllYaml(yaml)).toEqual([{ a: 1 }, [2]]);
  });
});

describe('values without a YAML representation', () => {
  const loop: Record<string, unknown> = {};
  loop['spec'] = { loop };
  it.each<[value: unknown, message: string]>([
    [{ spec: { replicas: Number.NaN } }, 'NaN at spec.replicas'],
    [{ list: [1, Number.POSITIVE_INFINITY] }, 'Infinity at list.1'],
    [{ f: () => undefined }, 'a function at f'],
    [Symbol.iterator, 'a symbol'],
    [loop, 'an object that contains itself at spec.loop'],
    [{ a: new Map([['b', 1]]) }, 'a value of type Map: convert it to plain objects, arrays or strings at a'],
    [[new Set([1])], 'a value of type Set: convert it to plain objects, arrays or strings at 0'],
    [{ data: { key: new Uint8Array(1) } }, 'a value of type Uint8Array: convert it to plain objects'],
    [{ a: Promise.resolve() }, 'a value of type Promise'],
    [new Error('lost'), 'a value of type Error'],
    [{ a: '\ud800' }, 'a string with a lone surrogate at a'],
  ])('%#', async (value, message) => {
    await expect(dumpYaml(value)).rejects.toThrow(TypeError);
    await expect(dumpYaml(value)).rejects.toThrow(`YAML cannot represent ${message}`);
  });
});

it('throws for values that are nested too deeply', async () => {
  let deep: object = {};
  for (let depth = 0; depth < 100_000; depth += 1) deep = { deep };
  const endless = { toJSON: () => endless };
  for (const value of [deep, endless]) {
    await expect(dumpYaml(value)).rejects.toThrow(new TypeError('YAML: nested too deeply'));
  }
});

const corpus = process.env['KGEN_CORPUS'];
const crds = join(corpus ?? '', 'crds');
const files =
  corpus !== undefined && existsSync(crds)
    ? readdirSync(crds, { recursive: true, encoding: 'utf8' }).filter((file) => /\.ya?ml$/.test(file))
    : [];

describe.skipIf(files.length === 0)('CRDs of the corpus (KGEN_CORPUS)', () => {
  it.each(files)('%s', { timeout: 60_000 }, async (file) => {
    const given = readFileSync(join(crds, file), 'utf8');
    const values = await loadAllYaml(given);
    const yaml = await dumpAllYaml(values);
    expect(await loadAllYaml(yaml)).toEqual(values);
    expect(witnessAll(yaml)).toEqual(values);
  });
});
