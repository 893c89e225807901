import { expect, it } from 'vitest';
import { apiError, refusedConnection } from '../../../../test/support/runtime/failures.ts';
import { noTimePasses } from '../../../../test/support/runtime/no-time-passes.ts';
import { TransportError } from '../../api/errors.ts';
import { whyNotSynced } from './informer-waits.ts';

noTimePasses();

const target = { resource: 'things', namespace: 'shop' };
const requested = { verb: 'list', at: 1000 } as const;

it.each([
  { request: undefined, error: undefined, want: 'has not sent a request yet' },
  {
    request: requested,
    error: undefined,
    want: 'waits for the whole state, requested 61 s ago: list things in namespace shop',
  },
  {
    request: requested,
    error: apiError('absent'),
    want: 'the resource does not exist; is its CRD installed? 404 NotFound: NotFound',
  },
  {
    request: requested,
    error: apiError('forbidden'),
    want: 'rejected by the server: 403 Forbidden: Forbidden',
  },
  { request: requested, error: refusedConnection(), want: 'connect ECONNREFUSED' },
  {
    request: requested,
    error: new TransportError('the client is closed', undefined, { code: 'CLIENT_CLOSED' }),
    want: 'the client is closed',
  },
])('$want', ({ request, error, want }) => {
  expect(whyNotSynced({ request, error, target, now: 62_000 })).toBe(want);
});
