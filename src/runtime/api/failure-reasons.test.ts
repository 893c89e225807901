import { describe, expect, it, vi } from 'vitest';
import * as classes from './errors.ts';
import * as reasons from './failure-reasons.ts';
import type { Status } from './meta.ts';

const errors = { ...classes, ...reasons };
const { ApiError, TimeoutError } = errors;

describe('predicates', () => {
  type Predicate = keyof typeof errors & `is${string}`;
  const yes: Readonly<Record<string, { given: Partial<Status>; want: readonly Predicate[] }>> = {
    NotFound: { given: { reason: 'NotFound', code: 404 }, want: ['isNotFound'] },
    'a bare 404': { given: { code: 404 }, want: ['isNotFound'] },
    'a 404 of an unknown reason': { given: { code: 404, reason: 'Lost' }, want: ['isNotFound'] },
    'a known reason with another code': { given: { reason: 'Conflict', code: 404 }, want: ['isConflict'] },
    AlreadyExists: { given: { reason: 'AlreadyExists', code: 409 }, want: ['isAlreadyExists'] },
    'a bare 409': { given: { code: 409 }, want: ['isConflict'] },
    Expired: { given: { reason: 'Expired', code: 410 }, want: ['isExpired'] },
    Gone: { given: { reason: 'Gone', code: 410 }, want: ['isExpired', 'isGone'] },
    'a bare 410': { given: { code: 410 }, want: ['isExpired', 'isGone'] },
    StoreReadError: { given: { reason: 'StoreReadError', code: 500 }, want: ['isStoreReadError'] },
    Invalid: { given: { reason: 'Invalid', code: 422 }, want: ['isInvalid'] },
    'a bare 401': { given: { code: 401 }, want: ['isUnauthorized'] },
    'a bare 403': { given: { code: 403 }, want: ['isForbidden'] },
    'a creation in a terminating namespace': {
      given: { code: 403, reason: 'Forbidden', details: { causes: [{ reason: 'NamespaceTerminating' }] } },
      want: ['isForbidden', 'isNamespaceTerminating'],
    },
    'a bare 400': { given: { code: 400 }, want: ['isBadRequest'] },
    'a bare 405': { given: { code: 405 }, want: ['isMethodNotAllowed'] },
    'a bare 406': { given: { code: 406 }, want: ['isNotAcceptable'] },
    'a bare 413': { given: { code: 413 }, want: ['isRequestEntityTooLarge'] },
    'a bare 415': { given: { code: 415 }, want: ['isUnsupportedMediaType'] },
    'a bare 429': { given: { code: 429 }, want: ['isTooManyRequests'] },
    'a 429 with another reason': {
      given: { code: 429, reason: 'ServerTimeout' },
      want: ['isServerTimeout', 'isTooManyRequests'],
    },
    'a bare 500': { given: { code: 500 }, want: ['isInternalError'] },
    'ServerTimeout is not a time-out': {
      given: { code: 500, reason: 'ServerTimeout' },
      want: ['isServerTimeout'],
    },
    'a bare 503': { given: { code: 503 }, want: ['isServiceUnavailable'] },
    'a bare 504': { given: { code: 504 }, want: ['isTimeout'] },
    'something else': { given: { code: 418, reason: 'Teapot' }, want: [] },
  };
  const predicates = Object.entries(errors).flatMap(
    ([name, predicate]): [string, (error: unknown) => boolean][] =>
      // All exports whose name begins with `is` are predicates.
      name.startsWith('is') ? [[name, predicate as (error: unknown) => boolean]] : [],
  );
  const responses = (error: unknown): string[] =>
    predicates.flatMap(([name, predicate]) => (predicate(error) ? [name] : []));

  it.each(Object.entries(yes))('%s', (_, { given, want }) => {
    const error = new ApiError(given);
    expect(responses(error).sort()).toEqual([...want, 'isApiError'].sort());
  });

  it.each(Object.entries(errors.reasonCodes))(
    'exist for the reason %s, and hold for code %s',
    (reason, code) => {
      const predicate = `is${reason}`;
      expect(responses(new ApiError({ reason }))).toContain(predicate);
      if (code !== null) expect(responses(new ApiError({ code }))).toContain(predicate);
      const other = reason === 'NotFound' ? 'Conflict' : 'NotFound';
      const holds = responses(new ApiError({ reason: other, ...(code !== null && { code }) })).includes(
        predicate,
      );
      expect(holds).toBe(reason === 'TooManyRequests'); // holds for any reason with code 429
    },
  );

  it('hold for errors of another copy of the package', async () => {
    vi.resetModules();
    const copy = await import('./errors.ts');
    expect(copy.TimeoutError).not.toBe(TimeoutError);
    expect(errors.isNotFound(new copy.ApiError({ code: 404 }))).toBe(true);
    expect(errors.isTimeoutError(new copy.TimeoutError('no'))).toBe(true);
    expect(errors.isTransportError(new copy.TransportError('no'))).toBe(true);
    expect(errors.isDecodeError(new copy.DecodeError('no'))).toBe(true);
    expect(errors.isConfigError(new copy.ConfigError('no'))).toBe(true);
  });

  it.each(['TimeoutError', 'ConfigError', 'TransportError', 'DecodeError'])(
    'do not hold for a %s of another package',
    (name) => {
      expect(responses(Object.assign(new Error('no'), { name }))).toEqual([]);
      expect(responses(new DOMException('no', name))).toEqual([]);
    },
  );

  it.each([undefined, null, 'NotFound', 404, {}, { name: 'ApiError' }, new Error('NotFound')])(
    '%s is none',
    (value) => {
      expect(responses(value)).toEqual([]);
    },
  );

  it('find causes', () => {
    const causes = [{ reason: 'FieldManagerConflict', field: '.spec' }, { reason: 'Other' }];
    const error = new ApiError({ code: 409, details: { causes } });
    expect(errors.statusCauses(error, 'FieldManagerConflict')).toEqual([causes[0]]);
    expect(errors.hasStatusCause(error, 'Other')).toBe(true);
    expect(errors.hasStatusCause(error, 'None')).toBe(false);
    expect(errors.hasStatusCause(new Error('x'), 'Other')).toBe(false);
  });
});

it('an ApiError for which one predicate returns false can be passed to others', () => {
  const reported = (error: unknown): string => {
    if (!errors.isApiError(error)) return 'another';
    if (errors.isNotFound(error)) return errors.isConflict(error) ? 'both' : `${error.code} not found`;
    if (errors.hasStatusCause(error, 'FieldManagerConflict')) return 'owned';
    if (errors.hasStatusCause(error, 'NamespaceTerminating')) return 'ending';
    // The type was `never` here when a predicate that returns false narrowed the type.
    return `${error.code} ${error.reason}`;
  };
  const codes = [404, 418].map((code) => new ApiError({ code }));
  expect([...codes, new Error('x')].map(reported)).toEqual(['404 not found', '418 Unknown', 'another']);
});
