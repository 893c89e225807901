import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ApiError, ConfigError, DecodeError, TimeoutError, TransportError } from './errors.ts';
import type { Status } from './meta.ts';

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

it.each([
  ['line breaks', 'a\nb', 'a\nb'],
  ['escape sequences', '\u001b[31mred', '?[31mred'],
  ['characters that change the direction of text', 'a\u202eb\u2066c', 'a?b?c'],
  ['separators of lines in JavaScript', 'a\u2028b', 'a?b'],
  ['a message of any length', 'x'.repeat(20_000), `${'x'.repeat(16_384 - '403: '.length)}…`],
])('ApiError shows %s of a status safely', (_, message, want) => {
  expect(new ApiError({ code: 403, message }).message).toBe(`403: ${want}`);
});
