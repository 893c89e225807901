import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../schema/values/json.ts';
import { type PodRule, PodRules } from './rules.ts';
import { fits } from './scheduler.ts';
import { stateAt } from './status.ts';

const pod = (spec: JsonObject = {}, labels: JsonObject = {}): JsonObject => ({
  metadata: { name: 'web-0', namespace: 'shop', labels },
  spec: { containers: [{ name: 'a', image: 'web:1' }], ...spec },
});
const life = { scheduledAt: 0, startedAt: 0, ends: 0, endedAt: undefined };

/** Returns state, readiness, restarts and the time of the next change at some times. */
function timeline(rule: PodRule, spec: JsonObject, ...times: readonly number[]): readonly unknown[] {
  const start = { ...life, startedAt: rule.startAfterMs ?? 0 };
  return times.map((now) => {
    const state = stateAt(pod(spec), rule, start, now);
    return [state.containers, state.isReady, state.life.ends, state.wakeAt];
  });
}

describe('stateAt', () => {
  test('runs and is ready at once without a rule', () => {
    expect(timeline({}, {}, 0)).toEqual([['running', true, 0, undefined]]);
  });

  test('waits for the start and for readiness', () => {
    expect(timeline({ startAfterMs: 100, readyAfterMs: 50 }, {}, 0, 100, 150)).toEqual([
      ['waiting', false, 0, 100],
      ['running', false, 0, 150],
      ['running', true, 0, undefined],
    ]);
  });

  test('never becomes ready', () => {
    expect(timeline({ readyAfterMs: false }, {}, 1e9)).toEqual([['running', false, 0, undefined]]);
  });

  test('restarts containers with doubled delays', () => {
    expect(timeline({ exit: { afterMs: 1_000, code: 1 } }, {}, 0, 1_000, 11_000, 12_000, 32_000)).toEqual([
      ['running', true, 0, 1_000],
      ['backoff', false, 1, 11_000],
      ['running', true, 1, 12_000],
      ['backoff', false, 2, 32_000],
      ['running', true, 2, 33_000],
    ]);
  });

  test('keeps running after the last end', () => {
    expect(timeline({ exit: { times: 1 } }, {}, 10_000)).toEqual([['running', true, 1, undefined]]);
  });

  test.each([
    ['Never', 0, 'ended'],
    ['Never', 1, 'ended'],
    ['OnFailure', 0, 'ended'],
    ['OnFailure', 1, 'backoff'],
    ['Always', 0, 'backoff'],
  ])('restartPolicy %s with exit code %i: %s', (restartPolicy, code, want) => {
    expect(stateAt(pod({ restartPolicy }), { exit: { code } }, life, 0).containers).toBe(want);
  });

  test('never runs an image that cannot be pulled', () => {
    expect(timeline({ pullError: 'x' }, {}, 1e9)).toEqual([['pulling', false, 0, undefined]]);
  });
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
