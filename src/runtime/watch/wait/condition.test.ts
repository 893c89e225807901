import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Thing, thing } from '../../../../test/support/runtime/scripted-source.ts';
import type { Stored } from '../../api/types.ts';
import { condition } from './condition.ts';
import { describeConditions } from './status.ts';

const withStatus = (status: unknown, generation?: number): Stored<Thing> => ({
  ...thing('a', 1, { ...(generation !== undefined && { generation }) }),
  status,
});

describe('condition', () => {
  const ready = { type: 'Ready', status: 'True', reason: 'Up' };
  it.each<{ name: string; given: Stored<Thing> | undefined; want: boolean }>([
    { name: 'an absent object', given: undefined, want: false },
    { name: 'an object without a status', given: thing('a', 1), want: false },
    { name: 'an object without conditions', given: withStatus({}), want: false },
    { name: 'conditions that are not an array', given: withStatus({ conditions: 'Ready' }), want: false },
    {
      name: 'conditions without an object among them',
      given: withStatus({ conditions: [null, 'x', undefined] }),
      want: false,
    },
    {
      name: 'a matching condition after malformed ones',
      given: withStatus({ conditions: [null, ready] }),
      want: true,
    },
    {
      name: 'a condition of another type',
      given: withStatus({ conditions: [{ ...ready, type: 'Up' }] }),
      want: false,
    },
    {
      name: 'a condition with another status',
      given: withStatus({ conditions: [{ ...ready, status: 'False' }] }),
      want: false,
    },
    { name: 'a matching condition', given: withStatus({ conditions: [ready] }), want: true },
    {
      name: 'a condition with an older observedGeneration',
      given: withStatus({ conditions: [{ ...ready, observedGeneration: 1 }] }, 2),
      want: false,
    },
    {
      name: 'a condition with the current observedGeneration',
      given: withStatus({ conditions: [{ ...ready, observedGeneration: 2 }] }, 2),
      want: true,
    },
    {
      name: 'a status with an older observedGeneration',
      given: withStatus({ conditions: [ready], observedGeneration: 1 }, 2),
      want: false,
    },
    { name: 'a kind without observedGeneration', given: withStatus({ conditions: [ready] }, 2), want: true },
  ])('$name: $want', ({ given, want }) => {
    expect(condition('Ready')(given)).toBe(want);
  });

  it('matches another status if specified', () => {
    expect(condition('Ready', 'False')(withStatus({ conditions: [{ ...ready, status: 'False' }] }))).toBe(
      true,
    );
  });

  it('narrows the type', () => {
    const object: Stored<Thing> | undefined = thing('a', 1);
    if (condition('Ready')(object)) expectTypeOf(object).toEqualTypeOf<Stored<Thing>>();
  });

  it('has a name for messages', () => {
    const conditions = [
      { type: 'Ready', status: 'False', reason: 'NoNodes' },
      { type: 'Synced', status: 'True' },
    ];
    expect(describeConditions(withStatus({ conditions }))).toBe('Ready=False (NoNodes), Synced=True');
  });
});
