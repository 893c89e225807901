import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../input/crd/crd-input.ts';
import { rulesText } from '../model.fixture.ts';
import { deprecation, factsOf } from './facts.ts';

describe('rules', () => {
  test.each<{ title: string; given: JsonObject; want: readonly string[] }>([
    { title: 'none', given: { type: 'string', description: 'x' }, want: [] },
    {
      title: 'in a fixed order',
      given: {
        pattern: '^a',
        maxLength: 3,
        minLength: 0,
        uniqueItems: true,
        multipleOf: 0.5,
        maximum: 9,
        minimum: -1,
      },
      want: [
        'minimum -1',
        'maximum 9',
        'multipleOf 0.5',
        'minLength 0',
        'maxLength 3',
        'pattern "^a"',
        'uniqueItems true',
      ],
    },
    {
      title: 'exclusive bounds beside their bounds, false ones never',
      given: { minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: false, uniqueItems: false },
      want: ['minimum 0', 'exclusiveMinimum true', 'maximum 1'],
    },
    {
      title: 'integers beyond 2^53 with all digits that are known',
      given: { maximum: 2 ** 63, minimum: -(2 ** 53) },
      want: ['minimum -9007199254740992', 'maximum 9223372036854775808'],
    },
    {
      title: 'patterns that JavaScript has no words for',
      given: { pattern: '(?i)\\A[[:alpha:]]+$' },
      want: ['pattern "(?i)\\\\A[[:alpha:]]+$"'],
    },
    {
      title: 'list type and keys, map type',
      given: {
        'x-kubernetes-map-type': 'atomic',
        'x-kubernetes-list-map-keys': ['a', 'b'],
        'x-kubernetes-list-type': 'map',
      },
      want: ['listType "map"', 'listMapKeys ["a","b"]', 'mapType "atomic"'],
    },
    {
      title: 'CEL, with messages where there are any, last',
      given: {
        'x-kubernetes-validations': [
          { rule: 'self.a == 1', message: 'a is 1' },
          { rule: 'true' },
          { message: 'no rule' },
          'text',
        ],
        minProperties: 1,
      },
      want: ['minProperties 1', 'cel self.a == 1 (a is 1)', 'cel true'],
    },
    {
      title: 'of values that can be read, and of no others',
      given: {
        minimum: Number.NaN,
        maximum: Number.POSITIVE_INFINITY,
        minLength: { a: 1 },
        maxLength: null,
        minItems: [],
        'x-kubernetes-list-map-keys': ['a', 7],
      },
      want: ['listMapKeys ["a"]'],
    },
    {
      title: 'in full, however long',
      given: { pattern: 'x'.repeat(10_000) },
      want: [`pattern "${'x'.repeat(10_000)}"`],
    },
  ])('$title', ({ given, want }) => {
    expect(rulesText(factsOf(given).rules)).toEqual(want);
  });
});

describe('facts', () => {
  test.each<{ title: string; given: JsonObject; want: object }>([
    { title: 'nothing', given: {}, want: { rules: [] } },
    {
      title: 'description verbatim',
      given: { description: ' */ `$x` @tag\r\n' },
      want: { rules: [], description: ' */ `$x` @tag\r\n' },
    },
    { title: 'no empty description', given: { description: '' }, want: { rules: [] } },
    {
      title: 'default as JSON',
      given: { default: { a: [1, 'x', null] } },
      want: { rules: [], default: '{"a":[1,"x",null]}' },
    },
    { title: 'default null', given: { default: null }, want: { rules: [], default: 'null' } },
    { title: 'unknown format', given: { format: 'uint32' }, want: { rules: [], format: 'uint32' } },
    { title: 'deprecated by keyword', given: { deprecated: true }, want: { rules: [], deprecated: '' } },
    {
      title: 'texts that are no texts',
      given: { description: 1, format: [], pattern: null },
      want: { rules: [] },
    },
  ])('$title', ({ given, want }) => {
    expect(factsOf(given)).toEqual(want);
  });

  test('cut a default that is too long', () => {
    const text = factsOf({ default: 'x'.repeat(100_000) }).default ?? '';
    expect(text.length).toBeLessThan(5_000);
    expect(text.endsWith('…')).toBe(true);
  });

  test('print a default with shared parts in time linear in its text', () => {
    let bomb: JsonObject = { x: 'x' };
    for (let level = 0; level < 60; level += 1) bomb = { a: bomb, b: bomb };
    expect(factsOf({ default: bomb }).default?.length).toBeLessThan(5_000);
  });
});

describe('deprecation', () => {
  test.each([
    { given: 'Deprecated: use b instead.', want: 'use b instead.' },
    { given: 'DEPRECATED', want: '' },
    { given: 'Deprecated.', want: '' },
    { given: 'Deprecated. Use b.', want: 'Use b.' },
    { given: 'deprecated: use b', want: 'use b' },
    { given: 'What it is.\n\nDeprecated: use b\ninstead.\n\nMore.', want: 'use b\ninstead.' },
    { given: 'What it is.\nDeprecated - gone soon', want: 'gone soon' },
    { given: '[Deprecated] use b', want: 'use b' },
    { given: '**DEPRECATED**: use b', want: 'use b' },
    { given: 'Deprecated (use b)', want: '(use b)' },
    { given: 'Deprecated use b', want: 'use b' },
    { given: 'Deprecated in 1.2, since b does the same', want: 'in 1.2, since b does the same' },
    { given: 'Deprecated and ignored', want: 'and ignored' },
    { given: 'DEPRECATED Please use b', want: 'Please use b' },
    { given: 'Deprecated\nuse b', want: 'use b' },
    { given: 'What it is.\nDeprecated', want: '' },
    { given: 'Deprecated versions of the API that are still allowed.', want: undefined },
    { given: 'Deprecated APIs.\nDeprecated: use b.', want: 'use b.' },
    { given: 'Deprecated-by-design names', want: undefined },
    { given: 'Deprecated users are kept', want: undefined },
    { given: 'The deprecated way', want: undefined },
    { given: 'deprecated fields are kept', want: undefined },
    { given: 'Deprecatedness', want: undefined },
    { given: 'This is Deprecated: no', want: undefined },
    { given: 'What it is. Deprecated: use b.\n\nMore.', want: 'use b.' },
    { given: 'What it is (or not) DEPRECATED: use b.', want: 'use b.' },
    { given: 'What it is. Deprecated versions are kept.', want: undefined },
    { given: 'One of:\n - a: is. Deprecated: use b.\n - b: is.', want: undefined },
    { given: 'What it is - or not.\n\nIt is b. Deprecated: use c.', want: 'use c.' },
    { given: undefined, want: undefined },
  ])('$given', ({ given, want }) => {
    expect(deprecation(given)).toBe(want);
  });
});
