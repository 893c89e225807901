import { expect, test } from 'vitest';
import { type ForeignEdit, ForeignEdits } from './foreign-edits.ts';

const id = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
const edit: ForeignEdit = { id, uid: '1', path: ['spec', 'replicas'], value: 16 };
const request = { namespace: 'shop', name: 'web', status: 200 };
const config = { apiVersion: 'apps/v1', kind: 'Deployment', spec: {} };
const withField = { ...config, spec: { replicas: 1 } };

type Applied = Parameters<ForeignEdits['applied']>;

test.each<[string, readonly Applied[], boolean]>([
  ['without an apply', [], false],
  ['after an apply without the field', [[request, config]], true],
  ['after an apply with the field', [[request, withField]], false],
  [
    'after applies with and without the field',
    [
      [request, withField],
      [request, config],
    ],
    true,
  ],
  [
    'after applies without and with the field',
    [
      [request, config],
      [request, withField],
    ],
    false,
  ],
  ['after a refused apply', [[{ ...request, status: 409 }, config]], false],
  ['after an apply without a response', [[{ ...request, status: undefined }, config]], false],
  [
    'after an apply and a refused one',
    [
      [request, config],
      [{ ...request, status: 500 }, withField],
    ],
    true,
  ],
  ['after an apply to another object', [[{ ...request, name: 'other' }, config]], false],
  ['after an apply to an object of another namespace', [[{ ...request, namespace: '' }, config]], false],
  ['after an apply to an object of another kind', [[request, { ...config, kind: 'StatefulSet' }]], false],
  ['after an apply to an object of another group', [[request, { ...config, apiVersion: 'v1' }]], false],
])('a field %s is abandoned: %3$s', (_, applies, isAbandoned) => {
  const edits = new ForeignEdits();
  // An apply before the edit does not count.
  edits.applied(request, config);
  edits.add(edit);
  for (const each of applies) edits.applied(...each);
  expect(edits.takeAbandoned()).toEqual(isAbandoned ? [edit] : []);
  expect(edits.takeAbandoned()).toEqual([]);
});
