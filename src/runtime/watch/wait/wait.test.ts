import { getEventListeners } from 'node:events';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { ByteStream } from '../../../../test/support/runtime/byte-stream.ts';
import { apiError, statuses } from '../../../../test/support/runtime/failures.ts';
import { FakeClock, settle } from '../../../../test/support/runtime/fake-clock.ts';
import {
  listOf,
  ScriptedSource,
  type SourceResponse,
  type Thing,
  thing,
} from '../../../../test/support/runtime/scripted-source.ts';
import { isTimeoutError, TransportError } from '../../api/errors.ts';
import { isForbidden } from '../../api/failure-reasons.ts';
import type { Stored } from '../../api/types.ts';
import { condition } from './condition.ts';
import { waitFor } from './wait.ts';

const operation = { verb: 'wait for', resource: 'things', namespace: 'shop', name: 'a' };

function world(...responses: SourceResponse[]) {
  const clock = new FakeClock();
  return {
    clock,
    source: new ScriptedSource(...responses),
    options: { operation, environment: { clock, random: () => 0 } },
  };
}

const version =
  (expected: string) =>
  (object: Stored<Thing> | undefined): boolean =>
    object?.metadata.resourceVersion === expected;

describe('waitFor', () => {
  it('resolves for an existing object', async () => {
    const { source, options, clock } = world(listOf(5, [thing('a', 3)]));
    const { signal } = new AbortController();
    expect(await waitFor(source, version('3'), { ...options, signal, timeoutMs: 1000 })).toEqual(
      thing('a', 3),
    );
    expect(source.log).toEqual(['list limit=500']);
    expect([clock.armed, getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  });

  it('resolves for an absent object', async () => {
    const { source, options } = world(listOf(5, []));
    expect(await waitFor(source, (object) => object === undefined, options)).toBeUndefined();
  });

  it('calls the predicate with every state, and with undefined after deletion', async () => {
    const stream = new ByteStream();
    const { source, options, clock } = world(listOf(5, []), stream);
    const seen: (string | undefined)[] = [];
    stream.line({ type: 'ADDED', object: thing('a', 6) });
    stream.line({ type: 'MODIFIED', object: thing('a', 7) });
    stream.line({ type: 'DELETED', object: thing('a', 8) });
    stream.line({ type: 'ADDED', object: thing('a', 9) });
    const found = await waitFor(
      source,
      (object) => {
        seen.push(object?.metadata.resourceVersion);
        return object?.metadata.resourceVersion === '9';
      },
      options,
    );
    expect(found).toEqual(thing('a', 9));
    expect(seen).toEqual([undefined, '6', '7', undefined, '9']);
    expect([stream.cancelled, clock.armed]).toEqual([true, 0]);
  });

  it('lists again when the history has expired', async () => {
    const stream = new ByteStream();
    const { source, options, clock } = world(listOf(5, []), stream, listOf(9, [thing('a', 9)]));
    stream.line({ type: 'ERROR', object: statuses.expired });
    const found = waitFor(source, version('9'), options);
    await clock.advance(800);
    expect(await found).toEqual(thing('a', 9));
  });

  it.each<{ name: string; after: Stored<Thing>[]; want: (string | undefined)[] }>([
    { name: 'was deleted', after: [], want: ['a 3', undefined] },
    { name: 'was not changed', after: [thing('a', 3)], want: ['a 3', 'a 3'] },
    {
      name: 'was replaced by another one',
      after: [thing('a', 9, { uid: 'another' })],
      want: ['a 3', undefined, 'a 9'],
    },
  ])('detects after an expired history that the object $name', async ({ after, want }) => {
    const { source, options, clock } = world(
      listOf(5, [thing('a', 3)]),
      apiError('expired'),
      listOf(9, after),
    );
    const seen: (string | undefined)[] = [];
    const found = waitFor(
      source,
      (object) => {
        seen.push(object && `a ${object.metadata.resourceVersion}`);
        return false;
      },
      { ...options, timeoutMs: 5000 },
    ).catch((error) => error);
    await clock.advance(5000);
    expect(isTimeoutError(await found)).toBe(true);
    expect(seen).toEqual(want);
  });

  it('reports an expired history that it could not bridge', async () => {
    const expired = apiError('expired');
    const { source, options, clock } = world(listOf(5, []), expired, expired, expired, expired, expired);
    const error = waitFor(source, () => false, { ...options, timeoutMs: 2000 }).catch((reason) => reason);
    await clock.advance(2000);
    expect((await error).message).toContain('last seen: no such object; last failure: 410 Expired');
  });

  it.each([
    { random: 0, ms: 800 },
    { random: 0.5, ms: 1200 },
  ])('waits $ms ms before it lists again for the random number $random', async ({ random, ms }) => {
    const { source, options, clock } = world(listOf(5, []), apiError('expired'), listOf(9, [thing('a', 9)]));
    const environment = { clock, random: () => random };
    const found = waitFor(source, version('9'), { ...options, environment });
    await clock.advance(ms - 1);
    expect(source.requested).toHaveLength(2);
    await clock.advance(1);
    expect(await found).toEqual(thing('a', 9));
  });

  it('throws RangeError for an invalid timeout', async () => {
    const { source, options } = world();
    const call = waitFor(source, () => true, { ...options, timeoutMs: Number.NaN });
    await expect(call).rejects.toThrow(RangeError);
    expect(source.requested).toEqual([]);
  });

  it('throws TypeError for an async predicate', async () => {
    const { source, options, clock } = world(listOf(5, []));
    const call: Promise<unknown> = Reflect.apply(waitFor, undefined, [source, async () => false, options]);
    await expect(call).rejects.toThrow('the predicate of waitFor is async');
    expect(clock.armed).toBe(0);
  });

  it('rejects if a retry cannot succeed', async () => {
    const { source, options } = world(apiError('forbidden'));
    await expect(waitFor(source, () => true, options)).rejects.toSatisfy(isForbidden);
  });

  it('rejects with the error of the predicate, and leaves nothing open', async () => {
    const stream = new ByteStream();
    const { source, options, clock } = world(listOf(5, []), stream);
    stream.line({ type: 'ADDED', object: thing('a', 6) });
    const found = waitFor(
      source,
      (object) => {
        if (object !== undefined) throw new Error('oops');
        return false;
      },
      options,
    );
    await expect(found).rejects.toThrow('oops');
    expect([stream.cancelled, clock.armed]).toEqual([true, 0]);
  });

  it('rejects with the reason of its signal', async () => {
    const { source, options, clock } = world(listOf(5, []), new ByteStream());
    const controller = new AbortController();
    const found = waitFor(source, () => false, { ...options, signal: controller.signal }).catch(
      (error) => error,
    );
    await settle();
    controller.abort('enough');
    expect(await found).toBe('enough');
    expect(clock.armed).toBe(0);
  });

  it('narrows the type with a type guard', () => {
    const { source, options } = world();
    const found = () => waitFor(source, condition('Ready'), options);
    expectTypeOf(found).returns.resolves.toEqualTypeOf<Stored<Thing>>();
  });
});

describe('timeout error of waitFor', () => {
  const deleting = thing('a', 6, {
    deletionTimestamp: '2024-01-31T12:00:00Z',
    finalizers: ['example.com/a'],
  });
  const refused = new TransportError('refused', { verb: 'watch', resource: 'things' });
  const unready = {
    ...thing('a', 7),
    status: { conditions: [{ type: 'Ready', status: 'False', reason: 'NoNodes' }] },
  };
  it.each<{ name: string; given: SourceResponse[]; want: string }>([
    { name: 'without a response', given: ['never'], want: 'nothing yet' },
    { name: 'without an object', given: [listOf(5, []), 'never'], want: 'no such object' },
    { name: 'with an object', given: [listOf(5, [thing('a', 3)]), 'never'], want: 'resourceVersion 3' },
    {
      name: 'with an object that has finalizers but is not being deleted',
      given: [listOf(5, [thing('a', 3, { finalizers: ['example.com/a'] })]), 'never'],
      want: 'resourceVersion 3',
    },
    {
      name: 'with an object that is being deleted',
      given: [listOf(5, [deleting]), 'never'],
      want: 'resourceVersion 6, being deleted since 2024-01-31T12:00:00Z, held by finalizers example.com/a',
    },
    {
      name: 'with conditions',
      given: [listOf(5, [unready]), 'never'],
      want: 'resourceVersion 7, Ready=False (NoNodes)',
    },
    {
      name: 'with a failure since the last state',
      given: [listOf(5, [thing('a', 3)]), refused, refused, refused, refused, refused],
      want: 'resourceVersion 3; last failure: watch things: refused',
    },
    {
      name: 'without a failure before the last state',
      given: [refused, listOf(5, [thing('a', 3)]), 'never'],
      want: 'resourceVersion 3',
    },
  ])('$name', async ({ given, want }) => {
    const { source, options, clock } = world(...given);
    const error = waitFor(source, () => false, { ...options, timeoutMs: 5000 }).catch((reason) => reason);
    await clock.advance(5000);
    expect(isTimeoutError(await error)).toBe(true);
    expect((await error).cause).toBe(want.includes('last failure') ? refused : undefined);
    expect((await error).message).toBe(
      `wait for things shop/a: condition not met within 5000 ms; last seen: ${want}`,
    );
    expect(clock.armed).toBe(0);
  });
});
