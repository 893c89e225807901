import { describe, expect, it } from 'vitest';
import { applyMergePatch, createMergePatch } from './merge-patch.ts';

const parse = (text: string): unknown => JSON.parse(text);

// [before, patch, after]: includes the cases in the appendix of RFC 7396.
const cases: readonly (readonly [before: string, patch: string, after: string])[] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ['{"a":1}', '{"constructor":2,"b":3}', '{"a":1,"constructor":2,"b":3}'],
  ['{"a":1}', '{"__proto__":{"polluted":true},"b":3}', '{"a":1,"__proto__":{"polluted":true},"b":3}'],
  ['{"__proto__":{"x":1}}', '{"__proto__":{"x":null}}', '{"__proto__":{}}'],
  ['{}', '{"toString":{"x":1}}', '{"toString":{"x":1}}'],
  ['{}', '{"toString":null}', '{}'],
];

describe('applyMergePatch', () => {
  it.each(cases)('%s with %s: %s', (before, patch, after) => {
    const [object, changes] = [parse(before), parse(patch)];
    // A value that only plain JavaScript can pass.
    const result = applyMergePatch<unknown>(object, changes as never);
    expect(JSON.stringify(result)).toBe(after);
    expect([JSON.stringify(object), JSON.stringify(changes)]).toEqual([before, patch]);
    expect('polluted' in {}).toBe(false);
  });
});

describe('createMergePatch', () => {
  it.each([
    ['{"a":1}', '{"a":1}', '{}'],
    ['{"a":1,"b":{"c":1,"d":2}}', '{"b":{"c":3,"d":2}}', '{"a":null,"b":{"c":3}}'],
    ['{"a":[1,2]}', '{"a":[1]}', '{"a":[1]}'],
    ['{"a":{"x":1}}', '{"a":{}}', '{"a":{"x":null}}'],
    ['{"a":1}', '{"a":{}}', '{"a":{}}'],
    ['{"a":1}', '{"a":null}', '{"a":null}'],
    ['{}', '{"a":null}', '{}'],
    ['{"constructor":1}', '{"b":1}', '{"constructor":null,"b":1}'],
    ['{"a":1}', '{"a":1,"__proto__":2}', '{"__proto__":2}'],
  ])('%s to %s: %s', (before, after, want) => {
    const patch = createMergePatch(parse(before), parse(after));
    expect(JSON.stringify(patch)).toBe(want);
    const result = applyMergePatch(parse(before), patch as never);
    expect(createMergePatch(result, parse(after))).toEqual({});
  });

  it('shares no values with its result', () => {
    const list = [1];
    expect(createMergePatch<{ a?: number[] }>({}, { a: list }).a).not.toBe(list);
  });
});
