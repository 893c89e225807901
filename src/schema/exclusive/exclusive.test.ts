import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../values/json.ts';
import { exclusiveMembers } from './exclusive.ts';

const names = ['a', 'b', 'c', 'd'];

function found(schema: JsonObject, more: JsonObject = {}): readonly string[] {
  const properties = { ...Object.fromEntries(names.map((name) => [name, {}])), ...more };
  return exclusiveMembers({ type: 'object', properties, ...schema }, Object.keys(properties)).map(
    ({ names: group, isRequired }) => `${isRequired ? '1' : '0..1'} of ${group.join(' ')}`,
  );
}

const has = (...members: readonly string[]): JsonObject => ({ required: members });
const nothing = (...members: readonly string[]): JsonObject => ({
  not: { anyOf: members.map((name) => has(name)) },
});

const logic: readonly (readonly [title: string, schema: JsonObject, want: readonly string[]])[] = [
  ['oneOf of required', { oneOf: [has('a'), has('b'), has('c')] }, ['1 of a b c']],
  ['oneOf with an empty alternative', { oneOf: [nothing('a', 'b'), has('a'), has('b')] }, ['0..1 of a b']],
  [
    'two oneOf in allOf',
    { allOf: [{ oneOf: [has('a'), has('b')] }, { oneOf: [nothing('c', 'd'), has('c'), has('d')] }] },
    ['1 of a b', '0..1 of c d'],
  ],
  ['oneOf in anyOf', { anyOf: [{ oneOf: [has('a'), has('b')] }] }, ['1 of a b']],
  ['oneOf in one of two members of anyOf', { anyOf: [{ oneOf: [has('a'), has('b')] }, has('c')] }, []],
  [
    'branches that exclude the others',
    {
      anyOf: [
        { ...has('a'), not: has('b') },
        { ...has('b'), not: has('a') },
      ],
    },
    ['1 of a b'],
  ],
  ['not both', { not: has('a', 'b') }, ['0..1 of a b']],
  ['a pair of members, or another one', { oneOf: [has('a', 'b'), has('c')] }, []],
  ['anyOf of required', { anyOf: [has('a'), has('b')] }, []],
  [
    'a branch with another condition',
    { oneOf: [{ ...has('a'), properties: { a: { minLength: 1 } } }, has('b')] },
    [],
  ],
  [
    'a branch with an empty property',
    { oneOf: [{ ...has('a'), properties: { a: {} } }, has('b')] },
    ['1 of a b'],
  ],
  ['a branch with an unknown keyword', { oneOf: [{ ...has('a'), dependencies: {} }, has('b')] }, []],
  ['three of which an odd number exists', { oneOf: [{ oneOf: [has('a'), has('b')] }, has('c')] }, []],
  ['minProperties and maxProperties', { minProperties: 1, maxProperties: 1 }, ['1 of a b c d']],
  ['maxProperties alone', { maxProperties: 1 }, ['0..1 of a b c d']],
  ['two properties', { minProperties: 1, maxProperties: 2 }, []],
  [
    'maxProperties beside a required property',
    { maxProperties: 2, required: ['a'] },
    ['0..1 of b c d', '1 of a'],
  ],
  ['a schema that refuses every object', { allOf: [has('a'), { not: has('a') }] }, []],
  ['no condition', {}, []],
  [
    'keywords that are not schemas',
    { oneOf: 'x', anyOf: [1], not: 2, maxProperties: 'x', 'x-kubernetes-validations': [7, {}] },
    [],
  ],
];

const rules: readonly (readonly [rule: string, want: readonly string[]])[] = [
  ['has(self.a) != has(self.b)', ['1 of a b']],
  ['(has(self.a) && !has(self.b)) || (!has(self.a) && has(self.b))', ['1 of a b']],
  ['!(has(self.a) && has(self.b))', ['0..1 of a b']],
  ['!has(self.a) || !has(self.b)', ['0..1 of a b']],
  ['(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) + (has(self.c) ? 1 : 0) == 1', ['1 of a b c']],
  ['1 >= (has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0)', ['0..1 of a b']],
  ['[has(self.a), has(self.b), has(self.c)].filter(x, x).size() == 1', ['1 of a b c']],
  ['[has(self.a),has(self.b)].filter(x,x==true).size() <= 1', ['0..1 of a b']],
  ['size([has(self.a), has(self.b)].filter(i, !i)) == 1', ['1 of a b']],
  ['[has(self.a), has(self.b), has(self.c)].exists_one(x, x)', ['1 of a b c']],
  ['[has(self.a), has(self.b)].map(x, x ? 1 : 0).sum() == 1', ['1 of a b']],
  ['[has(self.a), has(self.b)].filter(x, x).size() in [0, 1]', ['0..1 of a b']],
  ['has(self.a) ? !has(self.b) && !has(self.c) : true', ['0..1 of a b', '0..1 of a c']],
  ['has(self.a) != has(self.b) // one of both', ['1 of a b']],
  ['self.?a.hasValue() != self.?b.hasValue()', ['1 of a b']],
  ['[has(self.a), has(self.b)].map(x, x, 1).sum() == 1', ['1 of a b']],
  ['([has(self.a)] + [has(self.b)]).filter(x, x).filter(x, x).size() < 2', ['0..1 of a b']],
  [
    '[has(self.a), has(self.b)].filter(x, x).all(x, !has(self.c)) && !(has(self.a) && has(self.b))',
    ['0..1 of a b c'],
  ],
  // More than one may be present.
  ['has(self.a) || has(self.b)', []],
  ['has(self.a) == has(self.b)', []],
  ['(has(self.a) != has(self.b)) != has(self.c)', []],
  ['[has(self.a), has(self.b)].filter(x, x).size() >= 1', []],
  ['(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) != 0', []],
  ['!has(self.a) || !has(self.a.x) || !has(self.b)', []],
  ["!(has(self.a) && self.a != '' && has(self.b))", []],
  ["self.c == 'x' || has(self.a) != has(self.b)", []],
  ['has(oldSelf.a) || has(self.a) != has(self.b)', []],
  ['[has(self.a), has(self.b)].exists_one(self, has(self.a))', []],
  ['self.list.exists_one(x, has(self.a))', []],
  ['has(self.a) != has(self.b', []],
  ['has(self.a) != has(self.b) €', []],
  // Other rules do not matter.
  ["(has(self.a) != has(self.b)) && self.c.matches(r'''a\"b''')", ['1 of a b']],
  ["(has(self.a) != has(self.b)) && {'x': [1]}['x'][0] > -1.5", ['1 of a b']],
];

describe('members that exclude each other', () => {
  test.each(logic)('%s', (_, schema, want) => {
    expect(found(schema)).toEqual(want);
  });

  test.each(rules)('%s', (rule, want) => {
    expect(found({ 'x-kubernetes-validations': [{ rule }] })).toEqual(want);
  });

  test('rules and keywords hold together', () => {
    const rule = 'has(self.a) || has(self.b)';
    expect(found({ not: has('a', 'b'), 'x-kubernetes-validations': [{ rule }] })).toEqual(['1 of a b']);
  });

  test('a member with a default is always present', () => {
    expect(found({ minProperties: 1, maxProperties: 2 }, { a: { default: 'x' } })).toEqual(['0..1 of b c d']);
  });

  test('names are escaped in rules', () => {
    const rule = 'has(self.__namespace__) != has(self.x__dash__y)';
    const more = { namespace: {}, 'x-y': {} };
    expect(found({ 'x-kubernetes-validations': [{ rule }] }, more)).toEqual(['1 of namespace x-y']);
  });

  test('one of 43 members is recognised in each form', () => {
    const many = Array.from({ length: 43 }, (_, index) => `m${index}`);
    const properties = Object.fromEntries(many.map((name) => [name, {}]));
    const flags = many.map((name) => `has(self.${name})`);
    const forms: readonly JsonObject[] = [
      { oneOf: many.map((name) => has(name)) },
      { minProperties: 1, maxProperties: 1 },
      { 'x-kubernetes-validations': [{ rule: `[${flags.join()}].filter(x, x).size() == 1` }] },
      {
        'x-kubernetes-validations': [
          { rule: `${flags.map((flag) => `(${flag} ? 1 : 0)`).join(' + ')} == 1` },
        ],
      },
    ];
    for (const form of forms)
      expect(exclusiveMembers({ properties, ...form }, many)).toEqual([{ names: many, isRequired: true }]);
  });
});

describe('hostile schemas end early', () => {
  const properties: Record<string, Json> = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`m${index}`, {}]),
  );
  const flags = Object.keys(properties).map((name) => `has(self.${name})`);
  const deep = (open: string, close: string): string =>
    `${open.repeat(3_000)}has(self.a)${close.repeat(3_000)}`;
  const nested = (depth: number): string =>
    depth === 0 ? (flags[0] ?? '') : `[${flags.join()}].all(x${depth}, ${nested(depth - 1)})`;
  const pairs = flags
    .slice(0, 30)
    .map((flag, index) => `${flag} && ${flags[59 - index]}`)
    .join(' || ');
  test.each([deep('(', ')'), deep('!', ''), deep('[', ']'), nested(8), pairs, `!(${pairs})`, '{'.repeat(50)])(
    'rule %#',
    (rule) => {
      expect(
        exclusiveMembers({ properties, 'x-kubernetes-validations': [{ rule }] }, Object.keys(properties)),
      ).toHaveLength(rule.startsWith('!(') ? 30 : 0);
    },
  );

  test('shared members are read once', () => {
    let node: JsonObject = has('m0');
    for (let depth = 0; depth < 40; depth += 1) node = { anyOf: [node, node] };
    expect(exclusiveMembers({ properties, ...node }, Object.keys(properties))).toEqual([
      { names: ['m0'], isRequired: true },
    ]);
  });
});
