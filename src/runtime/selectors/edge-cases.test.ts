import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../api/meta.ts';
import { labelKeyProblem } from './label-syntax.ts';
import { labelSelectorText } from './labels.ts';
import { matchFields } from './match-fields.ts';

describe('labelKeyProblem', () => {
  it.each(['/name', '-a/name', 'A.b/name', 'a/', 'a/b/c'])('refuses %j', (key) => {
    expect(labelKeyProblem(key)).toMatch(/part|valid label key/);
  });

  it.each(['name', 'a/name', 'a.b-c/Na_me'])('accepts %j', (key) => {
    expect(labelKeyProblem(key)).toBeUndefined();
  });
});

describe('matchFields', () => {
  const object: KubernetesObject & { readonly spec: unknown } = {
    apiVersion: 'v1',
    kind: 'Test',
    metadata: { name: 'web' },
    spec: { nothing: null, missing: undefined, list: ['a'], object: {}, count: 0, flag: false },
  };

  it.each([
    ['metadata.name', 'web'],
    ['metadata.name.length', ''],
    ['metadata.toString', ''],
    ['spec', ''],
    ['spec.list', ''],
    ['spec.object', ''],
    ['spec.nothing', ''],
    ['spec.nothing.further', ''],
    ['spec.missing', ''],
    ['spec.missing.further', ''],
    ['spec.count', '0'],
    ['spec.flag', 'false'],
  ])('the value of %s is %j', (field, value) => {
    expect(matchFields(object, [{ field, operator: '=', value }])).toBe(true);
    expect(matchFields(object, [{ field, operator: '!=', value }])).toBe(false);
  });
});

describe('labelSelectorText', () => {
  it('keeps the order of requirements of one key', () => {
    const exists = { key: 'a', operator: 'Exists' } as const;
    const absent = { key: 'a', operator: 'DoesNotExist' } as const;
    expect(labelSelectorText({ matchExpressions: [exists, absent] })).toBe('a,!a');
    expect(labelSelectorText({ matchExpressions: [absent, exists] })).toBe('!a,a');
  });
});
