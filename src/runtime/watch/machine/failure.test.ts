import { describe, expect, it } from 'vitest';
import { apiError, type FailureName, refusedConnection } from '../../../../test/support/runtime/failures.ts';
import { ApiError, ConfigError, DecodeError, TimeoutError, TransportError } from '../../api/errors.ts';
import { classify, type Failure, retryAfterMs } from './failure.ts';

describe('classes of failures', () => {
  it.each<[FailureName, Failure]>([
    ['expired', 'expired'],
    ['gone', 'expired'],
    ['ahead', 'ahead'],
    ['busy', 'transient'],
    ['internal', 'transient'],
    ['unavailable', 'transient'],
    ['forbidden', 'refused'],
    ['absent', 'absent'],
    ['bad', 'refused'],
    ['unimplemented', 'refused'],
  ])('%s is %s', (name, want) => {
    expect(classify(apiError(name))).toBe(want);
  });

  it.each<[string, unknown, Failure]>([
    [
      'too large a version, in words only',
      new ApiError({ code: 504, message: 'Too large resource version: 9' }),
      'ahead',
    ],
    ['no connection', refusedConnection(), 'transient'],
    ['a closed client', new TransportError('closed', undefined, { code: 'CLIENT_CLOSED' }), 'closed'],
    ['silence', new TimeoutError('silent'), 'transient'],
    ['an unreadable answer', new DecodeError('no JSON'), 'malformed'],
    ['a Status without a code', new ApiError({}), 'transient'],
    ['a bad configuration', new ConfigError('no such file'), 'broken'],
    ['a mistake in the program', new TypeError('no function'), 'broken'],
  ])('%s: %#', (_, error, want) => {
    expect(classify(error)).toBe(want);
  });

  it.each([
    [apiError('busy'), 7000],
    [apiError('internal'), 0],
    [new ApiError({ code: 429, details: { retryAfterSeconds: -1 } }), 0],
    [refusedConnection(), 0],
  ])('retries %s after %d ms', (error, want) => {
    expect(retryAfterMs(error)).toBe(want);
  });
});
