import { describe, expect, it } from 'vitest';
import { ApiError, DecodeError } from '../api/errors.ts';
import type { KubernetesObject } from '../api/meta.ts';
import { classify } from './machine/failure.ts';
import { eventOf, unreadable } from './stream/decode-event.ts';
import { condition } from './wait/condition.ts';

const operation = { verb: 'watch', resource: 'pods' };

describe('condition', () => {
  const object = (generation: number | undefined, observedGeneration: number | undefined) => {
    const pod: KubernetesObject & { readonly status: unknown } = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', ...(generation !== undefined && { generation }) },
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        ...(observedGeneration !== undefined && { observedGeneration }),
      },
    };
    return pod;
  };

  it.each<[generation: number | undefined, observed: number | undefined, holds: boolean]>([
    [undefined, undefined, true],
    [undefined, 0, true],
    [3, undefined, true],
    [3, 3, true],
    [3, 2, false],
  ])('of generation %s with observedGeneration %s: %s', (generation, observed, holds) => {
    expect(condition('Ready')(object(generation, observed))).toBe(holds);
  });
});

describe('unreadable', () => {
  it.each([
    ['a'.repeat(40), JSON.stringify('a'.repeat(40))],
    ['a'.repeat(41), JSON.stringify(`${'a'.repeat(40)}…`)],
  ])('shows how %s begins', (source, excerpt) => {
    const { message } = unreadable(new SyntaxError('bad'), 'a line', source, operation);
    expect(message).toContain(`a line of the stream is not JSON: ${excerpt}`);
    expect(unreadable(new SyntaxError('bad'), 'a line', Buffer.from(source), operation).message).toBe(
      message,
    );
  });

  it('has the cause of anything but bad syntax', () => {
    const cause = new RangeError('too long');
    const error = unreadable(cause, 'a line', 'x', operation);
    expect(error.cause).toBe(cause);
    expect(unreadable(new SyntaxError('bad'), 'a line', 'x', operation)).not.toHaveProperty('cause');
    const decoded = new DecodeError('known', operation);
    expect(unreadable(decoded, 'a line', 'x', operation)).toBe(decoded);
  });
});

describe('classify', () => {
  it.each([
    [400, 'refused'],
    [403, 'refused'],
    [404, 'absent'],
    [408, 'transient'],
    [409, 'refused'],
    [410, 'expired'],
    [425, 'transient'],
    [429, 'transient'],
    [500, 'transient'],
    [501, 'refused'],
    [503, 'transient'],
  ])('a response with the code %d is %s', (code, failure) => {
    expect(classify(new ApiError({ code, ...(code === 410 && { reason: 'Expired' }) }, operation))).toBe(
      failure,
    );
  });
});

it('an object without a version is refused with its kind and name', () => {
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } };
  expect(() => eventOf({ type: 'ADDED', object }, undefined, operation)).toThrow(
    'Pod web has no resourceVersion',
  );
});
