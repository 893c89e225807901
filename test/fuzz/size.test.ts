/**
 * Huge input of unusual forms: each takes time proportional to its size, and results in an output or in an
 * error with a place. Quadratic time would exceed the time limit of the test.
 */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { type GenerateResult, generate } from '../../src/kgen/index.ts';
import { crd } from '../support/crd.ts';

const many = 200_000;
const some = 20_000;
const text = { type: 'string' };

function range(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `v${index}`);
}

function properties(count: number, schema: (name: string) => object): object {
  return { type: 'object', properties: Object.fromEntries(range(count).map((name) => [name, schema(name)])) };
}

function nested(levels: number, wrap: (inner: object, level: number) => object): object {
  return Array.from({ length: levels }).reduce<object>((inner, _, level) => wrap(inner, level), text);
}

function read(input: string): Promise<GenerateResult> {
  return generate({
    input: ['-'],
    out: 'nowhere',
    mode: 'dry-run',
    stdin: Readable.from([Buffer.from(input)]),
  });
}

/** Returns a definition whose spec is the schema, with additional members of its version. */
function definition(schema: object, more: object = {}): string {
  const root = { type: 'object', properties: { spec: schema } };
  return JSON.stringify(crd({ kind: 'Foo', versions: [{ schema: root, ...more }] }));
}

test.each([
  ['literals that two lists have', { ...text, enum: range(many), allOf: [{ enum: range(many) }] }],
  ['oneOf with many literals', { oneOf: range(some).map((name) => ({ ...text, enum: [name] })) }],
  [
    'anyOf with many objects',
    { anyOf: range(some / 4).map((name) => properties(1, () => ({ title: name }))) },
  ],
  ['a pattern with many spaces', { ...text, pattern: `a${' '.repeat(many)}b` }],
  ['a description with many spaces', { ...text, description: `a${' '.repeat(many)}b` }],
  ['a description of many lines', { ...text, description: `Deprecated\n${' \n'.repeat(many)}x` }],
  ['a description of one line', { ...text, description: `- ${'ab '.repeat(many * 5)}` }],
  ['a description of one word', { ...text, description: 'ab'.repeat(many) }],
  ['a rule with many tabs', { ...text, 'x-kubernetes-validations': [{ rule: `a${'\t'.repeat(many)}b` }] }],
  ['many objects', properties(some, (name) => properties(2, (inner) => ({ ...text, title: name + inner })))],
  ['many names that are one', properties(some / 4, (name) => ({ ...text, title: name }))],
  ['many required names', { ...properties(1, () => text), required: range(many) }],
  ['many types', { type: range(many) }],
  [
    'values beside many properties',
    { ...properties(some, () => text), additionalProperties: { type: 'integer' } },
  ],
  [
    'objects in objects',
    nested(90, (inner, level) => ({ ...properties(1, () => inner), required: [`p${level}`] })),
  ],
  ['allOf in allOf', nested(190, (inner) => ({ allOf: [inner, properties(2, () => text)] }))],
  ['anyOf in anyOf', nested(190, (inner) => ({ anyOf: [inner, properties(2, () => text)] }))],
  ['lists in lists', nested(190, (inner) => ({ type: 'array', items: inner }))],
])('%s', async (_, schema) => {
  const { problems, groupVersions } = await read(definition(schema));
  expect(groupVersions).toHaveLength(1);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(problems.filter(({ what }) => what.length > 1_000)).toEqual([]);
});

test('parses a deprecation with many spaces in linear time', async () => {
  const deprecationWarning = `a${' '.repeat(many)}b`;
  const { ok } = await read(definition(text, { deprecated: true, deprecationWarning }));
  expect(ok).toBe(true);
});

const broken = 'a: "\\x"\n';

test.each([
  ['lists in lists', `${broken}b: ${'['.repeat(many)}`],
  ['mappings in mappings', `${broken}b: ${'{a: '.repeat(many)}`],
  ['mappings on lines', broken + Array.from({ length: 1_000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
  ['dashes', broken + '- '.repeat(many)],
  ['questions', broken + '? '.repeat(some)],
  ['colons', 'a: b: '.repeat(some)],
  ['tabs', '\ta: b\n'.repeat(some)],
  ['an open quote', `a: "${'x\n'.repeat(many)}`],
  [
    'anchors in their own values',
    broken +
      range(some)
        .map((name) => `${name}: &${name} [*${name}]`)
        .join('\n'),
  ],
  ['a key over and over', 'a: 1\n'.repeat(many / 10)],
  ['directives without documents', '...\n%YAML 1.2\n'.repeat(some)],
  ['lists in lists, with nothing else', '- '.repeat(many)],
  ['a long line', `a: ${'x'.repeat(many * 20)}\nb: "`],
  ['a list that ends too early', definition(properties(some, () => text)).slice(0, -10)],
])('rejects malformed input in linear time: %s', async (_, input) => {
  const { ok, problems } = await read(input);
  expect(ok).toBe(false);
  expect(problems.filter(({ where }) => where?.line === undefined)).toEqual([]);
});
