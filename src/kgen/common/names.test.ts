import { describe, expect, test } from 'vitest';
import { apiVersionOf, isGroup, isKind, isLabel, isSubdomain, packageOf } from './names.ts';

const long = 'a'.repeat(63);

describe('valid names', () => {
  test.each([
    {
      is: isLabel,
      fit: ['v1', 'a-b', 'a', long],
      unfit: ['', '1a', 'A', 'a-', 'a.b', '__proto__', `${long}a`],
    },
    {
      is: isSubdomain,
      fit: ['apps', 'a.b-c.d', '9.a', Array(126).fill('a').join('.')],
      unfit: ['', 'a..b', '..', 'a.', '-a', 'a.-b', 'A.b', Array(128).fill('a').join('.')],
    },
    { is: isGroup, fit: ['', 'apps'], unfit: ['..', 'a/b'] },
    { is: isKind, fit: ['Pod', 'a-B9', long], unfit: ['', '9A', 'A-', 'A.B', 'A_B', `${long}a`] },
  ])('$is.name accepts and rejects names', ({ is, fit, unfit }) => {
    expect(fit.filter((text) => !is(text))).toEqual([]);
    expect(unfit.filter(is)).toEqual([]);
  });
});

test('parses an apiVersion', () => {
  expect(apiVersionOf({ group: 'apps', version: 'v1' })).toBe('apps/v1');
  expect(apiVersionOf({ group: '', version: 'v1' })).toBe('v1');
});

test.each([
  { name: 'io.k8s.api.core.v1.Pod', want: 'io.k8s.api.core.v1' },
  { name: 'Pod', want: '' },
  { name: '', want: '' },
])('returns the package of "$name"', ({ name, want }) => {
  expect(packageOf(name)).toBe(want);
});
