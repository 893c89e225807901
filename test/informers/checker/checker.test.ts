/** The checker detects informers that are broken on purpose. */
import type { APIRequest, APIResponse, Transport } from '@kgen/runtime/rest';
import { beforeAll, expect, test } from 'vitest';
import type { Distortion, HandlerCall } from '../listener.ts';
import { Play, type PlayOptions, warmUp } from '../play.ts';
import { scheduleOf } from '../schedule.ts';

const seedCount = 12;

/** Returns the problems of the first schedule that has any. */
async function firstProblems(options: () => PlayOptions): Promise<readonly string[]> {
  for (let seed = 1; seed <= seedCount; seed += 1) {
    const { problems } = await new Play(scheduleOf(seed), options()).run();
    if (problems.length > 0) return problems;
  }
  return [];
}

beforeAll(warmUp);

/** Changes only the nth call. */
function once(nth: number, change: (call: HandlerCall) => readonly HandlerCall[]): Distortion {
  let calls = 0;
  return (call) => {
    calls += 1;
    return calls === nth ? change(call) : [call];
  };
}

const nothing = (): readonly HandlerCall[] => [];

/** Delays one call until after the next one. */
function swapped(): Distortion {
  let kept: HandlerCall | undefined;
  let calls = 0;
  return (call) => {
    calls += 1;
    if (calls === 30) kept = call;
    if (calls === 30) return [];
    return calls === 31 && kept !== undefined ? [call, kept] : [call];
  };
}

const distortions: readonly (readonly [string, () => Distortion, RegExp])[] = [
  // The omitted call may be the last one for its object.
  [
    'omits a call',
    () => once(40, nothing),
    /delivered last|missing object|existing object|missing|skipped|differs from the server at the end/,
  ],
  [
    'makes a call twice',
    () => once(40, (call) => [call, call]),
    /delivered twice|existing object|missing object/,
  ],
  ['swaps calls', swapped, /other calls|back in time|delivered last|missing object/],
  [
    'passes another old object',
    () => (call) => [call.type === 'update' ? { ...call, old: { ...call.old } } : call],
    /old is not the object delivered last/,
  ],
  [
    'never calls delete',
    () => (call) => (call.type === 'delete' ? [] : [call]),
    /add of an existing object|differs from the server/,
  ],
  [
    'passes a state that the server never had',
    () => once(10, (call) => [withoutSpec(call)]),
    /a state that the server never had|last state/,
  ],
  [
    'invents a deletion',
    () => once(3, (call) => [call, { type: 'delete', object: call.object, missed: true }]),
    /invented deletion/,
  ],
  ['makes updates of additions', () => (call) => [asUpdate(call)], /update of a missing object/],
];

function withoutSpec(call: HandlerCall): HandlerCall {
  const object = { metadata: call.object.metadata };
  return { ...call, object };
}

function asUpdate(call: HandlerCall): HandlerCall {
  return call.type === 'add' ? { type: 'update', object: call.object, old: call.object } : call;
}

test.each(distortions)('reports an informer that %s', async (_, distort, problem) => {
  const problems = await firstProblems(() => ({ distort: distort() }));
  expect(problems.join('\n')).toMatch(problem);
});

const isWatch = ({ query }: APIRequest): boolean => query.some(([name]) => name === 'watch');

/** Applies a change to the responses of watches. */
function throughWatches(change: (text: string) => string): (transport: Transport) => Transport {
  return (transport) => async (request) => {
    const response = await transport(request);
    return isWatch(request) && response.status === 200
      ? { ...response, body: lines(response, change) }
      : response;
  };
}

async function* lines({ body }: APIResponse, change: (line: string) => string): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0);
  for await (const chunk of body) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      const line = rest.toString('utf8', 0, end + 1);
      rest = rest.subarray(end + 1);
      yield Buffer.from(change(line));
    }
  }
  yield rest;
}

/** Changes the nth line of some kind. */
function nthLine(nth: number, kind: string, change: (line: string) => string): (line: string) => string {
  let seen = 0;
  return (line) => {
    if (!line.includes(`"type":"${kind}"`)) return line;
    seen += 1;
    return seen === nth ? change(line) : line;
  };
}

/** Changes requests on their way to the server. */
function requesting(change: (request: APIRequest) => APIRequest): (transport: Transport) => Transport {
  return (transport) => (request) => transport(change(request));
}

const earlier = (request: APIRequest): APIRequest => ({
  ...request,
  query: request.query.map(([name, value]) =>
    name === 'resourceVersion' && isWatch(request)
      ? [name, String(Math.max(100, Number(value) - 3))]
      : [name, value],
  ),
});

/** Responds with 410 to watches that resume from a version, without the knowledge of the server. */
function forgetful(transport: Transport): Transport {
  let watches = 0;
  return async (request) => {
    const response = await transport(request);
    watches += isWatch(request) ? 1 : 0;
    if (watches !== 4 || !isWatch(request)) return response;
    response.cancel();
    const text = JSON.stringify({ kind: 'Status', status: 'Failure', reason: 'Expired', code: 410 });
    return { ...response, status: 410, body: bytesOf(text) };
  };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Removes `Retry-After` from responses. */
function hasty(transport: Transport): Transport {
  return async (request) => {
    const response = await transport(request);
    const { 'retry-after': _, ...headers } = response.headers;
    return response.status === 429 ? { ...response, status: 500, headers, body: bytesOf('') } : response;
  };
}

const proxies: readonly (readonly [string, () => (transport: Transport) => Transport, RegExp])[] = [
  ['an event is lost', () => throughWatches(nthLine(3, 'MODIFIED', () => '')), /skipped|read up to/],
  [
    'a deletion is lost',
    () => throughWatches(nthLine(2, 'DELETED', () => '')),
    /skipped|read up to|add of an existing/,
  ],
  [
    'an event is altered',
    () => throughWatches(nthLine(1, 'MODIFIED', (line) => line.replace('"size":', '"size":1'))),
    /a state that the server never had/,
  ],
  ['a watch begins too early', () => requesting(earlier), /read up to/],
  ['an unnecessary list is sent', () => forgetful, /although nothing was lost/],
  ['Retry-After is ignored', () => hasty, /too early/],
];

test.each(proxies)('%s', async (_, through, problem) => {
  const problems = await firstProblems(() => ({ through: through() }));
  expect(problems.join('\n')).toMatch(problem);
});
