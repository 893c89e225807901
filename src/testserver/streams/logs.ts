/**
 * Logs of pods, which handlers of a test write.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/
 */

import { type FieldError, forbiddenField, invalidValue } from '@kgen/runtime/objects';
import type { Context } from '../call/context.ts';
import type { LogLine } from '../call/stream-handlers.ts';
import type { ServerEnvironment } from '../environment/environment.ts';
import { badRequest, invalid, methodNotAllowed, notImplemented } from '../errors/failures.ts';
import { boolean, integer } from '../request/query.ts';
import type { ApiResponse } from '../request/request.ts';
import { containerOf, onDeleted, podOf } from './pods.ts';

/** Handles GET of `pods/log`. */
export function readLog(context: Context): ApiResponse {
  const { type, namespace, name, request } = context;
  if (request.method !== 'GET') throw methodNotAllowed(type);
  const options = logOptions(context);
  const container = containerOf(podOf(context), request.query.get('container') ?? '');
  const handler = context.streams.get('logs');
  if (handler === undefined) throw notImplemented('logs of pods without a handler: call server.onLogs()');
  const ended = new AbortController();
  const unsubscribe = onDeleted(context, () => ended.abort());
  const { signal } = ended;
  signal.addEventListener('abort', unsubscribe);
  const { follow, previous } = options;
  const lines = handler({ namespace, pod: name, container, follow, previous, signal });
  return {
    kind: 'stream',
    contentType: 'text/plain',
    protocols: ['binary.k8s.io', ''],
    chunks: chunksOf(lines, options, context.environment, signal),
    cancel: () => ended.abort(),
  };
}

interface LogOptions {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  /** Milliseconds since the epoch. */
  readonly since: number | undefined;
}

/** @throws {Failure} 400 or 422 */
function logOptions({ request: { query }, environment, name }: Context): LogOptions {
  const [tailLines, sinceSeconds] = [integer(query, 'tailLines'), integer(query, 'sinceSeconds')];
  const limitBytes = integer(query, 'limitBytes');
  const sinceTime = query.get('sinceTime') ?? '';
  const time = sinceTime === '' ? undefined : Date.parse(sinceTime);
  if (Number.isNaN(time) || (time !== undefined && !/^\d{4}-\d\d-\d\dT/.test(sinceTime)))
    throw notTime(sinceTime);
  const errors = [
    ...atLeast('limitBytes', limitBytes, 1),
    ...atLeast('tailLines', tailLines, 0),
    ...atLeast('sinceSeconds', sinceSeconds, 1),
    ...(time !== undefined && sinceSeconds !== undefined
      ? [forbiddenField('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified')]
      : []),
    ...(query.has('stream') ? [forbiddenField('stream', 'may not be specified')] : []),
  ];
  if (errors.length > 0) throw invalid('', 'PodLogOptions', name, errors);
  return {
    follow: boolean(query, 'follow') ?? false,
    previous: boolean(query, 'previous') ?? false,
    timestamps: boolean(query, 'timestamps') ?? false,
    tailLines,
    limitBytes,
    since: sinceSeconds === undefined ? time : environment.now() - sinceSeconds * 1000,
  };
}

function notTime(value: string): Error {
  const quoted = JSON.stringify(value);
  return badRequest(
    `parsing time ${quoted} as "2006-01-02T15:04:05Z07:00": cannot parse ${quoted} as "2006"`,
  );
}

function atLeast(field: string, value: number | undefined, minimum: 0 | 1): readonly FieldError[] {
  if (value === undefined || value >= minimum) return [];
  const detail = minimum === 0 ? 'must be greater than or equal to 0' : 'must be greater than 0';
  return [invalidValue(field, value, detail)];
}

interface TimedLine {
  readonly text: string;
  readonly time: number;
}

async function* chunksOf(
  lines: Iterable<LogLine> | AsyncIterable<LogLine>,
  options: LogOptions,
  environment: ServerEnvironment,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const { limitBytes = Number.POSITIVE_INFINITY, timestamps } = options;
  let left = limitBytes;
  for await (const line of selected(timed(lines, environment, signal), options, environment.now())) {
    const stamp = timestamps ? `${new Date(line.time).toISOString().replace('Z', '000000Z')} ` : '';
    const chunk = Buffer.from(`${stamp}${line.text}\n`);
    yield chunk.subarray(0, Math.min(chunk.length, left));
    left -= chunk.length;
    if (left <= 0) return;
  }
}

/** Yields the lines until the signal is aborted, also while the handler waits for its next line. */
async function* timed(
  lines: Iterable<LogLine> | AsyncIterable<LogLine>,
  environment: ServerEnvironment,
  signal: AbortSignal,
): AsyncGenerator<TimedLine> {
  const iterator = Symbol.asyncIterator in lines ? lines[Symbol.asyncIterator]() : lines[Symbol.iterator]();
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined));
  });
  try {
    while (!signal.aborted) {
      const step = await Promise.race([iterator.next(), aborted]);
      if (step === undefined || step.done === true) return;
      const { text: content, time } =
        typeof step.value === 'string' ? { text: step.value, time: undefined } : step.value;
      yield { text: content, time: time?.getTime() ?? environment.now() };
    }
  } finally {
    // A handler that waits for something else than the signal must not hold the response.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

async function* selected(
  lines: AsyncIterable<TimedLine>,
  { tailLines, since, follow }: LogOptions,
  requestedAt: number,
): AsyncGenerator<TimedLine> {
  const tail: TimedLine[] = [];
  let isPast = tailLines !== undefined;
  for await (const line of lines) {
    if (since !== undefined && line.time < since) continue;
    if (isPast && follow && line.time >= requestedAt) {
      isPast = false;
      yield* tail.splice(0);
    }
    if (!isPast) yield line;
    else if (tail.push(line) > (tailLines ?? 0)) tail.shift();
  }
  yield* tail;
}
