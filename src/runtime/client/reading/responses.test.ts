import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api/errors.ts';
import type { StatusDetails } from '../../api/meta.ts';
import { isAbsent } from './responses.ts';

function notFound(details?: StatusDetails): ApiError {
  return new ApiError({ code: 404, reason: 'NotFound', ...(details !== undefined && { details }) });
}

describe('isAbsent', () => {
  it.each([
    ['an object that the server does not have', notFound({ name: 'a missing object', kind: 'pods' }), true],
    ['a 404 without details, as simple servers send it', notFound(), true],
    ['an unknown path', notFound({}), false],
    [
      'a page that is not a Status',
      notFound({ name: 'web', causes: [{ reason: 'UnexpectedServerResponse' }] }),
      false,
    ],
    [
      'another refusal',
      new ApiError({ code: 403, reason: 'Forbidden', details: { name: 'another API error' } }),
      false,
    ],
    ['another error', new TypeError('no'), false],
  ])('%s', (_, error, want) => {
    expect(isAbsent(error)).toBe(want);
  });
});
