import { describe, expect, it } from 'vitest';
import { DecodeError } from '../errors.ts';
import { apiError, refusedConnection } from '../testkit/failures.ts';
import {
  added,
  bookmark,
  type Case,
  elapsed,
  ended,
  endOfBurst,
  error,
  events,
  failed,
  followed,
  following,
  later,
  listed,
  modified,
  opened,
  plain,
  play,
} from '../testkit/reflector-play.ts';
import { thing } from '../testkit/scripted-source.ts';

function table(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    it.each(cases)('$name', ({ from = plain, given, want }) => {
      expect(play(from, given)).toEqual(want);
    });
  });
}

table('changes', [
  {
    name: 'are followed over streams, without a list',
    given: [
      ...following,
      events(added('b', 6)),
      ended,
      opened,
      events(modified('b', 8)),
      later(2000),
      failed(refusedConnection()),
      elapsed,
    ],
    want: [...followed, 'ADDED b@6 #6', 'watch @6', 'MODIFIED b@8 #8', 'wait 800', 'watch @8'],
  },
  {
    name: 'move the version on, also by bookmarks',
    given: [...following, events(bookmark(9)), ended],
    want: [...followed, ' #9', 'watch @9'],
  },
  {
    name: 'that were seen are left out',
    given: [
      ...following,
      events(added('b', 6), added('b', 6), modified('a', 4), modified('a', 10), added('c', 9)),
    ],
    want: [...followed, 'ADDED b@6, MODIFIED a@10 #10 stale 3'],
  },
  {
    name: 'of another order of versions are not left out',
    given: [
      ...following,
      events({
        type: 'MODIFIED',
        object: { ...thing('a', 0), metadata: { ...thing('a', 0).metadata, resourceVersion: '12-a' } },
      }),
    ],
    want: [...followed, 'MODIFIED a@12-a #12-a'],
  },
  {
    name: 'before an error in the stream count',
    given: [...following, events(added('b', 6), error(apiError('internal'))), elapsed],
    want: [...followed, 'ADDED b@6 #6', 'wait 800', 'watch @6'],
  },
  {
    name: 'whose stream is too short are waited for',
    given: [...following, later(999), ended, elapsed, opened, later(1000), ended],
    want: [...followed, 'wait 800', 'watch @5', 'watch @5'],
  },
  {
    name: 'that cannot be watched are reported and tried again',
    given: [
      listed(5, ['a']),
      failed(apiError('forbidden')),
      elapsed,
      failed(apiError('unavailable')),
      elapsed,
    ],
    want: [
      ...followed,
      'failure 1: 403 Forbidden',
      'wait 800',
      'watch @5',
      'failure 2: 503 ServiceUnavailable',
      'wait 1600',
      'watch @5',
    ],
  },
]);

table('a new round', [
  {
    name: 'when the history is gone: at the last version, then the newest',
    given: [
      ...following,
      events(added('b', 6), error(apiError('expired'))),
      elapsed,
      failed(apiError('expired')),
      listed(9, ['b']),
    ],
    want: [
      ...followed,
      'ADDED b@6 #6',
      'relist: expired',
      'wait 800',
      'list resourceVersion=6',
      'list limit=500',
      'all b@1 #9',
      'watch @9',
    ],
  },
  {
    name: 'in pages where the server has no cache',
    given: [listed(5, ['a'], 'x'), listed(5, ['b']), failed(apiError('gone')), elapsed],
    want: [
      'list resourceVersion=0 limit=500',
      'list limit=500 continue=x',
      'all a@1 b@1 #5',
      'watch @5',
      'relist: expired',
      'wait 800',
      'list resourceVersion=5 limit=500',
    ],
  },
  {
    name: 'streamed, when that works',
    from: {},
    given: [
      opened,
      events(endOfBurst(5)),
      failed(apiError('expired')),
      elapsed,
      opened,
      events(endOfBurst(8)),
    ],
    want: ['stream @', 'all  #5', 'relist: expired', 'wait 800', 'stream @5', 'all  #8'],
  },
  {
    name: 'when the server was set back',
    given: [listed(5, ['a']), failed(apiError('ahead')), elapsed],
    want: [...followed, 'relist: ahead', 'wait 800', 'list limit=500'],
  },
  {
    name: 'after an unreadable answer',
    given: [...following, failed(new DecodeError('no JSON')), elapsed],
    want: [...followed, 'failure 1: no JSON', 'relist: garbled', 'wait 800', 'list resourceVersion=5'],
  },
  {
    name: 'where there is no version to resume from',
    given: [listed('', ['a']), opened, events(modified('a', 3), modified('a', 2)), later(2000), ended],
    want: [
      'list resourceVersion=0 limit=500',
      'all a@1 #',
      'watch @',
      'MODIFIED a@3, MODIFIED a@2 #',
      'relist: expired',
      'list limit=500',
    ],
  },
]);

const absent = failed(apiError('absent'));

table('a resource that is not installed', [
  {
    name: 'is reported once and waited for',
    given: [absent, elapsed, absent, elapsed, absent, elapsed, listed(5, ['a'])],
    want: [
      'list resourceVersion=0 limit=500',
      'failure 1: 404 NotFound',
      'wait 800',
      'list resourceVersion=0 limit=500',
      'wait 1600',
      'list resourceVersion=0 limit=500',
      'wait 3200',
      ...followed,
    ],
  },
  {
    name: 'empties the copy when it is denied twice, and starts afresh',
    given: [
      ...following,
      later(2000),
      ended,
      absent,
      elapsed,
      absent,
      elapsed,
      absent,
      elapsed,
      listed(2, ['b']),
    ],
    want: [
      ...followed,
      'watch @5',
      'relist: absent',
      'wait 800',
      'list resourceVersion=5',
      'failure 1: 404 NotFound',
      'wait 1600',
      'list resourceVersion=5',
      'all  #',
      'wait 3200',
      'list resourceVersion=0 limit=500',
      'all b@1 #2',
      'watch @2',
    ],
  },
  {
    name: 'keeps the copy when it is denied once',
    given: [...following, failed(apiError('absent')), elapsed, absent, elapsed, listed(9, ['a'])],
    want: [
      ...followed,
      'relist: absent',
      'wait 800',
      'list resourceVersion=5',
      'failure 1: 404 NotFound',
      'wait 1600',
      'list resourceVersion=5',
      'all a@1 #9',
      'watch @9',
    ],
  },
  {
    name: 'is not one that is denied twice with another failure between',
    given: [
      ...following,
      failed(apiError('absent')),
      elapsed,
      absent,
      elapsed,
      failed(apiError('internal')),
      elapsed,
      absent,
    ],
    want: [
      ...followed,
      'relist: absent',
      'wait 800',
      'list resourceVersion=5',
      'failure 1: 404 NotFound',
      'wait 1600',
      'list resourceVersion=5',
      'failure 2: 500 InternalError',
      'wait 3200',
      'list resourceVersion=5',
      'failure 3: 404 NotFound',
      'wait 6400',
    ],
  },
]);
