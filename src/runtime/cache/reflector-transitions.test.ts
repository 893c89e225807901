/**
 * Every transition: the reaction of the machine to each input in each phase, and the action after a resulting
 * delay. Inputs that cannot occur in a phase are omitted, such as a page while a stream is open; `start` and
 * `elapsed` are in every line. Behaviour that depends on the history (increasing delays, remembered
 * conditions) is in the tables of the other tests.
 */
import { describe, expect, it } from 'vitest';
import {
  apiError,
  closedClient,
  cutStream,
  refusedConnection,
  silentStream,
} from '../../../test/support/runtime/failures.ts';
import {
  added,
  bookmark,
  elapsed,
  ended,
  endOfBurst,
  error,
  events,
  failed,
  type In,
  listed,
  listedBadly,
  modified,
  opened,
  play,
} from '../../../test/support/runtime/reflector-play.ts';
import { DecodeError } from '../api/errors.ts';

interface Phase {
  readonly streaming: boolean;
  readonly given: readonly In[];
}

/** All phases have had version 7 before. */
const phases = {
  'the state is requested as a stream': { streaming: true, given: [] },
  'the state streams': { streaming: true, given: [opened, events(added('a', 3))] },
  'the first page is requested': { streaming: false, given: [] },
  'the second page is requested': { streaming: false, given: [listed(8, ['a'], 'x')] },
  'a watch is requested': { streaming: false, given: [listed(8, ['a'])] },
  'a watch is open': { streaming: false, given: [listed(8, ['a']), opened] },
  'a watch has had events': { streaming: false, given: [listed(8, ['a']), opened, events(added('b', 9))] },
} satisfies { readonly [name: string]: Phase };

const failures = {
  absent: apiError('absent'),
  refused: apiError('forbidden'),
  'not understood': apiError('bad'),
  expired: apiError('expired'),
  ahead: apiError('ahead'),
  malformed: new DecodeError('no JSON'),
  'server error': apiError('internal'),
  'server busy': apiError('busy'),
  'no connection': refusedConnection(),
  'connection cut': cutStream(),
  silence: silentStream(),
  'client closed': closedClient(),
  broken: new Error('no token'),
} as const;

const inputs: { readonly [name: string]: In } = {
  ...Object.fromEntries(Object.entries(failures).map(([name, cause]) => [name, failed(cause)])),
  opened,
  ended,
  'no events': events(),
  change: events(modified('a', 10)),
  'old change': events(modified('a', 2)),
  bookmark: events(bookmark(10)),
  'end of the state': events(modified('a', 4), endOfBurst(9), modified('a', 10)),
  'older end': events(endOfBurst(6)),
  page: listed(8, ['b'], 'y'),
  'last page': listed(8, ['b']),
  'page of an older state': listed(6, ['b']),
  'unreadable item': listedBadly(8, ['b'], 'c'),
};

/** Returns the reaction to the input, and to the end of a resulting delay. */
function outcome({ streaming, given }: Phase, input: In): string {
  const responses = (...more: In[]): string[] => {
    const conditions = { streaming, resourceVersion: '7' };
    return play(conditions, [...given, ...more]).slice(play(conditions, given).length);
  };
  const [response = 'read'] = responses(input);
  return /wait \d+$/.test(response) ? responses(input, elapsed).join(' > ') : response;
}

const want: { readonly [phase in keyof typeof phases]: { readonly [input: string]: string } } = {
  'the state is requested as a stream': {
    absent: 'begin; list resourceVersion=7',
    refused: 'begin; list resourceVersion=7',
    'not understood': 'begin; list resourceVersion=7',
    expired: 'begin; stream @',
    ahead: 'begin; stream @',
    malformed: 'failure 1: no JSON; begin; list resourceVersion=7',
    'server error': 'failure 1: 500 InternalError; wait 800 > begin; stream @7',
    'server busy': 'failure 1: 429 TooManyRequests; wait 7000 > begin; stream @7',
    'no connection': 'failure 1: connect ECONNREFUSED; wait 800 > begin; stream @7',
    'connection cut': 'failure 1: the stream was interrupted; wait 800 > begin; stream @7',
    'client closed': 'fail',
    broken: 'begin; list resourceVersion=7',
    silence: 'failure 1: the stream timed out without data; wait 800 > begin; stream @7',
    opened: 'read',
  },
  'the state streams': {
    expired: 'begin; stream @',
    ahead: 'begin; stream @',
    malformed: 'failure 1: no JSON; begin; list resourceVersion=7',
    'server error': 'failure 1: 500 InternalError; wait 800 > begin; list resourceVersion=7',
    'server busy': 'failure 1: 429 TooManyRequests; wait 7000 > begin; list resourceVersion=7',
    'connection cut': 'failure 1: the stream was interrupted; wait 800 > begin; list resourceVersion=7',
    silence: 'failure 1: the stream timed out without data; wait 800 > begin; list resourceVersion=7',
    'client closed': 'fail',
    absent: 'begin; list resourceVersion=7',
    refused: 'begin; list resourceVersion=7',
    ended:
      'failure 1: the stream ended before the state was complete; wait 800 > begin; list resourceVersion=7',
    'no events': 'read',
    change: 'gather ~a@10',
    bookmark: 'begin; list resourceVersion=7',
    'end of the state': 'gather ~a@4; replace #9; change ~a@10 #10',
    'older end': 'begin; list limit=500',
  },
  'the first page is requested': {
    absent: 'failure 1: 404 NotFound; wait 1600 > begin; list resourceVersion=7',
    refused: 'failure 1: 403 Forbidden; wait 800 > begin; list resourceVersion=7',
    'not understood': 'failure 1: 400 BadRequest; wait 800 > begin; list resourceVersion=7',
    expired: 'begin; list limit=500',
    ahead: 'begin; list limit=500',
    malformed: 'failure 1: no JSON; wait 800 > begin; list resourceVersion=7',
    'server error': 'failure 1: 500 InternalError; wait 800 > list resourceVersion=7',
    'server busy': 'failure 1: 429 TooManyRequests; wait 7000 > list resourceVersion=7',
    'no connection': 'failure 1: connect ECONNREFUSED; wait 800 > list resourceVersion=7',
    'connection cut': 'failure 1: the stream was interrupted; wait 800 > list resourceVersion=7',
    'client closed': 'fail',
    broken: 'failure 1: no token; wait 800 > begin; list resourceVersion=7',
    silence: 'failure 1: the stream timed out without data; wait 800 > list resourceVersion=7',
    page: 'gather +b@1; list continue=y',
    'last page': 'gather +b@1; replace #8; watch @8',
    'page of an older state': 'begin; list limit=500',
    'unreadable item': 'gather +b@1; keep c; replace #8; watch @8',
  },
  'the second page is requested': {
    absent: 'failure 1: 404 NotFound; wait 1600 > begin; list resourceVersion=7',
    refused: 'failure 1: 403 Forbidden; wait 800 > begin; list resourceVersion=7',
    'not understood': 'failure 1: 400 BadRequest; wait 800 > begin; list resourceVersion=7',
    expired: 'failure 1: 410 Expired; wait 800 > begin; list resourceVersion=7',
    ahead: 'begin; list limit=500',
    malformed: 'failure 1: no JSON; wait 800 > begin; list resourceVersion=7',
    'server error': 'failure 1: 500 InternalError; wait 800 > list continue=x',
    'server busy': 'failure 1: 429 TooManyRequests; wait 7000 > list continue=x',
    'no connection': 'failure 1: connect ECONNREFUSED; wait 800 > list continue=x',
    'connection cut': 'failure 1: the stream was interrupted; wait 800 > list continue=x',
    'client closed': 'fail',
    broken: 'failure 1: no token; wait 800 > begin; list resourceVersion=7',
    silence: 'failure 1: the stream timed out without data; wait 800 > list continue=x',
    page: 'gather +b@1; list continue=y',
    'last page': 'gather +b@1; replace #8; watch @8',
    'unreadable item': 'gather +b@1; keep c; replace #8; watch @8',
  },
  'a watch is requested': {
    absent: 'relist: absent; wait 800 > begin; list resourceVersion=8',
    refused: 'failure 1: 403 Forbidden; wait 800 > watch @8',
    'not understood': 'failure 1: 400 BadRequest; wait 800 > watch @8',
    expired: 'relist: expired; wait 800 > begin; list resourceVersion=8',
    ahead: 'relist: ahead; wait 800 > begin; list limit=500',
    malformed: 'failure 1: no JSON; relist: malformed; wait 800 > begin; list resourceVersion=8',
    'server error': 'failure 1: 500 InternalError; wait 800 > watch @8',
    'server busy': 'failure 1: 429 TooManyRequests; wait 7000 > watch @8',
    'no connection': 'failure 1: connect ECONNREFUSED; wait 800 > watch @8',
    'connection cut': 'failure 1: the stream was interrupted; wait 800 > watch @8',
    'client closed': 'fail',
    broken: 'failure 1: no token; wait 800 > watch @8',
    silence: 'failure 1: the stream timed out without data; wait 800 > watch @8',
    opened: 'read',
  },
  'a watch is open': {
    expired: 'relist: expired; wait 800 > begin; list resourceVersion=8',
    ahead: 'relist: ahead; wait 800 > begin; list limit=500',
    malformed: 'failure 1: no JSON; relist: malformed; wait 800 > begin; list resourceVersion=8',
    'server error': 'failure 1: 500 InternalError; wait 800 > restart; watch @8',
    'server busy': 'failure 1: 429 TooManyRequests; wait 7000 > restart; watch @8',
    'connection cut': 'failure 1: the stream was interrupted; wait 800 > restart; watch @8',
    silence: 'failure 1: the stream timed out without data; wait 800 > restart; watch @8',
    'client closed': 'fail',
    absent: 'relist: absent; wait 800 > begin; list resourceVersion=8',
    refused: 'failure 1: 403 Forbidden; wait 800 > restart; watch @8',
    ended: 'failure 1: the stream ended at once, without any event; wait 800 > restart; watch @8',
    'no events': 'read',
    change: 'change ~a@10 #10',
    'old change': 'change #8 stale 1',
    bookmark: 'change #10 bookmarks 1',
  },
  'a watch has had events': {
    expired: 'relist: expired; wait 800 > begin; list resourceVersion=9',
    ahead: 'relist: ahead; wait 800 > begin; list limit=500',
    malformed: 'failure 1: no JSON; relist: malformed; wait 800 > begin; list resourceVersion=9',
    'server error': 'failure 1: 500 InternalError; wait 800 > restart; watch @9',
    'server busy': 'failure 1: 429 TooManyRequests; wait 7000 > restart; watch @9',
    'connection cut': 'wait 800 > restart; watch @9',
    silence: 'wait 800 > restart; watch @9',
    'client closed': 'fail',
    absent: 'relist: absent; wait 800 > begin; list resourceVersion=9',
    refused: 'failure 1: 403 Forbidden; wait 800 > restart; watch @9',
    ended: 'restart; watch @9',
    'no events': 'read',
    change: 'change ~a@10 #10',
    'old change': 'change #9 stale 1',
    bookmark: 'change #10 bookmarks 1',
  },
};

describe.each(Object.entries(phases))('while %s', (name, phase) => {
  // Both tables have the same names, according to the type.
  const row = want[name as keyof typeof phases];

  it.each(Object.entries(row))('%s', (input, response) => {
    const given = inputs[input];
    expect(given).toBeDefined();
    if (given !== undefined) expect(outcome(phase, given)).toBe(response);
  });
});

describe('an error in a stream', () => {
  const streams = ['the state streams', 'a watch has had events'] as const;

  it.each(
    streams.flatMap((stream) => Object.entries(failures).map(([name, cause]) => ({ stream, name, cause }))),
  )('is handled like a failure: $name, when $stream', ({ stream, cause }) => {
    expect(outcome(phases[stream], events(error(cause)))).toBe(outcome(phases[stream], failed(cause)));
  });
});
