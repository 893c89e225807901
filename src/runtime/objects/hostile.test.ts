import { describe, expect, it } from 'vitest';
import { corruptions, hostileValues } from '../../../test/support/runtime/hostile.ts';
import type { KubernetesObject } from '../api/meta.ts';
import { byLabel, byOwner } from '../cache/store/indices.ts';
import { matchFields } from '../selectors/match-fields.ts';
import { matchLabels } from '../selectors/match-labels.ts';
import { parseFieldSelector } from '../selectors/parse-fields.ts';
import { parseLabelSelector } from '../selectors/parse-labels.ts';
import { findCondition, isConditionTrue, removeCondition, setCondition } from './conditions.ts';
import { addFinalizer, hasFinalizer, removeFinalizer } from './finalizers.ts';
import {
  controllerOf,
  isControlledBy,
  isOwnedBy,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from './owners.ts';

const owner = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'o', uid: 'u-o' } };
const object = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'a',
    labels: { app: 'web' },
    finalizers: ['example.com/f'],
    ownerReferences: [{ apiVersion: 'v1', kind: 'ReplicaSet', name: 'r', uid: 'u-r' }],
  },
};
const ready = { type: 'Ready', status: 'True', reason: 'Up', message: '' };

/** All shapes that an object may have whose schema is open. */
const shapes = [...corruptions(object)].map(({ path, value }) => ({
  path,
  // The wire: nothing of it is known.
  given: value as KubernetesObject & typeof object,
}));

describe.each(shapes)('a malformed object with $path', ({ given }) => {
  it('finalizers are read and changed', () => {
    expect(hasFinalizer(given, 'none')).toBe(false);
    expect(removeFinalizer(given, 'none')).toBe(given);
    expect(hasFinalizer(addFinalizer(given, 'example.com/g'), 'example.com/g')).toBe(true);
    removeFinalizer(given, 'example.com/f');
  });

  it('owners are read and changed', () => {
    const owned = setOwnerReference(given, owner);
    expect(isOwnedBy(owned, owner)).toBe(true);
    expect(isControlledBy(given, owner)).toBe(false);
    expect(isControlledBy(setControllerReference(removeOwnerReference(given, owner), owner), owner)).toBe(
      true,
    );
    expect(removeOwnerReference(given, owner)).toBe(given);
    controllerOf(given);
  });

  it('selects labels, fields and owners by strings only', () => {
    for (const selector of ['app=web', 'app', '!app', 'app!=web', 'app>1']) {
      matchLabels(given.metadata?.labels, parseLabelSelector(selector));
    }
    matchFields(given, parseFieldSelector('metadata.name=a,metadata.labels.app!=b'));
    for (const valuesOf of [byOwner, byLabel('app')]) {
      for (const value of valuesOf(given)) expect(value).toBeTypeOf('string');
    }
  });
});

describe.each(
  [...hostileValues, [null, ready], [1, 'x', ready]].map((value) => [JSON.stringify(value), value]),
)('malformed conditions that are %s', (_, value) => {
  // The wire: nothing of it is known.
  const conditions = value as (typeof ready)[];

  it('are found, set and removed', () => {
    const present = Array.isArray(value) && value.includes(ready);
    expect(findCondition(conditions, 'Ready')).toEqual(present ? ready : undefined);
    expect(isConditionTrue(conditions, 'Ready')).toBe(present);
    const set = setCondition(conditions, { ...ready, type: 'Up' });
    expect(isConditionTrue(set, 'Up')).toBe(true);
    expect(findCondition(removeCondition(set, 'Up'), 'Up')).toBeUndefined();
  });
});

it('names a controller of any shape in the error', () => {
  const reference = { controller: true, kind: { toString: 1 }, name: ['x'] };
  // The wire: nothing of it is known.
  const controlled = {
    ...object,
    metadata: { name: 'a', ownerReferences: [reference] },
  } as unknown as KubernetesObject;
  expect(() => setControllerReference(controlled, owner)).toThrow('{"toString":1} ["x"] controls it already');
});
