import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../input/crd/crd-input.ts';
import { apiFactsOf, deprecation, factsOf } from './facts.ts';

const cel = [{ rule: 'true' }, { message: 'no rule' }, 'text'];

describe('keywords', () => {
  test('of a schema of a custom resource are all of them', () => {
    const given = { type: 'string', title: 'x', minLength: 0, 'x-kubernetes-validations': cel };
    expect(factsOf(given, ['not'])).toEqual({ keywords: given, isWhole: true, logic: ['not'] });
  });

  test.each<{ title: string; given: JsonObject; want: JsonObject }>([
    { title: 'none', given: { type: 'string', description: 'x', title: 'y' }, want: {} },
    { title: 'bounds', given: { minimum: 0, maximum: -1 }, want: { minimum: 0, maximum: -1 } },
    { title: 'no false ones', given: { exclusiveMaximum: false, uniqueItems: false }, want: {} },
    { title: 'a default', given: { default: 'x' }, want: { default: 'x' } },
    { title: 'no default that is zero', given: { default: 0 }, want: {} },
    {
      title: 'rules with an expression',
      given: { 'x-kubernetes-validations': cel },
      want: { 'x-kubernetes-validations': [{ rule: 'true' }] },
    },
    {
      title: 'only valid values',
      given: {
        minimum: Number.NaN,
        maximum: Number.POSITIVE_INFINITY,
        minLength: { a: 1 },
        maxLength: null,
        minItems: [],
        format: [],
        pattern: '',
        'x-kubernetes-list-map-keys': ['a', 7],
      },
      want: { 'x-kubernetes-list-map-keys': ['a'] },
    },
  ])('of a schema of a built-in kind: $title', ({ given, want }) => {
    expect(apiFactsOf(given).keywords).toEqual(want);
  });
});

test.each<{ title: string; given: JsonObject; want: object }>([
  { title: 'nothing', given: {}, want: {} },
  {
    title: 'description verbatim',
    given: { description: ' */ `$x` @tag\r\n' },
    want: { description: ' */ `$x` @tag\r\n' },
  },
  { title: 'no empty description', given: { description: '' }, want: {} },
  { title: 'no description that is not a string', given: { description: 1 }, want: {} },
  { title: 'deprecated by keyword', given: { deprecated: true }, want: { deprecated: '' } },
])('facts: $title', ({ given, want }) => {
  expect(apiFactsOf(given)).toEqual({ keywords: {}, ...want });
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
