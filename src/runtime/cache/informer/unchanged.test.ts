import { describe, expect, it } from 'vitest';
import { parseText } from '../../codec/integers/keep-digits.ts';
import { isUnchanged } from './unchanged.ts';

const metadata = { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-31T12:00:00Z' };
const object = (spec: unknown, more: object = {}) => ({
  apiVersion: 'a.b/v1',
  kind: 'Shape',
  metadata: { ...metadata, ...more },
  spec,
});

describe('two states of an object', () => {
  it.each<[spec: string, other: string, want: boolean]>([
    ['{"a":1,"b":[{"c":"x"},null]}', '{"b":[{"c":"x"},null],"a":1}', true],
    ['{"a":1}', '{"a":2}', false],
    ['{"a":1}', '{"a":1,"b":1}', false],
    ['{"a":1,"c":1}', '{"a":1,"b":1}', false],
    ['{"a":[1,2]}', '{"a":[2,1]}', false],
    ['{"a":[1]}', '{"a":[1,2]}', false],
    ['{"a":[]}', '{"a":{}}', false],
    ['{"a":null}', '{"a":{}}', false],
    ['{"toString":"x"}', '{"other":"x"}', false],
    ['{"a":9007199254740993}', '{"a":9007199254740993}', true],
    ['{"a":9007199254740993}', '{"a":9007199254740992}', false],
    ['[9007199254740993]', '[9007199254740992]', false],
  ])('%s and %s: equal: %s', (spec, other, want) => {
    const [one, two] = [object(parseText(spec)), object(parseText(other), { resourceVersion: '2' })];
    expect([isUnchanged(one, two), isUnchanged(two, one)]).toEqual([want, want]);
  });

  it.each([{ uid: 'v' }, { deletionTimestamp: '2026-01-31T12:00:01Z' }, { labels: { a: 'b' } }])(
    'differ in their metadata: %j',
    (more) => {
      expect(isUnchanged(object({}), object({}, more))).toBe(false);
    },
  );
});
