/** Log lines of requests, without possible secrets. */

import type { APIResponse } from '../../api/transport.ts';
import { printable } from '../../common/printable.ts';
import { errorCode } from '../abort/error-codes.ts';
import { isProtobuf } from '../protobuf/requests.ts';
import { encodeQuery, type Query } from '../request/query.ts';
import type { AttemptTrace } from './observe.ts';

/** Query parameters whose values are hidden. `continue` is a position in a list and not a secret. */
const secret = /token|secret|passw|key|auth|sig|cred|session|jwt|code|^command$/i;

/** Returns the query of a request for logs. */
export function shownQuery(query: Query): string {
  const shown = query.map(([name, value]): [string, string] => [name, secret.test(name) ? 'hidden' : value]);
  return shown.length === 0 ? '' : `?${encodeQuery(shown)}`;
}

/** Returns the status of an attempt, or its error code. */
export function resultOf({ status, error }: Pick<AttemptTrace, 'status' | 'error'>): string {
  if (status !== undefined) return String(status);
  return errorCode(error) ?? (error instanceof Error ? error.name : 'an error');
}

/**
 * Returns a log line:
 * `GET https://10.0.0.1:6443/api/v1/pods?limit=500 200 in 12 ms (list pods), protobuf, attempt 2 after 429`.
 */
export function attemptLine(
  trace: AttemptTrace,
  query: Query,
  response?: Pick<APIResponse, 'headers'>,
): string {
  const { method, path, server = '', operation, attempt, after } = trace;
  const { verb, resource } = operation;
  const again = attempt === 1 ? '' : `, attempt ${attempt} after ${after}`;
  const encoding = response !== undefined && isProtobuf(response) ? ', protobuf' : '';
  const line = `${method} ${server}${path}${shownQuery(query)} ${resultOf(trace)} in ${Math.round(trace.durationMs)} ms`;
  return printable(`${line} (${verb} ${resource})${encoding}${again}`);
}
