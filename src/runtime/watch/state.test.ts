import { describe, expect, it } from 'vitest';
import { DecodeError } from '../errors.ts';
import { apiError, refusedConnection } from '../testkit/failures.ts';
import { type Thing, thing } from '../testkit/scripted-source.ts';
import type { Stored } from '../types.ts';
import type { Action, Input, StreamEvent } from './machine.ts';
import { type WatchConditions, watchMachine } from './state.ts';

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
const unfit: In = { type: 'unfit' };
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
const garbled = new DecodeError('garbled');

describe('one logical watch', () => {
  it.each<{ name: string; from?: WatchConditions; given: (In | { later: number })[]; want: string[] }>([
    {
      name: 'lists first',
      given: [listed(5, ['a', 'b'])],
      want: ['list limit=500', 'all a b @5', 'watch @5'],
    },
    { name: 'lists nothing', given: [listed(5, [])], want: ['list limit=500', 'all  @5', 'watch @5'] },
    {
      name: 'gathers all pages',
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
      name: 'lists from the cache',
      from: { resourceVersion: '0' },
      given: [],
      want: ['list limit=500 resourceVersion=0'],
    },
    {
      name: 'takes an empty version for none',
      from: { resourceVersion: '' },
      given: [],
      want: ['list limit=500'],
    },
    {
      name: 'begins at a version',
      from: { resourceVersion: '7' },
      given: [opened],
      want: ['watch @7', 'read'],
    },
    {
      name: 'goes on in another form behind the last event, at once',
      from: { resourceVersion: '7' },
      given: [opened, unfit, opened, events(added('a', 8)), unfit],
      want: ['watch @7', 'read', 'watch @7', 'read', 'ADDED @8', 'read', 'watch @8'],
    },
    {
      name: 'repeats a page after a failure',
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
      name: 'lists whole when a token expires, and repeats nothing',
      given: [listed(5, ['a'], 'x'), failed(expired), listed(9, ['a', 'b'])],
      want: ['list limit=500', 'list limit=500 continue=x', 'list', 'all a b @9', 'watch @9'],
    },
    {
      name: 'resumes behind the last event',
      from: { resourceVersion: '7' },
      given: [opened, events(added('a', 8), added('b', 9)), later(2000), ended],
      want: ['watch @7', 'read', 'ADDED @8, ADDED @9', 'read', 'watch @9'],
    },
    {
      name: 'resumes behind the last bookmark',
      from: { resourceVersion: '7' },
      given: [opened, events(bookmark(12)), ended],
      want: ['watch @7', 'read', 'BOOKMARK @12', 'read', 'watch @12'],
    },
    {
      name: 'opens the next stream at once when one ends in order',
      from: { resourceVersion: '7' },
      given: [opened, later(1000), ended],
      want: ['watch @7', 'read', 'watch @7'],
    },
    {
      name: 'takes a short stream without a word for a failure',
      from: { resourceVersion: '7' },
      given: [opened, later(999), ended, elapsed, opened, later(1), ended],
      want: ['watch @7', 'read', 'wait 800', 'watch @7', 'read', 'wait 1600'],
    },
    {
      name: 'waits longer from failure to failure',
      from: { resourceVersion: '7' },
      given: [failed(internal), elapsed, failed(refusedConnection()), elapsed, failed(internal)],
      want: ['watch @7', 'wait 800', 'watch @7', 'wait 1600', 'watch @7', 'wait 3200'],
    },
    {
      name: 'waits as long as the server asks',
      from: { resourceVersion: '7' },
      given: [failed(busy), elapsed],
      want: ['watch @7', 'wait 7000', 'watch @7'],
    },
    {
      name: 'is patient anew after success',
      from: { resourceVersion: '7' },
      given: [failed(internal), elapsed, opened, events(added('a', 8)), failed(internal)],
      want: ['watch @7', 'wait 800', 'watch @7', 'read', 'ADDED @8', 'read', 'wait 800'],
    },
    {
      name: 'is patient anew after a stream that worked, however quiet',
      from: { resourceVersion: '7' },
      given: [failed(internal), elapsed, opened, later(2000), failed(refusedConnection())],
      want: ['watch @7', 'wait 800', 'watch @7', 'read', 'wait 800'],
    },
    {
      name: 'hands out what came before an error in the stream',
      from: { resourceVersion: '7' },
      given: [opened, events(added('a', 8), { type: 'ERROR', error: internal }, added('b', 9)), elapsed],
      want: ['watch @7', 'read', 'ADDED @8', 'wait 800', 'watch @8'],
    },
    {
      name: 'fails when the history is gone, in the stream',
      from: { resourceVersion: '7' },
      given: [opened, events(added('a', 8), { type: 'ERROR', error: expired })],
      want: ['watch @7', 'read', 'ADDED @8', 'fail: 410 Expired: Expired'],
    },
    {
      name: 'fails when the history is gone, on opening',
      from: { resourceVersion: '7' },
      given: [failed(expired)],
      want: ['watch @7', 'fail: 410 Expired: Expired'],
    },
    {
      name: 'fails when it may not list',
      given: [failed(apiError('forbidden'))],
      want: ['list limit=500', 'fail: 403 Forbidden: Forbidden'],
    },
    {
      name: 'fails when there is nothing to list',
      given: [failed(apiError('absent'))],
      want: ['list limit=500', 'fail: 404 NotFound: NotFound'],
    },
    {
      name: 'fails when it may no longer watch',
      from: { resourceVersion: '7' },
      given: [opened, events(added('a', 8)), ended, failed(apiError('forbidden'))],
      want: ['watch @7', 'read', 'ADDED @8', 'read', 'watch @8', 'fail: 403 Forbidden: Forbidden'],
    },
    {
      name: 'fails on a mistake',
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
      name: 'bears two unreadable answers, not three',
      from: { resourceVersion: '7' },
      given: [opened, failed(garbled), elapsed, opened, failed(garbled), elapsed, opened, failed(garbled)],
      want: [
        'watch @7',
        'read',
        'wait 800',
        'watch @7',
        'read',
        'wait 1600',
        'watch @7',
        'read',
        'fail: garbled',
      ],
    },
    {
      name: 'bears unreadable answers with good ones between',
      from: { resourceVersion: '7' },
      given: [8, 9, 10, 11].flatMap((version) => [
        opened,
        events(added('a', version)),
        failed(garbled),
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
