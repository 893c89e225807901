/** Messages of error responses without a `Status`, by reason. */
import { type FailureReason, reasonCodes } from '../../api/failure-reasons.ts';

const messages: Readonly<Partial<Record<FailureReason, string>>> = {
  BadRequest: 'the server rejected the request',
  Unauthorized: 'the server rejected the credentials',
  Forbidden: 'the server does not allow this',
  NotFound: 'the server does not have this resource',
  MethodNotAllowed: 'the server does not allow this method on the resource',
  NotAcceptable: 'the server cannot respond in a requested format',
  AlreadyExists: 'an object of that name exists already',
  Conflict: 'the request conflicts with the current state',
  UnsupportedMediaType: 'the server does not support the format of the body',
  Invalid: 'the server rejected the object',
  TooManyRequests: 'the server received too many requests; try again later',
  InternalError: 'internal server error',
  ServiceUnavailable: 'the server is not available at the moment',
  Timeout: 'the server, or a proxy in front of it, could not finish in time',
};

const unknown = 'the server rejected the request';

type Explained = readonly [reason: FailureReason | 'Unknown', message: string];

/** Reasons with a message, by status code. */
const byCode: ReadonlyMap<number | null, FailureReason> = new Map(
  // seam: Object.keys is not generic
  (Object.keys(messages) as FailureReason[]).map((reason) => [reasonCodes[reason], reason]),
);

/** Returns the reason and the message of an error response that has only a status code. */
export function reasonOf(code: number, method: string): Explained {
  const isCreation = code === 409 && method === 'POST';
  const reason = isCreation
    ? 'AlreadyExists'
    : (byCode.get(code) ?? (code >= 500 ? 'InternalError' : undefined));
  return reason === undefined ? ['Unknown', unknown] : [reason, messages[reason] ?? unknown];
}
