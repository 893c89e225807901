import { expect, test } from 'vitest';
import { duplicateFields } from '../decoding/admit.ts';

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
