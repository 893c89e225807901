import { describe, expect, it } from 'vitest';
import type { Condition } from '../api/meta.ts';
import {
  findCondition,
  isConditionFalse,
  isConditionTrue,
  removeCondition,
  setCondition,
} from './conditions.ts';

const then = '2024-01-01T00:00:00Z';
const now = new Date('2026-05-04T03:02:01.234Z');
const ready: Condition = {
  type: 'Ready',
  status: 'True',
  reason: 'AllGood',
  message: '',
  lastTransitionTime: then,
  observedGeneration: 3,
};
const synced: Condition = { ...ready, type: 'Synced', status: 'Unknown' };

describe('conditions of an object', () => {
  it.each<[type: string, found: boolean, isTrue: boolean, isFalse: boolean]>([
    ['Ready', true, true, false],
    ['Synced', true, false, false],
    ['Degraded', true, false, true],
    ['Absent', false, false, false],
  ])('%s', (type, found, isTrue, isFalse) => {
    const list = [ready, synced, { ...ready, type: 'Degraded', status: 'False' }];
    expect(findCondition(list, type) !== undefined).toBe(found);
    expect(isConditionTrue(list, type)).toBe(isTrue);
    expect(isConditionFalse(list, type)).toBe(isFalse);
    expect(findCondition(undefined, type)).toBeUndefined();
    expect(isConditionTrue(null, type)).toBe(false);
  });
});

describe('setCondition', () => {
  const { lastTransitionTime: _, ...given } = ready;
  it.each<
    [
      what: string,
      before: Condition[] | undefined,
      set: Parameters<typeof setCondition<Condition>>[1],
      want: Condition[],
    ]
  >([
    ['the first', undefined, given, [{ ...ready, lastTransitionTime: '2026-05-04T03:02:01Z' }]],
    ['a new type', [synced], ready, [synced, ready]],
    [
      'another status',
      [ready, synced],
      { ...given, status: 'False', reason: 'Broken' },
      [{ ...ready, status: 'False', reason: 'Broken', lastTransitionTime: '2026-05-04T03:02:01Z' }, synced],
    ],
    [
      'another status, at a given time',
      [ready],
      { ...ready, status: 'False', lastTransitionTime: '2025-01-01T00:00:00Z' },
      [{ ...ready, status: 'False', lastTransitionTime: '2025-01-01T00:00:00Z' }],
    ],
    [
      'the same status: the time stays',
      [ready],
      { ...given, message: 'new', observedGeneration: 4, lastTransitionTime: '2025-01-01T00:00:00Z' },
      [{ ...ready, message: 'new', observedGeneration: 4 }],
    ],
  ])('%s', (_what, before, set, want) => {
    const copy = structuredClone(before);
    expect(setCondition(before, set, { now })).toEqual(want);
    expect(before).toEqual(copy);
  });

  it('returns the same list if nothing differs', () => {
    const list = [synced, ready];
    expect(setCondition(list, given, { now })).toBe(list);
    expect(removeCondition(list, 'Absent')).toBe(list);
  });

  it('has the type of the condition for an empty list', () => {
    const conditions: Condition[] = setCondition([], given, { now });
    expect(conditions).toEqual([{ ...given, lastTransitionTime: expect.any(String) }]);
  });

  it('removes a reason that is left out', () => {
    const list: { type: 'A' | 'B'; status: string; reason?: string; lastTransitionTime?: string }[] = [
      { type: 'A', status: 'False', reason: 'Old', lastTransitionTime: then },
    ];
    expect(setCondition(list, { type: 'A', status: 'False' })).toEqual([
      { type: 'A', status: 'False', lastTransitionTime: then },
    ]);
  });
});

it('removeCondition removes a condition', () => {
  expect(removeCondition([ready, synced], 'Ready')).toEqual([synced]);
  expect(removeCondition<Condition>(undefined, 'Ready')).toEqual([]);
});
