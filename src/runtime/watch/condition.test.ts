import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Thing, thing } from '../testkit/scripted-source.ts';
import type { Stored } from '../types.ts';
import { condition } from './condition.ts';
import { describeConditions } from './status.ts';

const withStatus = (status: unknown, generation?: number): Stored<Thing> => ({
  ...thing('a', 1, { ...(generation !== undefined && { generation }) }),
  status,
});

describe('condition', () => {
  const ready = { type: 'Ready', status: 'True', reason: 'Up' };
  it.each<{ name: string; given: Stored<Thing> | undefined; want: boolean }>([
    { name: 'no object', given: undefined, want: false },
    { name: 'no status', given: thing('a', 1), want: false },
    { name: 'no conditions', given: withStatus({}), want: false },
    { name: 'conditions of another form', given: withStatus({ conditions: 'Ready' }), want: false },
    { name: 'nothing but gaps', given: withStatus({ conditions: [null, 'x', undefined] }), want: false },
    { name: 'as wanted behind a gap', given: withStatus({ conditions: [null, ready] }), want: true },
    { name: 'another type', given: withStatus({ conditions: [{ ...ready, type: 'Up' }] }), want: false },
    {
      name: 'another status',
      given: withStatus({ conditions: [{ ...ready, status: 'False' }] }),
      want: false,
    },
    { name: 'as wanted', given: withStatus({ conditions: [ready] }), want: true },
    {
      name: 'of an older spec',
      given: withStatus({ conditions: [{ ...ready, observedGeneration: 1 }] }, 2),
      want: false,
    },
    {
      name: 'of this spec',
      given: withStatus({ conditions: [{ ...ready, observedGeneration: 2 }] }, 2),
      want: true,
    },
    {
      name: 'of an older spec, as the status says',
      given: withStatus({ conditions: [ready], observedGeneration: 1 }, 2),
      want: false,
    },
    { name: 'of a kind that does not say', given: withStatus({ conditions: [ready] }, 2), want: true },
  ])('$name: $want', ({ given, want }) => {
    expect(condition('Ready')(given)).toBe(want);
  });

  it('looks for another status when told to', () => {
    expect(condition('Ready', 'False')(withStatus({ conditions: [{ ...ready, status: 'False' }] }))).toBe(
      true,
    );
  });

  it('is a guard', () => {
    const object: Stored<Thing> | undefined = thing('a', 1);
    if (condition('Ready')(object)) expectTypeOf(object).toEqualTypeOf<Stored<Thing>>();
  });

  it('is named in messages', () => {
    const conditions = [
      { type: 'Ready', status: 'False', reason: 'NoNodes' },
      { type: 'Synced', status: 'True' },
    ];
    expect(describeConditions(withStatus({ conditions }))).toBe('Ready=False (NoNodes), Synced=True');
  });
});
