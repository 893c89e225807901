import { describe, expect, it } from 'vitest';
import { apiError, refusedConnection } from '../../../../test/support/runtime/failures.ts';
import { type Thing, thing } from '../../../../test/support/runtime/scripted-source.ts';
import { DecodeError } from '../../api/errors.ts';
import type { Stored } from '../../api/types.ts';
import type { Action, Input, StreamEvent } from './machine-types.ts';
import { type WatchConditions, watchMachine } from './watch-machine.ts';

type In = Input<Stored<Thing>>;

const added = (name: string, version: number): StreamEvent<Stored<Thing>> => ({
  type: 'ADDED',
  object: thing(name, version),
});
const bookmark = (version: number): StreamEvent<Stored<Thing>> => ({
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion: String(version) } },
});
const events = (...list: StreamEvent<Stored<Thing>>[]): In => ({ type: 'events', events: list });
const listed = (version: number, names: string[], token?: string): In => ({
  type: 'listed',
  items: names.map((name) => thing(name, 1)),
  metadata: { resourceVersion: String(version), ...(token !== undefined && { continue: token }) },
});
const failed = (error: unknown): In => ({ type: 'failed', error });
const opened: In = { type: 'opened' };
const ended: In = { type: 'ended' };
const unsupportedFormat: In = { type: 'unsupportedFormat' };
const elapsed: In = { type: 'elapsed' };
const later = (ms: number): { later: number } => ({ later: ms });

/** Returns inputs and, after `=>`, the actions of the machine, in short form. */
function play(conditions: WatchConditions, inputs: readonly (In | { later: number })[]): string[] {
  const machine = watchMachine<Stored<Thing>>(conditions);
  let now = 0;
  let step = machine.step(machine.initial, { type: 'start' }, now);
  const log = [show(step.next)];
  for (const input of inputs) {
    if ('later' in input) {
      now += input.later;
      continue;
    }
    step = machine.step(step.state, input, now);
    for (const output of step.outputs) {
      log.push(
        output.type === 'listed'
          ? `all ${output.items.map((item) => item.metadata.name).join(' ')} @${output.resourceVersion}`
          : output.events
              .map((event) => `${event.type} @${event.object.metadata.resourceVersion}`)
              .join(', '),
      );
    }
    log.push(show(step.next));
  }
  return log;
}

function show(action: Action): string {
  switch (action.type) {
    case 'list':
      return ['list', ...Object.entries(action.params).map(([name, value]) => `${name}=${value}`)].join(' ');
    case 'watch':
      return `watch @${action.params.resourceVersion}${action.params.allowWatchBookmarks ? '' : ' without bookmarks'}`;
    case 'wait':
      return `wait ${action.ms}`;
    case 'fail':
      return `fail: ${action.error instanceof Error ? action.error.message : action.error}`;
    case 'read':
      return 'read';
  }
}

const busy = apiError('busy');
const internal = apiError('internal');
const expired = apiError('expired');
const malformed = new DecodeError('malformed');

describe('watch state machine', () => {
  it.each<{ name: string; from?: WatchConditions; given: (In | { later: number })[]; want: string[] }>([
    {
      name: 'lists first',
      given: [listed(5, ['a', 'b'])],
      want: ['list limit=500', 'all a b @5', 'watch @5'],
    },
    {
      name: 'lists an empty collection',
      given: [listed(5, [])],
      want: ['list limit=500', 'all  @5', 'watch @5'],
    },
    {
      name: 'collects all pages',
      given: [listed(5, ['a'], 'x'), listed(5, ['b'], 'y'), listed(5, ['c'])],
      want: [
        'list limit=500',
        'list limit=500 continue=x',
        'list limit=500 continue=y',
        'all a b c @5',
        'watch @5',
      ],
    },
    {
      name: 'lists from the cache for version 0',
      from: { resourceVersion: '0' },
      given: [],
      want: ['list limit=500 resourceVersion=0'],
    },
    {
      name: 'treats an empty version as none',
      from: { resourceVersion: '' },
      given: [],
      want: ['list limit=500'],
    },
    {
      name: 'starts at a version',
      from: { resourceVersion: '7' },
      given: [opened],
      want: ['watch @7', 'read'],
    },
    {
      name: 'resumes in another format after the last event, without a delay',
      from: { resourceVersion: '7' },
      given: [opened, unsupportedFormat, opened, events(added('a', 8)), unsupportedFormat],
      want: ['watch @7', 'read', 'watch @7', 'read', 'ADDED @8', 'read', 'watch @8'],
    },
    {
      name: 'retries a page after a failure',
      given: [listed(5, ['a'], 'x'), failed(internal), elapsed, listed(5, ['b'])],
      want: [
        'list limit=500',
        'list limit=500 continue=x',
        'wait 800',
        'list limit=500 continue=x',
        'all a b @5',
        'watch @5',
      ],
    },
    {
      name: 'lists without pages when a token expires, without duplicates',
      given: [listed(5, ['a'], 'x'), failed(expired), listed(9, ['a', 'b'])],
      want: ['list limit=500', 'list limit=500 continue=x', 'list', 'all a b @9', 'watch @9'],
    },
    {
      name: 'requests further pages without a limit if a list without a limit has several',
      given: [listed(5, ['a'], 'x'), failed(expired), listed(9, ['a'], 'y'), listed(9, ['b'])],
      want: [
        'list limit=500',
        'list limit=500 continue=x',
        'list',
        'list continue=y',
        'all a b @9',
        'watch @9',
      ],
    },
    {
      name: 'resumes after the last event',
      from: { resourceVersion: '7' },
      given: [opened, events(added('a', 8), added('b', 9)), later(2000), ended],
      want: ['watch @7', 'read', 'ADDED @8, ADDED @9', 'read', 'watch @9'],
    },
    {
      name: 'resumes after the last bookmark',
      from: { resourceVersion: '7' },
      given: [opened, events(bookmark(12)), ended],
      want: ['watch @7', 'read', 'BOOKMARK @12', 'read', 'watch @12'],
    },
    {
      name: 'opens the next stream at once when one ends without an error',
      from: { resourceVersion: '7' },
      given: [opened, later(1000), ended],
      want: ['watch @7', 'read', 'watch @7'],
    },
    {
      name: 'delays after a short stream without events',
      from: { resourceVersion: '7' },
      given: [opened, later(999), ended, elapsed, opened, later(1), ended],
      want: ['watch @7', 'read', 'wait 800', 'watch @7', 'read', 'wait 1600'],
    },
    {
      name: 'increases the delay with each failure',
      from: { resourceVersion: '7' },
      given: [failed(internal), elapsed, failed(refusedConnection()), elapsed, failed(internal)],
      want: ['watch @7', 'wait 800', 'watch @7', 'wait 1600', 'watch @7', 'wait 3200'],
    },
    {
      name: 'waits for Retry-After',
      from: { resourceVersion: '7' },
      given: [failed(busy), elapsed],
      want: ['watch @7', 'wait 7000', 'watch @7'],
    },
    {
      name: 'resets the delay after success',
      from: { resourceVersion: '7' },
      given: [failed(internal), elapsed, opened, events(added('a', 8)), failed(internal)],
      want: ['watch @7', 'wait 800', 'watch @7', 'read', 'ADDED @8', 'read', 'wait 800'],
    },
    {
      name: 'resets the delay after an established stream, even without events',
      from: { resourceVersion: '7' },
      given: [failed(internal), elapsed, opened, later(2000), failed(refusedConnection())],
      want: ['watch @7', 'wait 800', 'watch @7', 'read', 'wait 800'],
    },
    {
      name: 'outputs events before an error in the stream',
      from: { resourceVersion: '7' },
      given: [opened, events(added('a', 8), { type: 'ERROR', error: internal }, added('b', 9)), elapsed],
      want: ['watch @7', 'read', 'ADDED @8', 'wait 800', 'watch @8'],
    },
    {
      name: 'outputs nothing for an error before the first event',
      from: { resourceVersion: '7' },
      given: [opened, events({ type: 'ERROR', error: internal })],
      want: ['watch @7', 'read', 'wait 800'],
    },
    {
      name: 'fails if the history is expired, in the stream',
      from: { resourceVersion: '7' },
      given: [opened, events(added('a', 8), { type: 'ERROR', error: expired })],
      want: ['watch @7', 'read', 'ADDED @8', 'fail: 410 Expired: Expired'],
    },
    {
      name: 'fails if the history is expired, when opening',
      from: { resourceVersion: '7' },
      given: [failed(expired)],
      want: ['watch @7', 'fail: 410 Expired: Expired'],
    },
    {
      name: 'fails if listing is forbidden',
      given: [failed(apiError('forbidden'))],
      want: ['list limit=500', 'fail: 403 Forbidden: Forbidden'],
    },
    {
      name: 'fails if the resource does not exist',
      given: [failed(apiError('absent'))],
      want: ['list limit=500', 'fail: 404 NotFound: NotFound'],
    },
    {
      name: 'fails if watching becomes forbidden',
      from: { resourceVersion: '7' },
      given: [opened, events(added('a', 8)), ended, failed(apiError('forbidden'))],
      want: ['watch @7', 'read', 'ADDED @8', 'read', 'watch @8', 'fail: 403 Forbidden: Forbidden'],
    },
    {
      name: 'fails on a programming error',
      given: [failed(new TypeError('oops'))],
      want: ['list limit=500', 'fail: oops'],
    },
    {
      name: 'waits for a server that is behind',
      from: { resourceVersion: '7' },
      given: [failed(apiError('ahead')), elapsed],
      want: ['watch @7', 'wait 800', 'watch @7'],
    },
    {
      name: 'retries two malformed responses, and fails at the third',
      from: { resourceVersion: '7' },
      given: [
        opened,
        failed(malformed),
        elapsed,
        opened,
        failed(malformed),
        elapsed,
        opened,
        failed(malformed),
      ],
      want: [
        'watch @7',
        'read',
        'wait 800',
        'watch @7',
        'read',
        'wait 1600',
        'watch @7',
        'read',
        'fail: malformed',
      ],
    },
    {
      name: 'retries malformed responses with valid ones between them',
      from: { resourceVersion: '7' },
      given: [8, 9, 10, 11].flatMap((version) => [
        opened,
        events(added('a', version)),
        failed(malformed),
        elapsed,
      ]),
      want: [
        'watch @7',
        ...[8, 9, 10, 11].flatMap((version) => [
          'read',
          `ADDED @${version}`,
          'read',
          'wait 800',
          `watch @${version}`,
        ]),
      ],
    },
  ])('$name', ({ from = {}, given, want }) => {
    expect(play(from, given)).toEqual(want);
  });
});
