/** String subresources: whole, by lines, or as bytes. Loaded with the first such request. */

import { DecodeError } from '../../api/errors.ts';
import type { Operation } from '../../api/operation.ts';
import type { RequestOptions } from '../../api/options.ts';
import type { Request } from '../../api/transport.ts';
import type { AsBytes, AsLines } from '../../api/verbs/log.ts';
import { wholeText } from '../../codec/json.ts';
import { cancel, messageOf } from '../../common/callbacks.ts';
import { withinLimits } from '../../rest/abort/deadline.ts';
import type { RESTClient } from '../../rest/client.ts';
import { readAll } from '../../rest/response/read-body.ts';
import { iteration } from '../../watch/iteration.ts';
import { LineSplitter } from '../../watch/stream/lines.ts';
import { operationOf, type Target } from '../requests/build-request.ts';
import { type Call, textRequest } from '../requests/subresource-requests.ts';

/** Subresource with a string response, and the options of the request. */
export interface TextCall<Options> extends Call<Options> {
  /** Name of the object. */
  readonly name: string;
}

/**
 * Reads the whole response. `timeoutMs` limits the total time. Idle
 * periods have no limit, because the response may follow a log.
 */
export async function readText(
  rest: RESTClient,
  target: Target,
  call: TextCall<RequestOptions>,
): Promise<string> {
  const request = textRequest(target, call.name, call);
  return withinLimits(request, request.operation, async (signal) => {
    return wholeText(await readAll(await rest.stream(within(request, signal))), request.operation);
  });
}

/** Streams the response as lines or bytes. The request is sent when the first item is requested. */
export function streamText(
  rest: RESTClient,
  target: Target,
  call: TextCall<RequestOptions & (AsBytes | AsLines)>,
): AsyncIterable<string | Uint8Array> {
  const { name, subresource, options = {} } = call;
  const operation = operationOf(target, { verb: 'get', name, subresource });
  const start = (signal: AbortSignal): AsyncGenerator<readonly (string | Uint8Array)[], void> => {
    const bytes = follow(rest, () => within(textRequest(target, name, call), signal), signal);
    return options.as === 'bytes' ? bytes : lines(bytes, operation);
  };
  // Any other body is finite and must not look complete if it is interrupted.
  const endless = 'follow' in options && options.follow === true;
  return iteration(start, { ...options, endless }, operation);
}

/** Returns the request of a call that implements its timeout by `signal`. */
function within({ timeoutMs: _, ...request }: Request, signal: AbortSignal | undefined): Request {
  return signal === undefined ? request : { ...request, signal };
}

/**
 * Yields the chunks of a response, each in an array. An abort also ends it if the transport ignores the
 * signal.
 */
async function* follow(
  rest: RESTClient,
  made: () => Request,
  signal: AbortSignal,
): AsyncGenerator<readonly [Uint8Array], void> {
  const request = made();
  const response = await rest.stream(request);
  const chunks = response.body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await withinLimits({ signal }, request.operation, () => chunks.next());
      if (next.done === true) return;
      yield [next.value];
    }
  } finally {
    cancel(response);
  }
}

async function* lines(
  bytes: AsyncIterable<readonly [Uint8Array]>,
  operation: Operation,
): AsyncGenerator<readonly string[], void> {
  const splitter = new LineSplitter();
  for await (const [chunk] of bytes) yield cut(splitter, chunk, operation);
  const last = splitter.end();
  if (last !== undefined) yield [last];
}

function cut(splitter: LineSplitter, chunk: Uint8Array, operation: Operation): readonly string[] {
  try {
    return splitter.push(chunk);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new DecodeError(`${reason}; request bytes instead of lines`, operation, { cause });
  }
}
