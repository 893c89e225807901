import { describe, expect, it } from 'vitest';
import { apiError, refusedConnection } from '../testkit/failures.ts';
import {
  added,
  bookmark,
  type Case,
  deleted,
  elapsed,
  ended,
  endOfBurst,
  events,
  failed,
  followed,
  following,
  listed,
  modified,
  opened,
  plain,
  play,
  resumed,
} from '../testkit/reflector-play.ts';

function table(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    it.each(cases)('$name', ({ from = plain, given, want }) => {
      expect(play(from, given)).toEqual(want);
    });
  });
}

table('the first state, listed', [
  { name: 'from the cache', given: following, want: followed },
  {
    name: 'in pages; the first one gives the version',
    given: [listed(5, ['a'], 'x'), listed(6, ['b'])],
    want: ['list resourceVersion=0 limit=500', 'list limit=500 continue=x', 'all a@1 b@1 #5', 'watch @5'],
  },
  {
    name: 'a page that fails is asked for again',
    given: [listed(5, ['a'], 'x'), failed(apiError('busy')), elapsed, listed(5, ['b'])],
    want: [
      'list resourceVersion=0 limit=500',
      'list limit=500 continue=x',
      'failure 1: 429 TooManyRequests',
      'wait 7000',
      'list limit=500 continue=x',
      'all a@1 b@1 #5',
      'watch @5',
    ],
  },
  {
    name: 'whole, when a token expires',
    given: [listed(5, ['a'], 'x'), failed(apiError('expired')), listed(9, ['a', 'b'])],
    want: [
      'list resourceVersion=0 limit=500',
      'list limit=500 continue=x',
      'list resourceVersion=0',
      'all a@1 b@1 #9',
      'watch @9',
    ],
  },
  {
    name: 'after failures that are reported, each after a longer wait',
    given: [
      failed(refusedConnection()),
      elapsed,
      failed(apiError('forbidden')),
      elapsed,
      failed(apiError('internal')),
    ],
    want: [
      'list resourceVersion=0 limit=500',
      'failure 1: connect ECONNREFUSED',
      'wait 800',
      'list resourceVersion=0 limit=500',
      'failure 2: 403 Forbidden',
      'wait 1600',
      'list resourceVersion=0 limit=500',
      'failure 3: 500 InternalError',
      'wait 3200',
    ],
  },
  {
    name: 'not older than a version that was seen',
    from: resumed,
    given: [],
    want: ['list resourceVersion=7'],
  },
  {
    name: 'the newest, when that version is not known',
    from: resumed,
    given: [failed(apiError('expired')), listed(9, ['a'])],
    want: ['list resourceVersion=7', 'list limit=500', 'all a@1 #9', 'watch @9'],
  },
  {
    name: 'the newest, when the server is behind that version',
    from: resumed,
    given: [failed(apiError('ahead')), failed(apiError('ahead')), elapsed],
    want: [
      'list resourceVersion=7',
      'list limit=500',
      'failure 1: 504 Timeout',
      'wait 800',
      'list limit=500',
    ],
  },
]);

table('the first state, streamed', [
  {
    name: 'until its last bookmark; the same stream goes on',
    from: {},
    given: [
      opened,
      events(added('a', 3), added('b', 4)),
      events(added('c', 2), endOfBurst(9), modified('a', 10)),
      events(deleted('b', 11)),
    ],
    want: ['stream @', 'all a@3 b@4 c@2 #9', 'MODIFIED a@10 #10', 'DELETED b@11 #11'],
  },
  {
    name: 'what changes meanwhile counts once',
    from: {},
    given: [opened, events(added('a', 3), added('b', 4), modified('a', 5), deleted('b', 6), endOfBurst(9))],
    want: ['stream @', 'all a@5 #9'],
  },
  {
    name: 'listed where servers do not know how',
    from: {},
    given: [failed(apiError('bad')), listed(5, [])],
    want: ['stream @', 'list resourceVersion=0 limit=500', 'all  #5', 'watch @5'],
  },
  {
    name: 'listed where servers only pretend to',
    from: {},
    given: [opened, events(added('a', 3)), events(bookmark(9)), listed(5, ['a'])],
    want: ['stream @', 'list resourceVersion=0 limit=500', 'all a@1 #5', 'watch @5'],
  },
  {
    name: 'listed when the stream ends too early',
    from: {},
    given: [opened, events(added('a', 3)), ended],
    want: ['stream @', 'list resourceVersion=0 limit=500'],
  },
  {
    name: 'tried again when the server is busy, and listed in the end',
    from: {},
    given: [
      failed(apiError('busy')),
      elapsed,
      failed(refusedConnection()),
      elapsed,
      failed(refusedConnection()),
    ],
    want: [
      'stream @',
      'failure 1: 429 TooManyRequests',
      'wait 7000',
      'stream @',
      'failure 2: connect ECONNREFUSED',
      'wait 1600',
      'stream @',
      'list resourceVersion=0 limit=500',
    ],
  },
  {
    name: 'the newest, when the version is not known',
    from: { resourceVersion: '7' },
    given: [failed(apiError('expired')), failed(apiError('expired'))],
    want: ['stream @7', 'stream @', 'list limit=500'],
  },
]);
