import { expect, test } from 'vitest';
import { crdText, readText } from '../reading.fixture.ts';

/** Fields of an object, some of which expressions do not see. */
const fields = `x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: object, properties: {
  d: {x-kubernetes-preserve-unknown-fields: true}, e: {type: object}, x.y: {type: string}}}}`.replaceAll(
  /\s+/g,
  ' ',
);

const rejects = 'and the API server rejects that';

test.each<readonly [schema: string, want: string]>([
  ['{properties: {b: {type: string}}}', `type is missing, ${rejects}: it must not be empty`],
  ['{}', `type is missing, ${rejects}: it must not be empty`],
  ['{type: array}', `items is missing, ${rejects}: it must be specified`],
  [
    '{type: object, properties: {b: {type: string}}, additionalProperties: {type: string}}',
    'the API server rejects additionalProperties here: additionalProperties and properties are mutual exclusive',
  ],
  ['{type: object, patternProperties: {b: {type: string}}}', 'the API server rejects patternProperties here'],
  ['{type: array, uniqueItems: true, items: {type: string}}', 'the API server rejects uniqueItems here'],
  ['{type: string, anyOf: [{type: string}]}', 'the API server rejects type here: must be empty'],
  [
    '{type: array, x-kubernetes-list-type: set, items: {type: object, properties: {b: {type: string}}}}',
    'must be atomic as item of a list with x-kubernetes-list-type=set',
  ],
  ['{type: object, x-kubernetes-embedded-resource: true}', `properties is missing, ${rejects}`],
  ['{type: integer, default: x}', `default is the string "x", ${rejects}: must be of type integer: "string"`],
  ['{type: array, items: {type: string}, default: [1]}', 'default[0]: must be of type string: "integer"'],
  ['{type: integer, maximum: 3, default: 4}', 'should be less than or equal to 3'],
  ['{type: string, anyOf: [{enum: [a]}, {enum: [b]}], default: c}', 'supported values: "a"'],
  ['{type: object, default: {}, required: [b], properties: {b: {type: string}}}', 'default.b: is required'],
  ['{type: object, default: {c: 1}, properties: {b: {type: string}}}', 'must not have unknown fields'],
  ['{type: string, format: date-time, default: never}', 'must be of type date-time: "never"'],
  [
    '{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, default: {kind: Pod}}',
    'default.apiVersion: is required',
  ],
  ['{type: string, pattern: "[a"}', "must be a valid regular expression, but isn't"],
  ...['(?=a)b', 'a{1001}', '(a)\\\\1', 'a++', '\\\\Z', '\\\\u0041', '[^]', '(?<x>a)(?<x>b)', '(?>a)'].map(
    (pattern) => [`{type: string, pattern: "${pattern}"}`, 'error parsing regexp'] as const,
  ),
  ['{type: [string, "null"]}', `type is a list, ${rejects}: must be a single type`],
  [
    '{type: object, properties: {b: {type: string}}, x-kubernetes-validations: [{rule: self.c == 1}]}',
    "undefined field 'c'",
  ],
  ...['has(self.c)', 'self.b.d == 1', 'self.b.e.f', 'self.b.metadata', 'self.b.x__dot__z == "a"'].map(
    (rule) =>
      [
        `{type: object, ${fields}, x-kubernetes-validations: [{rule: '${rule}'}]}`,
        'undefined field',
      ] as const,
  ),
])('warns about the schema %s that API servers reject, at its place', (schema, want) => {
  const { crds, problems } = readText(crdText('Foo', `{type: object, properties: {a: ${schema}}}`));
  expect(crds).toHaveLength(1);
  expect(problems[0]).toMatch(/^in\.yaml:16:\d+: warning: /);
  expect(problems.join('\n')).toContain(want);
});

test.each([
  ...['^(?i)a(?P<x>[\\\\d\\\\]]+)$', '^*a', '\\\\A\\\\pL[[:alpha:]]\\\\x{1F600}\\\\z', '\\\\Qa(\\\\E'].map(
    (pattern) => `{type: string, pattern: "${pattern}"}`,
  ),
  '{type: string, enum: [], default: a}',
  '{type: object, additionalProperties: {type: integer, default: x}}',
  `{type: object, ${fields}, x-kubernetes-validations: [{rule: 'has(self.b.e) && self.b.x__dot__y == "a"'}]}`,
  '{x-kubernetes-int-or-string: true, default: 1}',
  '{x-kubernetes-preserve-unknown-fields: true}',
  '{anyOf: [{type: integer}, {type: string}], x-kubernetes-int-or-string: true}',
  '{type: object, default: {l: []}, properties: {l: {type: array, items: {type: string}}}}',
  '{type: object, properties: {l: {type: array, items: {type: string}}}, x-kubernetes-validations: [{rule: "has(self.l) && self.l.all(x, x != \'self.q\')"}]}',
])('accepts the schema %s', (schema) => {
  expect(readText(crdText('Foo', `{type: object, properties: {a: ${schema}}}`)).problems).toEqual([]);
});
