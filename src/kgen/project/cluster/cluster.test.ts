import { ApiError, TransportError } from '@kgen/runtime';
import { describe, expect, it, test } from 'vitest';
import { failure, RolloutWait } from './deploy.ts';
import { holderOf } from './lock.ts';
import { parseObjects, withImage } from './operator.ts';
import { checkProtected } from './protect.ts';
import { foreignManagers } from './undeploy-plan.ts';

it.each([
  ['production', ['production'], true],
  ['production-eu', ['production'], false],
  ['production-eu', ['production-*'], true],
  ['kind-dev', ['production-*', 'staging'], false],
  ['a.b', ['a?b', 'a.c'], false],
  ['axb', ['a.b'], false],
  ['anything', ['*'], true],
  [undefined, ['production'], false],
])('the context %s is protected by %j: %s', (context, protect, expected) => {
  const check = (): void => checkProtected({ context }, protect);
  if (expected) expect(check).toThrow(/is protected by kgen\.config/);
  else expect(check).not.toThrow();
});

it.each([
  ['nobody', undefined, undefined],
  ['nobody', { spec: { holderIdentity: '', renewTime: '1970-01-01T00:01:00Z' } }, undefined],
  ['nobody', { spec: { holderIdentity: 'ann', renewTime: '1970-01-01T00:00:00Z' } }, undefined],
  [
    'ann',
    { spec: { holderIdentity: 'ann', renewTime: '1970-01-01T00:01:00Z', leaseDurationSeconds: 60 } },
    { holder: 'ann', seconds: 30 },
  ],
])('%s holds a lock: %j', (_, lease, expected) => {
  expect(holderOf(lease, 90_000)).toEqual(expected);
});

test('a rollout has failed once its Pods have had problems for the whole patience', () => {
  const wait = new RolloutWait(30);
  const state = (problems: readonly string[]) => ({
    ...{ isDone: false, progress: '' },
    problems: problems.map((text) => ({ text })),
  });
  const seen = [
    [['pull'], 0],
    [['pull'], 20],
    [[], 25],
    [['crash'], 40],
    [['crash'], 69],
    [['crash'], 70],
  ] as const;
  expect(seen.map(([problems, now]) => wait.isOver(state(problems), now))).toEqual([
    ...[false, false, false, false, false],
    true,
  ]);
});

describe('the error of objects that cannot be applied', () => {
  const operation = { verb: 'apply', resource: 'pods' };
  it('names the objects that are applied, and the others, after the cluster has vanished', () => {
    const error = new TransportError('connect ECONNREFUSED', operation);
    const named = (name: string) => ({ object: { apiVersion: 'v1', kind: 'Secret', name } });
    const failed = Array.from({ length: 12 }, (_, index) => ({
      ...{ ...named(`b${index}`), action: 'failed' as const, error },
    }));
    const [first, ...lines] = failure([{ ...named('a'), action: 'created' }, ...failed], '').message.split(
      '\n',
    );
    expect(first).toMatch(/does not respond any more .*ECONNREFUSED.*: run the command again, it continues$/);
    expect(lines).toEqual([
      '  applied: Secret a',
      expect.stringMatching(/^ {2}not applied, or unknown: Secret b0, .*Secret b9 and 2 more$/),
    ]);
  });
  it('names --force for fields of others', () => {
    const status = { code: 409, reason: 'Conflict', message: 'conflict with "bob"' };
    const error = new ApiError(status, operation);
    expect(failure([{ action: 'failed', error }], 'all').message).toMatch(/^all\n.*--force/);
  });
});

it.each([
  ['a: [', /^x\.yaml:1:5: broken YAML: /],
  ['', /has no objects/],
  ['- 1', /^x\.yaml:1:1: expected a Kubernetes object/],
  ['kind: Pod', /every document must be an object/],
])('refuses %j as manifests', (text, message) => {
  expect(() => parseObjects(text, 'x.yaml')).toThrow(message);
});

it('counts the items of a list as objects', () => {
  const item = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
  expect(parseObjects(JSON.stringify({ kind: 'List', items: [item] }), 'x')).toEqual([item]);
});

it('replaces the image of the first container', () => {
  const text = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: a }
spec: { template: { spec: { containers: [{ name: b, image: old }, { name: c, image: other }] } } }`;
  const [changed] = withImage(parseObjects(text, 'x'), 'new:1');
  expect(changed).toMatchObject({
    spec: { template: { spec: { containers: [{ name: 'b', image: 'new:1' }, { image: 'other' }] } } },
  });
  expect(() => withImage([], 'new:1')).toThrow(/no Deployment/);
});

it('names managers of fields besides kgen, the operator and the cluster', () => {
  const managedFields = [
    { manager: 'kgen', operation: 'Apply' },
    { manager: 'box', operation: 'Update' },
    { manager: 'box-certificates', operation: 'Apply' },
    { manager: 'kube-controller-manager', operation: 'Update', subresource: 'status' },
    { manager: 'kubelet', operation: 'Update', subresource: 'status' },
    { manager: 'kubectl-edit', operation: 'Update' },
    { manager: 'hpa', operation: 'Update', subresource: 'scale' },
  ];
  expect(foreignManagers({ metadata: { managedFields } }, 'box')).toEqual(['kubectl-edit', 'hpa']);
});
