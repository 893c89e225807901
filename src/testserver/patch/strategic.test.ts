import { describe, expect, test } from 'vitest';
import { parseSchema } from '../../schema/validation/structural.ts';
import type { JsonObject } from '../../schema/values/json.ts';
import { strategicMerge } from './strategic.ts';

const named = { type: 'object', properties: { name: { type: 'string' }, value: { type: 'string' } } };
const schema = parseSchema({
  type: 'object',
  properties: {
    map: { type: 'object', additionalProperties: { type: 'string' } },
    union: {
      type: 'object',
      'x-kubernetes-patch-strategy': 'retainKeys',
      properties: { type: { type: 'string' }, rolling: { type: 'object', properties: {} } },
    },
    whole: {
      type: 'object',
      'x-kubernetes-patch-strategy': 'replace',
      properties: { a: { type: 'string' } },
    },
    set: { type: 'array', 'x-kubernetes-patch-strategy': 'merge', items: { type: 'string' } },
    atomic: { type: 'array', items: named },
    keyless: { type: 'array', 'x-kubernetes-patch-strategy': 'merge', items: named },
    keyed: {
      type: 'array',
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
      items: named,
    },
  },
});
const parse = (value: string): JsonObject => JSON.parse(value) as JsonObject;

// Each expectation is that of apimachinery 0.36, which was compared over 60,000 random patches.
describe('strategicMerge', () => {
  test.each([
    ['{"map":{"a":"1","b":"2"}}', '{"map":{"a":null,"c":"3"}}', '{"map":{"b":"2","c":"3"}}'],
    ['{}', '{"map":{"a":null,"c":"3"}}', '{"map":{"c":"3"}}'],
    ['{"map":{"a":"1"}}', '{"map":{"$patch":"replace","b":"2"}}', '{"map":{"b":"2"}}'],
    ['{"map":{"a":"1"}}', '{"map":{"$patch":"delete"}}', '{"map":{}}'],
    ['{}', '{"map":{"$patch":"delete"}}', '{}'],
    ['{"whole":{"a":"1"}}', '{"whole":{}}', '{"whole":{}}'],
    [
      '{"union":{"type":"R","rolling":{}}}',
      '{"union":{"$retainKeys":["type"],"type":"X"}}',
      '{"union":{"type":"X"}}',
    ],
    ['{"atomic":[{"name":"a"}]}', '{"atomic":[{"name":"b"}]}', '{"atomic":[{"name":"b"}]}'],
    ['{"set":["a","b"]}', '{"set":["c","a"]}', '{"set":["c","a","b"]}'],
    ['{"set":["a","b"]}', '{"$deleteFromPrimitiveList/set":["a"]}', '{"set":["b"]}'],
    [
      '{"set":["a","b"]}',
      '{"$setElementOrder/set":["c","b"],"set":["c"],"$deleteFromPrimitiveList/set":["a"]}',
      '{"set":["c","b"]}',
    ],
    [
      '{"keyed":[{"name":"a","value":"1"},{"name":"b"}]}',
      '{"keyed":[{"name":"c"},{"name":"a","value":"2"}]}',
      '{"keyed":[{"name":"c"},{"name":"a","value":"2"},{"name":"b"}]}',
    ],
    [
      '{"keyed":[{"name":"a"},{"name":"b"}]}',
      '{"keyed":[{"name":"a","$patch":"delete"}]}',
      '{"keyed":[{"name":"b"}]}',
    ],
    [
      '{"keyed":[{"name":"a"},{"name":"b"}]}',
      '{"keyed":[{"$patch":"replace"},{"name":"c"}]}',
      '{"keyed":[{"name":"c"}]}',
    ],
    [
      '{"keyed":[{"name":"a"},{"name":"b"}]}',
      '{"$setElementOrder/keyed":[{"name":"b"},{"name":"a"}]}',
      '{"keyed":[{"name":"b"},{"name":"a"}]}',
    ],
    [
      '{"keyed":[{"name":"c"},{"name":"d"}]}',
      '{"keyed":[{"name":"c","$patch":"delete"},{"name":"e"}],"$setElementOrder/keyed":[{"name":"e"}]}',
      '{"keyed":[{"name":"d"},{"name":"e"}]}',
    ],
    ['{"keyed":[{"name":"a"}]}', '{"keyed":null}', '{}'],
    ['{"keyed":[{"name":"a"}]}', '{"keyed":{}}', '{"keyed":{}}'],
  ])('%s with %s', (original, patch, want) => {
    const before = parse(original);
    expect(strategicMerge(before, parse(patch), schema)).toEqual(parse(want));
    expect(before).toEqual(parse(original));
  });

  test.each([
    ['{}', '{"$patch":"other"}', 500, 'unknown patch type: other in map: map[$patch:other]'],
    ['{}', '{"union":{}, "$retainKeys":["map"]}', 400, 'invalid patch format of retainKeys'],
    ['{}', '{"$deleteFromPrimitiveList":["a"]}', 400, 'invalid patch format of primitive list'],
    ['{}', '{"$setElementOrder":["a"]}', 400, 'invalid patch format of setElementOrder list'],
    ['{}', '{"$setElementOrder/set":"a"}', 500, 'expected a []interface {}, but received a string'],
    [
      '{"keyed":[{"name":"a"}]}',
      '{"keyed":[{"value":"b"}]}',
      500,
      'map: map[value:b] does not contain declared merge key: name',
    ],
    [
      '{"keyed":[{"name":"a"}]}',
      '{"keyed":[{"$patch":"merge"}]}',
      500,
      'merging lists cannot yet be specified in the patch',
    ],
    ['{"keyless":[{}]}', '{"keyless":[{}]}', 500, 'cannot merge lists without merge key for struct'],
    ['{"set":["a"]}', '{"set":[1]}', 500, 'list element types are not identical: [[a] [1]]'],
    [
      '{"set":[["a"]]}',
      '{"set":[["a"]]}',
      422,
      'the server rejected our request due to an error in our request',
    ],
    [
      '{"set":["a","b"]}',
      '{"$setElementOrder/set":["b"],"set":["a"]}',
      500,
      "The order in patch list:\n[a]\n doesn't match $setElementOrder list:\n[b]\n",
    ],
  ])('rejects %s with %s', (original, patch, code, message) => {
    expect(() => strategicMerge(parse(original), parse(patch), schema)).toThrow(
      expect.objectContaining({ message, problem: expect.objectContaining({ code }) }),
    );
  });
});
