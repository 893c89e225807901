import { expect, test } from 'vitest';
import { crdText, readText } from '../reading.fixture.ts';

const rejects = 'and the API server rejects that';

test.each([
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
  ['{type: integer, default: x}', 'must be of type integer, not the string "x"'],
  ['{type: array, items: {type: string}, default: [1]}', 'must be of type string at [], not the number "1"'],
  ['{type: string, pattern: "[a"}', "must be a valid regular expression, but isn't"],
  ['{type: string, pattern: "(?=a)b"}', 'lookaround is not supported by RE2'],
  ['{type: string, pattern: "a{1001}"}', 'the repetition {1001} exceeds 1000'],
  ['{type: [string, "null"]}', `type is a list, ${rejects}: must be a single type`],
  [
    '{type: object, properties: {b: {type: string}}, x-kubernetes-validations: [{rule: self.c == 1}]}',
    "undefined field 'c'",
  ],
])('warns about the schema %s that API servers reject, at its place', (schema, want) => {
  const { crds, problems } = readText(crdText('Foo', `{type: object, properties: {a: ${schema}}}`));
  expect(crds).toHaveLength(1);
  expect(problems[0]).toMatch(/^in\.yaml:16:\d+: warning: /);
  expect(problems.join('\n')).toContain(want);
});

test.each([
  '{type: string, pattern: "^(?i)a(?P<x>[\\\\d\\\\]]+)$"}',
  '{x-kubernetes-int-or-string: true, default: 1}',
  '{x-kubernetes-preserve-unknown-fields: true}',
  '{anyOf: [{type: integer}, {type: string}], x-kubernetes-int-or-string: true}',
  '{type: object, default: {l: []}, properties: {l: {type: array, items: {type: string}}}}',
  '{type: object, properties: {l: {type: array, items: {type: string}}}, x-kubernetes-validations: [{rule: "has(self.l) && self.l.all(x, x != \'self.q\')"}]}',
])('accepts the schema %s', (schema) => {
  expect(readText(crdText('Foo', `{type: object, properties: {a: ${schema}}}`)).problems).toEqual([]);
});
