/** The checker can fail: informers that are broken on purpose are found out. */
import type { APIRequest, APIResponse, Transport } from '@kgen/runtime';
import { beforeAll, expect, test } from 'vitest';
import type { Distortion, Telling } from '../listener.ts';
import { Play, type PlayOptions, warmUp } from '../play.ts';
import { scheduleOf } from '../schedule.ts';

const SEEDS = 12;

/** Problems of the first of some schedules in which there are any. */
async function firstProblems(options: () => PlayOptions): Promise<readonly string[]> {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { problems } = await new Play(scheduleOf(seed), options()).run();
    if (problems.length > 0) return problems;
  }
  return [];
}

beforeAll(warmUp);

/** Does something to the nth call alone. */
function once(nth: number, change: (telling: Telling) => readonly Telling[]): Distortion {
  let calls = 0;
  return (telling) => {
    calls += 1;
    return calls === nth ? change(telling) : [telling];
  };
}

const nothing = (): readonly Telling[] => [];

/** Keeps one call back until the next one was made. */
function swapped(): Distortion {
  let kept: Telling | undefined;
  let calls = 0;
  return (telling) => {
    calls += 1;
    if (calls === 30) kept = telling;
    if (calls === 30) return [];
    return calls === 31 && kept !== undefined ? [telling, kept] : [telling];
  };
}

const distortions: readonly (readonly [string, () => Distortion, RegExp])[] = [
  ['leaves a call out', () => once(40, nothing), /told last|not there|what is there|missing|skipped/],
  [
    'makes a call twice',
    () => once(40, (telling) => [telling, telling]),
    /told twice|what is there|not there/,
  ],
  ['swaps calls', swapped, /another history|back in time|told last|not there/],
  [
    'gives another old object',
    () => (telling) => [telling.type === 'update' ? { ...telling, old: { ...telling.old } } : telling],
    /old is not what was told last/,
  ],
  [
    'never tells of deletions',
    () => (telling) => (telling.type === 'delete' ? [] : [telling]),
    /add of what is there|not what the server has/,
  ],
  [
    'gives what the server never had',
    () => once(10, (telling) => [withoutSpec(telling)]),
    /what the server never had|last state/,
  ],
  [
    'invents a deletion',
    () => once(3, (telling) => [telling, { type: 'delete', object: telling.object, missed: true }]),
    /invented deletion/,
  ],
  ['makes updates of additions', () => (telling) => [asUpdate(telling)], /update of what is not there/],
];

function withoutSpec(telling: Telling): Telling {
  const object = { metadata: telling.object.metadata };
  return { ...telling, object };
}

function asUpdate(telling: Telling): Telling {
  return telling.type === 'add' ? { type: 'update', object: telling.object, old: telling.object } : telling;
}

test.each(distortions)('reports an informer that %s', async (_, distort, problem) => {
  const problems = await firstProblems(() => ({ distort: distort() }));
  expect(problems.join('\n')).toMatch(problem);
});

const isWatch = ({ query }: APIRequest): boolean => query.some(([name]) => name === 'watch');

/** Answers of watches pass through a change. */
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

/** A change of the nth line of some kind. */
function nthLine(nth: number, kind: string, change: (line: string) => string): (line: string) => string {
  let seen = 0;
  return (line) => {
    if (!line.includes(`"type":"${kind}"`)) return line;
    seen += 1;
    return seen === nth ? change(line) : line;
  };
}

/** Requests are other ones when they come to the server. */
function asking(change: (request: APIRequest) => APIRequest): (transport: Transport) => Transport {
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

/** Watches that go on from a version are answered with 410, of which the server knows nothing. */
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

/** Nobody is told when to come back. */
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
    /skipped|read up to|add of what/,
  ],
  [
    'an event is altered',
    () => throughWatches(nthLine(1, 'MODIFIED', (line) => line.replace('"size":', '"size":1'))),
    /what the server never had/,
  ],
  ['a watch begins too early', () => asking(earlier), /read up to/],
  ['the state is asked for without need', () => forgetful, /though nothing was lost/],
  ['Retry-After is not obeyed', () => hasty, /too early/],
];

test.each(proxies)('%s', async (_, through, problem) => {
  const problems = await firstProblems(() => ({ through: through() }));
  expect(problems.join('\n')).toMatch(problem);
});
