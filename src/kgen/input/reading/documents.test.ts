import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { crdText, readText } from '../reading.fixture.ts';

const good = crdText('Good');
const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]', ...[...'bcdefghi'].map(level)].join('\n');

function level(name: string): string {
  const before = String.fromCharCode(name.charCodeAt(0) - 1);
  return `${name}: &${name} [${Array(9).fill(`*${before}`).join(', ')}]`;
}

describe('malformed documents', () => {
  const cases: readonly { name: string; given: string; want: readonly string[] }[] = [
    {
      name: 'tabs',
      given: 'spec:\n\tgroup: x\n',
      want: ['in.yaml:2:1: error: broken YAML: tabs are not allowed as indentation; indent with spaces'],
    },
    {
      name: 'duplicate keys, all of them',
      given: 'a: 1\nb: {c: 1, c: 2}\na: 3\n',
      want: [
        'in.yaml:3:1: error: the key "a" occurs twice in one mapping: remove one of the two',
        'in.yaml:2:11: error: the key "c" occurs twice in one mapping: remove one of the two',
      ],
    },
    {
      name: 'duplicate keys in JSON',
      given: '{"kind": "A", "kind": "B"}',
      want: ['in.yaml:1:15: error: the key "kind" occurs twice in one mapping: remove one of the two'],
    },
    {
      name: 'alias bomb',
      given: bomb,
      want: [
        'in.yaml:2:8: error: the aliases expand the document to more than 400000 nodes: write the values out instead',
      ],
    },
    {
      name: 'merge bomb',
      given: `a: &a {${Array.from({ length: 2000 }, (_, i) => `k${i}: 1`).join(', ')}}\nb: [${Array(9).fill('{<<: *a}').join(', ')}]\n`,
      want: [
        'in.yaml:2:10: error: the aliases expand the document to more than 400000 nodes: write the values out instead',
      ],
    },
    {
      name: 'cycle',
      given: 'a: &a [*a]\n',
      want: ['in.yaml:1:8: error: an alias refers to a node that contains it: write the value out instead'],
    },
    {
      name: 'unknown alias',
      given: 'a: *nope\n',
      want: ['in.yaml:1:9: error: broken YAML: unidentified alias "nope"; correct the syntax here'],
    },
    {
      name: 'too deep',
      given: `a: ${'['.repeat(100_000)}`,
      want: ['in.yaml:1:1: error: the document is nested deeper than 500 levels: make it flatter'],
    },
    {
      name: 'unclosed quote',
      given: 'a: "x\nb: 1\n',
      want: [
        'in.yaml:3:1: error: broken YAML: missing closing "quote; look for an unclosed quote, bracket or block, or an incomplete line',
      ],
    },
    {
      name: 'truncated JSON',
      given: '{"apiVersion": "v1", "kind": [',
      want: [
        'in.yaml:1:31: error: broken YAML: flow sequence in block collection must be sufficiently indented and end with a ]; look for an unclosed quote, bracket or block, or an incomplete line',
      ],
    },
    ...['{a: 1}\n{b: 2}\n', '{aaa: 1} {b: 2}', '{"a": 1}\n[{"b": 2}]'].map((given) => ({
      name: `values in a row that are not JSON objects: ${given}`,
      given,
      want: [
        `in.yaml:${given.includes('\n') ? '2:1' : '1:10'}: error: another JSON value starts here: put a line \`---\` between the two, or both into one List`,
      ],
    })),
    {
      name: 'Helm template',
      given: 'metadata:\n  {{- include "labels" . | nindent 2 }}\nspec: {}\n',
      want: [
        'in.yaml:2:3: error: this is a template, not YAML: render it first (for example with `helm template`) and give kgen the result',
      ],
    },
    ...[
      { given: 'mode: {type: string, default: {{ .Values.mode }}}\n', at: '1:31' },
      { given: 'b: {{ .Values.schema }}\n', at: '1:4' },
      { given: 'a:\n- x: 1\n- {{ .Values.item }}\n', at: '3:3' },
      { given: 'a: [{{ .Values.list }}, 2]\n', at: '1:5' },
    ].map(({ given, at }) => ({
      name: `a template whose actions are keys: ${given}`,
      given,
      want: [
        `in.yaml:${at}: error: this is a template, not YAML: render it first (for example with \`helm template\`) and give kgen the result`,
      ],
    })),
    ...[
      ...[
        'a: 1\n? {b: 1}\n: 2\n',
        'a:\n  {b: 1}: 2\n',
        'a: [{b: 1}: 2]\n',
        '? b: 1\n',
        'a: {? {b: 1}}\n',
        'a: &a {b: 1}\n*a : 2\n',
        'a: &a {b: {}}\nc: {<<: *a, {d: 1}: 2}\n',
      ].map((given) => ({ given, sort: 'a mapping' })),
      ...['[a, b]: 1\n', '? - a\n: 1\n', 'a: {[]: 1}\n', 'a: [[b]: {}]\n', 'a: {b: 1, [c]}\n'].map(
        (given) => ({
          given,
          sort: 'a list',
        }),
      ),
      ...['null: 1\n', '~: 1\n', 'a: {: 1}\n', 'a: {NULL: "null"}\n', 'a:\n- null: {}\n', '?\n: 1\n'].map(
        (given) => ({ given, sort: 'null' }),
      ),
    ].map(({ given, sort }) => ({
      name: `a key that is ${sort}: ${given}`,
      given,
      want: [
        expect.stringMatching(
          new RegExp(
            `^in\\.yaml:\\d+:\\d+: error: the key of a mapping is ${sort}, but keys are strings: make it one`,
          ),
        ),
      ],
    })),
    {
      name: 'unknown tag',
      given: 'a: !!js/function "f"\n',
      want: [
        'in.yaml:1:21: error: broken YAML: unknown tag !<tag:yaml.org,2002:js/function>; correct the syntax here',
      ],
    },
    {
      name: 'a text',
      given: 'hello\n',
      want: [
        'in.yaml:1:1: error: expected a Kubernetes object and found the string "hello": give CustomResourceDefinitions',
      ],
    },
    {
      name: 'an unknown version of apiextensions',
      given: 'kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v2\n',
      want: [
        'in.yaml:2:1: error: a CustomResourceDefinition must have the apiVersion apiextensions.k8s.io/v1 or v1beta1: correct it',
      ],
    },
    ...['CustomResourceDefinitions', 'customresourcedefinition', 'CRD'].map((kind) => ({
      name: `the kind ${kind}`,
      given: `apiVersion: apiextensions.k8s.io/v1\nkind: ${kind}\n`,
      want: [
        `in.yaml:2:1: error: apiextensions.k8s.io has no kind "${kind}": did you mean CustomResourceDefinition?`,
      ],
    })),
    {
      name: 'several syntax errors, of which the later ones follow from the first',
      given: 'a: "b\nc: d\ne: f: g\n',
      want: [expect.stringMatching(/^in\.yaml:\d+:\d+: error: broken YAML: /)],
    },
    {
      name: 'no kind',
      given: 'apiVersion: apiextensions.k8s.io/v1\n',
      want: ['in.yaml:1:1: error: the object has no kind: add `kind: CustomResourceDefinition`'],
    },
    {
      name: 'a list without items',
      given: 'apiVersion: v1\nkind: List\nitems: 3\n',
      want: ['in.yaml:3:1: error: items is the number "3": make it a list of objects'],
    },
  ];

  test.each(cases)('$name', ({ given, want }) => {
    expect(readText(given).problems).toEqual(want);
  });

  test.each(cases)('keeps other documents: $name', ({ given, want }) => {
    const { crds, problems } = readText(`${good}---\n${given}\n---\n${crdText('Other')}`);
    expect(crds.map(({ name }) => name)).toEqual(['goods.my.domain', 'others.my.domain']);
    expect(problems).toHaveLength(want.length);
  });
});

test('reports a malformed .json file as broken JSON', () => {
  expect(readText('{"apiVersion": "v1", "kind": [', 'in.json').problems).toEqual([
    'in.json:1:31: error: broken JSON: list must end with a ]; look for an unclosed quote, bracket or block, or an incomplete line',
  ]);
});

test.each([
  { nodes: 100, want: 'in.yaml:19:13: warning: "on" is a boolean' },
  { nodes: 101_000, want: 'in.yaml:2:1: warning: unquoted words such as `on`' },
])('locates the warning for a document of about $nodes nodes', ({ nodes, want }) => {
  const schema = `{type: object, enum: [${'1,'.repeat(nodes)}\n            on]}`;
  const { crds, problems } = readText(`# first\n---\n${crdText('Good', schema)}`);
  expect(crds).toHaveLength(1);
  expect(problems).toEqual([expect.stringContaining(want)]);
});

test.each([
  'a: {"null": 1}',
  'a: {"null": null, b: "null"}',
  'a: {! null : 1}',
  'a: [b: 1, c: {d: []}]',
  'a: &a {"null": 1, b: {}}\nc: {<<: *a, d: {}}\ne: {<<: [*a, *a], null: 1}',
  'a: &a {b: {}}\nc:\n  <<: *a\n  d: {}\ne: *a',
  'a: &a b\n*a : {x: 1}',
  '&a b: {x: 1}\nc: &c\n  {x: {}}',
  'a:\n  &a !!str b: {}',
  '1: 2\ntrue: {}\n1.5: []',
  '{"a": [1, {"b": [2]}], "c": {}}',
])('reads keys that are scalars: %j', (given) => {
  expect(readText(given).problems).toEqual([expect.stringContaining('no apiVersion and kind')]);
});

test('rejects a huge document with a template without a second pass', () => {
  expect(readText(`a: {{ b }}\nc: [${'1,'.repeat(101_000)}]`).problems).toEqual([
    expect.stringContaining('in.yaml:1:1: error: a key of a mapping is a mapping, a list or null'),
  ]);
});

test('rejects a huge document without a second pass', () => {
  const given = `a:\n${'- [1, 2, 3, 4]\n'.repeat(130_000)}\tx`;
  expect(readText(given).problems).toEqual([
    'in.yaml:130002:1: error: broken YAML: tab characters must not be used in indentation; correct the syntax here',
  ]);
});

describe('objects that are not CRDs', () => {
  const cases: readonly { name: string; given: string; skipped: number; crds: number }[] = [
    { name: 'nothing', given: '', skipped: 0, crds: 0 },
    { name: 'comments and empty documents', given: '# a\n---\n---\n# b\n...\n', skipped: 0, crds: 0 },
    { name: 'other kinds', given: `apiVersion: v1\nkind: Pod\n---\n${good}`, skipped: 1, crds: 1 },
    {
      name: 'JSON',
      given: JSON.stringify(
        { apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'v1', kind: 'Pod' }] },
        undefined,
        '\t',
      ),
      skipped: 1,
      crds: 0,
    },
  ];

  test.each(cases)('$name', ({ given, skipped, crds }) => {
    const reading = readText(given);
    expect(reading.problems).toEqual([]);
    expect(reading.skipped).toBe(skipped);
    expect(reading.crds).toHaveLength(crds);
  });

  test('skips an object without a kind with a warning', () => {
    const reading = readText('foo: 1\n');
    expect(reading.problems).toEqual([
      'in.yaml:1:1: warning: the object has no apiVersion and kind: it is skipped',
    ]);
    expect(reading.skipped).toBe(1);
  });
});

describe('JSON objects in a row', () => {
  const json = (kind: string): string => JSON.stringify(load(crdText(kind)));

  test.each([
    ['concatenated', `${json('Good')}${json('Better')}`],
    ['one in each line', `${json('Good')}\n${json('Better')}\n`],
    [
      'indented',
      [load(crdText('Good')), load(crdText('Better'))].map((it) => JSON.stringify(it, null, 2)).join('\n'),
    ],
  ])('are read: %s', (_name, text) => {
    const { crds, problems } = readText(text);
    expect(problems).toEqual([]);
    expect(crds.map(({ names }) => names.kind)).toEqual(['Good', 'Better']);
  });

  test('have positions of their own', () => {
    const { problems } = readText(`${json('Good')}\n{"kind": "A", "kind": "B"}{"kind": "C"}`);
    expect(problems).toEqual([
      'in.yaml:2:15: error: the key "kind" occurs twice in one mapping: remove one of the two',
      expect.stringMatching(/^in\.yaml:2:27: /),
    ]);
  });

  test('are followed by JSON only', () => {
    const { problems } = readText(`${json('Good')}\n${json('Better')}\na: 1\n`);
    expect(problems).toEqual([expect.stringMatching(/^in\.yaml:[23]:\d+: error: broken YAML: /)]);
  });
});

describe('lists', () => {
  const item = (kind: string): string => `  - ${crdText(kind).trim().replaceAll('\n', '\n    ')}\n`;

  test('are read with nested lists, and items keep their positions', () => {
    const inner = `apiVersion: v1\nkind: List\nitems:\n${item('Inner').replace('plural: inners', 'plural: In')}`;
    const text = `apiVersion: v1\nkind: List\nitems:\n${item('Outer')}  - ${inner.trim().replaceAll('\n', '\n    ')}\n`;
    const { crds, problems } = readText(text);
    expect(crds.map(({ name }) => name)).toEqual(['outers.my.domain']);
    const line = text.split('\n').findIndex((one) => one.includes('plural: In')) + 1;
    expect(problems[0]).toContain(`in.yaml:${line}:`);
  });

  test('are read if they are typed and their items have no kind', () => {
    const { apiVersion: _, kind: __, ...bare } = readText(crdText('Bare')).crds[0]?.input.value ?? {};
    const list = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinitionList',
      items: [bare],
    };
    expect(readText(JSON.stringify(list)).crds.map(({ name }) => name)).toEqual(['bares.my.domain']);
  });
});

describe('YAML with the semantics of the API server', () => {
  const schemaOf = (schema: string): unknown =>
    readText(crdText('Good', schema)).crds[0]?.versions[0]?.schema;

  test.each([
    {
      name: 'merge keys',
      given: '{properties: {a: &a {type: string}, b: {<<: *a, format: date}}}',
      want: { properties: { a: { type: 'string' }, b: { type: 'string', format: 'date' } } },
    },
    {
      name: 'aliases',
      given: '{properties: {a: &a {type: string}, b: *a}}',
      want: { properties: { a: { type: 'string' }, b: { type: 'string' } } },
    },
    { name: 'timestamps are text', given: '{default: 2020-01-01}', want: { default: '2020-01-01' } },
    {
      name: 'big integers',
      given: '{maximum: 18446744073709551615}',
      want: { maximum: 18_446_744_073_709_551_615n },
    },
    { name: 'hexadecimal and octal', given: '{enum: [0x1F, 0o17]}', want: { enum: [31, 15] } },
  ])('$name', ({ given, want }) => {
    expect(schemaOf(given)).toEqual(want);
  });

  test('parses scalars that YAML 1.1 reads differently as strings, with a warning each', () => {
    const { crds, problems } = readText(
      crdText('Good', '{type: object, enum: [on, No, 0644, 1_000, yes please, "off", 1e3]}'),
    );
    expect(crds[0]?.versions[0]?.schema).toEqual({
      type: 'object',
      enum: ['on', 'No', 644, '1_000', 'yes please', 'off', 1000],
    });
    const words = 'for the API server, which reads YAML 1.1, but not for kgen: put it in quotes';
    expect(problems).toEqual([
      `in.yaml:16:48: warning: "on" is a boolean ${words}`,
      `in.yaml:16:52: warning: "No" is a boolean ${words}`,
      `in.yaml:16:56: warning: "0644" is an octal number ${words}`,
      `in.yaml:16:62: warning: "1_000" is a number ${words}`,
    ]);
  });

  test.each([
    { name: 'YAML', given: crdText('Good', '{properties: {__proto__: {type: string, polluted: true}}}') },
    {
      name: 'JSON in YAML',
      given: crdText('Good', '{"properties": {"__proto__": {"type": "string", "polluted": true}}}'),
    },
    {
      name: 'merge',
      given: crdText('Good', '{properties: {<<: {__proto__: {type: string, polluted: true}}}}'),
    },
  ])('parses __proto__ as an own property: $name', ({ given }) => {
    const properties = readText(given).crds[0]?.versions[0]?.schema?.['properties'];
    expect(Object.keys(properties ?? {})).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
