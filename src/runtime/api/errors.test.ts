import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import * as errors from './errors.ts';
import type { Status } from './meta.ts';

const { ApiError, ConfigError, DecodeError, TimeoutError, TransportError } = errors;
const operation = { verb: 'get', resource: 'pods', namespace: 'shop', name: 'web-0' };

describe('messages', () => {
  const cases: readonly [error: Error, want: string][] = [
    [
      new ApiError({ code: 404, reason: 'NotFound', message: 'pods "web-0" not found' }, operation),
      'get pods shop/web-0: 404 NotFound: pods "web-0" not found',
    ],
    [new ApiError({ code: 500 }), '500'],
    [new ApiError({}), 'the server failed without a reason'],
    [new ApiError({ message: 'no' }, { verb: 'list', resource: 'nodes' }), 'list nodes: no'],
    [
      new TransportError('refused', { verb: 'list', resource: 'pods', namespace: 'shop' }),
      'list pods in namespace shop: refused',
    ],
    [
      new TimeoutError('timed out', { verb: 'get', resource: 'nodes', name: 'n1' }),
      'get nodes n1: timed out',
    ],
    [
      new TimeoutError('timed out', { verb: 'list', resource: 'nodes', namespace: '' }),
      'list nodes: timed out',
    ],
    [new DecodeError('no JSON'), 'no JSON'],
    [new ConfigError('no server'), 'no server'],
    [
      new ApiError({ message: 'It failed.' }, operation, { hint: 'try later' }),
      'get pods shop/web-0: It failed; try later',
    ],
  ];
  it.each(cases)('%s', (error, want) => {
    expect(error.message).toBe(want);
    expect(error.stack).toMatch(new RegExp(`^${error.name}: `));
    expect(inspect(error)).toContain(`${error.name}: ${want}`);
  });

  it('keep the cause', () => {
    const cause = new Error('under it');
    expect(new TransportError('over it', operation, { cause }).cause).toBe(cause);
  });
});

describe('an ApiError', () => {
  it('contains the response of the server', () => {
    const status: Partial<Status> = {
      code: 429,
      reason: 'TooManyRequests',
      details: { retryAfterSeconds: 3 },
    };
    expect(new ApiError(status, operation)).toMatchObject({
      name: 'ApiError',
      code: 429,
      reason: 'TooManyRequests',
      details: { retryAfterSeconds: 3 },
      retryAfterSeconds: 3,
      operation,
      status,
    });
  });
});

describe('questions', () => {
  type Question = keyof typeof errors & `is${string}`;
  const yes: Readonly<Record<string, { given: Partial<Status>; want: readonly Question[] }>> = {
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
  const questions = Object.entries(errors).flatMap(
    ([name, request]): [string, (error: unknown) => boolean][] =>
      // All exports whose name begins with `is` are predicates.
      name.startsWith('is') ? [[name, request as (error: unknown) => boolean]] : [],
  );
  const responses = (error: unknown): string[] =>
    questions.flatMap(([name, request]) => (request(error) ? [name] : []));

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

it('an ApiError that one question does not hold for can be asked others', () => {
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

it.each([
  ['line breaks', 'a\nb', 'a\nb'],
  ['escape sequences', '\u001b[31mred', '?[31mred'],
  ['characters that change the direction of text', 'a\u202eb\u2066c', 'a?b?c'],
  ['separators of lines in JavaScript', 'a\u2028b', 'a?b'],
  ['a message of any length', 'x'.repeat(20_000), `${'x'.repeat(16_384 - '403: '.length)}…`],
])('ApiError shows %s of a status safely', (_, message, want) => {
  expect(new ApiError({ code: 403, message }).message).toBe(`403: ${want}`);
});
