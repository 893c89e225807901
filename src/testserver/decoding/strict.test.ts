import { object } from '@kgen/schema/values/json';
import { readJson } from '@kgen/schema/values/wire';
import { expect, test } from 'vitest';
import { anonymous } from '../identity/user.ts';
import { duplicateFields, findingsInPatch, findingsOf } from './strict.ts';

test.each<[string, readonly string[]]>([
  ['{"a":1,"b":{"a":2}}', []],
  ['{"a":1,"a":2}', ['a']],
  ['{"l":[{"x":1},{"y":1,"y":2}]}', ['l[1].y']],
  ['{"a":"{\\"x\\":1,\\"x\\":2}"}', []],
  ['{"a":{"b":[1,[{"c":1,"\\u0063":2}]]}}', ['a.b[1][0].c']],
  ['', []],
])('%s', (body, want) => {
  expect(duplicateFields(body)).toEqual(want);
});

test.each<[string, readonly string[], readonly string[]]>([
  ['{"b":1,"a":2,"a":3}', ['b'], ['unknown field "b"', 'duplicate field "a"']],
  ['{"a":2,"a":3,"b":1}', ['b'], ['duplicate field "a"', 'unknown field "b"']],
  ['{"b":{"c":1,"c":2},"b":1}', ['b'], ['unknown field "b"']],
])('%s has the findings of one decoding', (body, unknown, want) => {
  const request = {
    ...{ body, contentType: '', accept: '', method: 'POST', userAgent: '', pathname: '' },
    path: [],
  };
  const { fields } = findingsOf(
    { ...request, query: new URLSearchParams(), user: anonymous },
    object(readJson(body)),
    unknown,
    { strategy: 'builtin' },
  );
  expect(fields).toEqual(want);
});

test('operations of a JSON patch have known members', () => {
  const body = '[{"op":"add","op":"test","path":"/a","more":1}]';
  const want = ['json patch duplicate field "[0].op"', 'json patch unknown field "[0].more"'];
  expect(findingsInPatch(body, readJson(body))).toEqual(want);
});
