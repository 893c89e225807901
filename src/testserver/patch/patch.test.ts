import { describe, expect, test } from 'vitest';
import type { Json } from '../../schema/values/json.ts';
import { jsonPatch } from './json.ts';
import { mergePatch } from './merge.ts';

const parse = (value: string): Json => JSON.parse(value) as Json;

describe('mergePatch', () => {
  test.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
    ['{}', '{"a":[{"b":null,"c":1},null]}', '{"a":[{"c":1},null]}'],
    ['{"a":{"b":1}}', '{"a":[{"b":null}]}', '{"a":[{"b":null}]}'],
    ['{}', '{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}'],
  ])('%s with %s', (target, patch, want) => {
    expect(JSON.stringify(mergePatch(parse(target), parse(patch)))).toBe(want);
  });
});

describe('jsonPatch', () => {
  const target = '{"a":{"b":1},"l":[1,2]}';

  test.each([
    ['[{"op":"add","path":"/a/c","value":2}]', '{"a":{"b":1,"c":2},"l":[1,2]}'],
    ['[{"op":"add","path":"/l/-","value":3}]', '{"a":{"b":1},"l":[1,2,3]}'],
    ['[{"op":"remove","path":"/l/0"}]', '{"a":{"b":1},"l":[2]}'],
    ['[{"op":"replace","path":"/a/new","value":0}]', '{"a":{"b":1,"new":0},"l":[1,2]}'],
    [
      '[{"op":"test","path":"/a/b","value":1},{"op":"move","from":"/a/b","path":"/m"}]',
      '{"a":{},"l":[1,2],"m":1}',
    ],
    ['[{"op":"add","path":"/l/-1","value":3}]', '{"a":{"b":1},"l":[1,2,3]}'],
    ['[{"op":"remove","path":"/l/-1"}]', '{"a":{"b":1},"l":[1]}'],
    ['[{"op":"add","path":"ignored/a/c"}]', '{"a":{"b":1,"c":null},"l":[1,2]}'],
    ['[{"op":"copy","from":"/a/nope","path":"/n"}]', '{"a":{"b":1},"l":[1,2],"n":null}'],
    ['[{"op":"test","path":"/a/nope","value":null}]', '{"a":{"b":1},"l":[1,2]}'],
    ['[{"op":"add","path":"/x~1y~0z","value":1}]', '{"a":{"b":1},"l":[1,2],"x/y~z":1}'],
    ['[{"op":"add","path":"/__proto__","value":1}]', '{"a":{"b":1},"l":[1,2],"__proto__":1}'],
    ['[{"op":"copy","from":"/l","path":"/a/l"}]', '{"a":{"b":1,"l":[1,2]},"l":[1,2]}'],
  ])('%s', (patch, want) => {
    const before = parse(target);
    expect(jsonPatch(before, parse(patch))).toEqual(parse(want));
    expect(before).toEqual(parse(target));
  });

  test.each([
    '[{"op":"test","path":"/a/b","value":2}]',
    '[{"op":"remove","path":"/nope"}]',
    '[{"op":"add","path":"/x/y","value":1}]',
    '[{"op":"add","path":"","value":1}]',
    '[{"op":"replace","path":"","value":1}]',
    '[{"op":"replace","path":"/l/2","value":1}]',
    '[{"op":"add","path":"/l/4","value":1}]',
    '[{"op":"add","path":"/l/-4","value":1}]',
    '[{"op":"add","path":"/l/one","value":1}]',
    '[{"op":"move","from":"/nope","path":"/a"}]',
    '[{"op":"add"}]',
    '[{"op":"bogus","path":"/a"}]',
    '[{"op":"add","path":"/__proto__/polluted","value":1}]',
    '[{"op":"add","path":"/constructor/prototype/polluted","value":1}]',
  ])('rejects %s with 422', (patch) => {
    expect(() => jsonPatch(parse(target), parse(patch))).toThrow('the server rejected our request');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test.each(['{}', '[1]', '"x"', '[{"op":"add","path":1}]'])('rejects %s with 400', (patch) => {
    expect(() => jsonPatch(parse(target), parse(patch))).toThrow('error decoding patch');
  });
});
