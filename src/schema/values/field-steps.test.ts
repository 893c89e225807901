import { expect, test } from 'vitest';
import { fieldSteps } from './field-steps.ts';

test.each([
  ['', []],
  ['spec', ['spec']],
  [
    'spec.containers[0].ports[web].name',
    ['spec', 'containers', { key: '0' }, 'ports', { key: 'web' }, 'name'],
  ],
  ['data[a.b/c]', ['data', { key: 'a.b/c' }]],
  ['data[a[b][]', ['data', { key: 'a[b' }, { key: '' }]],
  ['[0][1]', [{ key: '0' }, { key: '1' }]],
  ['.a..b]', ['a', 'b']],
  ['a[b.c[d', ['a', 'b', 'c', 'd']],
])('the path %s has the steps %j', (path, steps) => {
  expect(fieldSteps(path)).toEqual(steps.map((step) => (typeof step === 'string' ? { name: step } : step)));
});
