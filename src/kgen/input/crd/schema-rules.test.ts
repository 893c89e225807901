import { expect, test } from 'vitest';
import { crdText, readText } from '../reading.fixture.ts';

const keyed = (items: string, keys = '[name]'): string =>
  `{type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: ${keys}, items: ${items}}}}`;
const named = '{type: object, properties: {name: {type: string}}';
const keyRule =
  'and the API server rejects that: each key must be a property of the items that is required or has a default';

/** Messages without their places. */
const drops = (keyword: string, advice: string): string =>
  `warning: unknown keyword "${keyword}" in a schema, which the API server drops: ${advice}`;

const meant = (keyword: string, meaning: string): string => drops(keyword, `did you mean "${meaning}"?`);

test.each<[schema: string, want: readonly string[]]>([
  ['{type: object, requird: [a]}', [meant('requird', 'required')]],
  ['{type: object, propertes: {a: {type: string}}}', [meant('propertes', 'properties')]],
  [
    '{type: object, properties: {a: {type: array, itmes: {type: string}}}}',
    [
      meant('itmes', 'items'),
      'warning: items is missing, and the API server rejects that: it must be specified',
    ],
  ],
  ['{type: object, properties: {a: {type: string, Pattern: x}}}', [meant('Pattern', 'pattern')]],
  [
    '{type: object, properties: {a: {type: object, additionalProperties: {type: string, fromat: date}}}}',
    [meant('fromat', 'format')],
  ],
  [
    '{type: object, anyOf: [{requied: [a]}], not: {enmu: [1]}}',
    [meant('enmu', 'enum'), meant('requied', 'required')],
  ],
  [
    '{type: object, x-kubernetes-preserve-unknown-field: true}',
    [meant('x-kubernetes-preserve-unknown-field', 'x-kubernetes-preserve-unknown-fields')],
  ],
  ['{type: object, const: 1}', [drops('const', 'remove it')]],
  ['{type: object, x-vendor: 1, properties: {requird: {type: string}, x-kubernetes-a: {type: string}}}', []],
  ['{type: object, properties: {a: {type: object, default: {}, example: {itmes: 1}}}}', []],
  [keyed(`${named}, required: [name]}`), []],
  [keyed('{type: object, properties: {name: {type: string, default: a}}}'), []],
  [
    keyed(`${named}}`),
    [
      `warning: the key "name" of x-kubernetes-list-map-keys is neither required nor has a default, ${keyRule}`,
    ],
  ],
  [
    keyed(`${named}, required: [name]}`, '[name, port]'),
    [`warning: the key "port" of x-kubernetes-list-map-keys is not a property of the items, ${keyRule}`],
  ],
  [
    '{type: object, properties: {a: {type: string, enum: [x], default: x}, b: {type: string, enum: [x], default: null}}}',
    [],
  ],
  [
    '{type: object, properties: {a: {type: string, enum: [x], default: z}}}',
    ['warning: default is the string "z", and the API server rejects that: supported values: "x"'],
  ],
])('warns about the mistakes in %s', (schema, want) => {
  const { crds, problems } = readText(crdText('Foo', schema));
  expect(crds).toHaveLength(1);
  expect(problems.map((problem) => problem.replace(/^in\.yaml:\d+:\d+: /, '')).sort()).toEqual(
    [...want].sort(),
  );
});

test('shows the line and column of the keyword', () => {
  const schema = '\n          type: object\n          requird: [a]\n';
  expect(readText(crdText('Foo', schema)).problems).toEqual([
    expect.stringMatching(/^in\.yaml:18:11: warning: unknown keyword "requird"/),
  ]);
});

test('warns about each of several equal schemas', () => {
  const part = '{type: object, properties: {x: {type: string, patern: x}, list: {type: array}}}';
  const schema = `\n          type: object\n          properties:\n            a: ${part}\n            b: ${part}\n`;
  expect(
    readText(crdText('Foo', schema))
      .problems.map((problem) => problem.slice(0, 45))
      .sort(),
  ).toEqual([
    expect.stringMatching(/^in.yaml:19:\d+: warning: unknown keyword/),
    expect.stringMatching(/^in.yaml:19:\d+: warning: items is missing/),
    expect.stringMatching(/^in.yaml:20:\d+: warning: unknown keyword/),
    expect.stringMatching(/^in.yaml:20:\d+: warning: items is missing/),
  ]);
});

test('warns once about a schema that several properties share', () => {
  const schema = '{type: object, properties: {a: &a {type: string, patern: x}, b: *a}}';
  expect(readText(crdText('Foo', schema)).problems).toHaveLength(1);
});

test('checks schemas of v1beta1', () => {
  const text = crdText('Foo')
    .replace('apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1beta1')
    .replace(
      /versions:[\s\S]*/,
      'version: v1\n  validation:\n    openAPIV3Schema: {type: object, requird: [a]}\n',
    );
  expect(readText(text).problems.join()).toContain('unknown keyword "requird"');
});
