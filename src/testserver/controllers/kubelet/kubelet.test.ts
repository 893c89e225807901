import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../schema/values/json.ts';
import { type PodRule, PodRules } from './rules.ts';
import { fits } from './scheduler/node-affinity.ts';

const pod = (spec: JsonObject = {}, labels: JsonObject = {}): JsonObject => ({
  metadata: { name: 'web-0', namespace: 'shop', labels },
  spec: { containers: [{ name: 'a', image: 'web:1' }], ...spec },
});
describe('PodRules', () => {
  test.each<[PodRule['match'], boolean]>([
    [{}, true],
    [{ name: 'web-*' }, true],
    [{ name: 'web' }, false],
    [{ namespace: 'shop', image: 'web:*' }, true],
    [{ namespace: 'other' }, false],
    [{ labels: { app: 'web' } }, true],
    [{ labels: { app: 'web', tier: 'front' } }, false],
    [{ controller: 'Job' }, false],
  ])('%j matches: %s', (match, want) => {
    const rule = { match: match ?? {}, readyAfterMs: 1 };
    expect(new PodRules([rule]).of(pod({}, { app: 'web' })) === rule).toBe(want);
  });

  test('prefers added rules until they are removed', () => {
    const rules = new PodRules([{ readyAfterMs: 1 }]);
    let changes = 0;
    rules.onChange(() => {
      changes += 1;
    });
    const remove = rules.add({ readyAfterMs: 2 });
    expect(rules.of(pod()).readyAfterMs).toBe(2);
    remove();
    remove();
    expect([rules.of(pod()).readyAfterMs, changes]).toEqual([1, 2]);
  });
});

describe('fits', () => {
  const node = (spec: JsonObject = {}): JsonObject => ({
    metadata: { name: 'n', labels: { zone: 'a' } },
    spec,
  });
  const taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' };
  const affinity = (term: JsonObject): JsonObject => ({
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
    },
  });

  test.each<[string, JsonObject, JsonObject, boolean]>([
    ['no conditions', {}, {}, true],
    ['a selector that matches', { nodeSelector: { zone: 'a' } }, {}, true],
    ['a selector that does not match', { nodeSelector: { zone: 'b' } }, {}, false],
    ['a cordoned node', {}, { unschedulable: true }, false],
    ['a taint', {}, { taints: [taint] }, false],
    ['a tolerated taint', { tolerations: [{ key: 'gpu', operator: 'Exists' }] }, { taints: [taint] }, true],
    ['a taint of another value', { tolerations: [{ key: 'gpu', value: 'no' }] }, { taints: [taint] }, false],
    ['a preference', {}, { taints: [{ ...taint, effect: 'PreferNoSchedule' }] }, true],
    [
      'the name of the node',
      affinity({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }),
      {},
      true,
    ],
    [
      'another name',
      affinity({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['m'] }] }),
      {},
      false,
    ],
    [
      'an expression',
      affinity({ matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] }),
      {},
      false,
    ],
  ])('%s', (_title, podSpec, nodeSpec, want) => {
    expect(fits(pod(podSpec), node(nodeSpec))).toBe(want);
  });
});
