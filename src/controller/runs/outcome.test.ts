import { ApiError } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { errorOf, TerminalError } from '../errors.ts';
import { StaleObjectError } from './finalizer.ts';
import { outcomeOfError, outcomeOfResult } from './outcome.ts';

const api = (status: object): ApiError => new ApiError(status);

const throwing = (name: string, value: object = {}): object =>
  Object.defineProperty(value, name, {
    enumerable: true,
    get: () => {
      throw new Error(`getter of ${name}`);
    },
  });

describe('outcome of a result', () => {
  it.each<readonly [unknown, object]>([
    [undefined, { type: 'success' }],
    [null, { type: 'success' }],
    [{}, { type: 'success' }],
    [{ requeueAfterMs: undefined }, { type: 'success' }],
    [{ requeueAfterMs: 0 }, { type: 'requeueAfter', afterMs: 0 }],
    [{ requeueAfterMs: 1.5 }, { type: 'requeueAfter', afterMs: 1.5 }],
  ])('of %o is as expected', (value, expected) => {
    expect(outcomeOfResult(value)).toEqual(expected);
  });

  it.each<readonly [unknown, string]>([
    [{ requeueAfterMs: Number.NaN }, 'requeueAfterMs NaN'],
    [{ requeueAfterMs: -1 }, 'requeueAfterMs -1'],
    [{ requeueAfterMs: Number.POSITIVE_INFINITY }, 'requeueAfterMs Infinity'],
    [{ requeueAfterMs: '5' }, 'requeueAfterMs of type string'],
    [{ requeueAfterMs: null }, 'requeueAfterMs of type object'],
    [{ requeue: true }, 'an object with the member "requeue"'],
    [[], 'an array'],
    [0, 'a number'],
    [true, 'a boolean'],
    ['done', 'a string'],
    [() => undefined, 'a function'],
  ])('of %o is an error that names it', (value, message) => {
    const outcome = outcomeOfResult(value);
    expect(outcome).toMatchObject({ type: 'retry', error: { name: 'InvalidResultError' } });
    expect(String(Reflect.get(outcome, 'error'))).toContain(message);
  });
});

describe('outcome of an object that throws', () => {
  it.each(['requeueAfterMs', 'other'])('is an error with the getter %s', (name) => {
    expect(outcomeOfResult(throwing(name))).toMatchObject({ error: { name: 'InvalidResultError' } });
  });

  it('is an error for a proxy', () => {
    const { error } = outcomeOfResult(hostileProxy()) as { readonly error?: unknown };
    expect(String(error)).toContain('an object that cannot be read');
  });
});

describe('outcome of an error', () => {
  const conflict = { code: 409, reason: 'Conflict' };
  const busy = { code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 7 } };
  it.each<readonly [string, unknown, object]>([
    ['a conflict', api(conflict), { type: 'conflict' }],
    ['finalizers of an older object', new StaleObjectError('x'), { type: 'conflict' }],
    ['fields of another manager', fieldConflict(), { type: 'retry' }],
    ['an object that exists', api({ code: 409, reason: 'AlreadyExists' }), { type: 'retry' }],
    ['a terminal error', new TerminalError('x'), { type: 'terminal' }],
    ['Retry-After', api(busy), { type: 'retry', afterMs: 7000 }],
    ['503 without Retry-After', api({ code: 503 }), { type: 'retry' }],
    ['an error', new Error('x'), { type: 'retry' }],
    ['undefined', undefined, { type: 'retry' }],
    ['null', null, { type: 'retry' }],
    ['a string', 'broken', { type: 'retry' }],
    ['a getter that throws', () => throwing('name', new Error('x')), { type: 'retry' }],
    ['a proxy that throws', () => hostileProxy(), { type: 'retry' }],
  ])('of %s is as expected', (_, given, expected) => {
    const error: unknown = typeof given === 'function' ? given() : given;
    const outcome = outcomeOfError(error);
    expect({ type: outcome.type, ...('afterMs' in outcome && { afterMs: outcome.afterMs }) }).toEqual(
      expected,
    );
  });

  function fieldConflict(): ApiError {
    return api({ ...conflict, details: { causes: [{ reason: 'FieldManagerConflict', field: '.spec' }] } });
  }
});

function hostileProxy(): object {
  const fail = (): never => {
    throw new Error('trap');
  };
  return new Proxy({}, { get: fail, getPrototypeOf: fail, ownKeys: fail, has: fail });
}

describe('any thrown value', () => {
  it.each<readonly [string, unknown, string]>([
    ['undefined', undefined, 'not an error was thrown: undefined'],
    ['null', null, 'not an error was thrown: object'],
    ['a string', 'broken', 'not an error was thrown: string "broken"'],
    ['a number', 5, 'not an error was thrown: number 5'],
    ['an object', { code: 5 }, 'not an error was thrown: object'],
    [
      'a message that throws',
      () => throwing('message', new Error('x')),
      'an error was thrown whose members cannot be read',
    ],
    [
      'a stack that throws',
      () => throwing('stack', new Error('x')),
      'an error was thrown whose members cannot be read',
    ],
    ['a proxy', () => hostileProxy(), 'an error was thrown whose members cannot be read'],
  ])('%s becomes an error that can be logged', (_, given, message) => {
    const thrown: unknown = typeof given === 'function' ? given() : given;
    expect(errorOf(thrown).message).toBe(message);
    expect(typeof errorOf(thrown).stack).toBe('string');
  });
});
