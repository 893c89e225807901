import { describe, expect, it } from 'vitest';
import type { EventV1 } from './event.ts';
import { type EventOutcome, EventSeries, finishMs, refreshMs } from './event-series.ts';

const event: EventV1 = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name: 'web.1', namespace: 'shop' },
  eventTime: 't0',
  type: 'Normal',
  reason: 'Deployed',
  action: 'Reconcile',
  note: 'ok',
  regarding: { apiVersion: 'v1', kind: 'Pod', name: 'web' },
  reportingController: 'kgen',
  reportingInstance: 'kgen-1',
};

type Input =
  | { readonly input: 'observe'; readonly at: number }
  | { readonly input: 'begin' }
  | { readonly input: EventOutcome; readonly at: number }
  | { readonly input: 'check'; readonly at: number }
  | { readonly input: 'flush' };

/** Plays inputs to a new series and returns each step, or each request as its verb and count. */
function play(inputs: readonly Input[]): readonly string[] {
  const series = new EventSeries(event, 0);
  return inputs.map((step) => {
    if (step.input === 'observe') return series.observe(`t${step.at}`, step.at);
    if (step.input === 'check') return series.check(step.at);
    if (step.input === 'flush') return series.flush();
    if (step.input === 'begin') {
      const { verb, event: sent } = series.begin();
      return `${verb} ${sent.series?.count ?? 1} ${sent.series?.lastObservedTime ?? sent.eventTime}`;
    }
    return series.settle(step.input, step.at);
  });
}

const observe = (at = 1): Input => ({ input: 'observe', at });
const check = (at: number): Input => ({ input: 'check', at });
const outcome = (input: EventOutcome, at = 1): Input => ({ input, at });
const begin: Input = { input: 'begin' };
const flush: Input = { input: 'flush' };
const created: readonly Input[] = [begin, outcome('written')];
const createdSteps: readonly string[] = ['create 1 t0', 'rest'];

describe('EventSeries', () => {
  it('counts up to the largest int32, beyond which servers reject the event', () => {
    const largest = 2 ** 31 - 1;
    const series = new EventSeries({ ...event, series: { count: largest - 1, lastObservedTime: 't0' } }, 0);
    series.observe('t1', 1);
    expect(series.begin().event.series?.count).toBe(largest);
    series.observe('t2', 2);
    expect(series.begin().event.series).toEqual({ count: largest, lastObservedTime: 't2' });
    expect(series.settle('written', 2)).toBe('rest');
  });

  it.each<[string, readonly Input[], readonly string[]]>([
    ['creates the first occurrence', created, createdSteps],
    [
      'removes a single event 6 minutes after it',
      [...created, check(finishMs - 1), check(finishMs)],
      [...createdSteps, 'rest', 'forget'],
    ],
    [
      'patches the second occurrence at once and counts further ones in memory',
      [...created, observe(2), begin, outcome('written', 2), observe(3), observe(4)],
      [...createdSteps, 'write', 'patch 2 t2', 'rest', 'rest', 'rest'],
    ],
    [
      'patches after the creation if the second occurrence comes during it',
      [begin, observe(2), outcome('written', 3), begin],
      ['create 1 t0', 'rest', 'write', 'patch 2 t2'],
    ],
    [
      'creates a series if occurrences come before the first request',
      [observe(2), observe(3), begin, outcome('written'), observe(4)],
      ['rest', 'rest', 'create 3 t3', 'rest', 'rest'],
    ],
    [
      'writes the last count of a quiet series and removes it',
      [
        ...created,
        observe(2),
        begin,
        outcome('written', 2),
        observe(9),
        check(9 + finishMs - 1),
        check(9 + finishMs),
        begin,
        outcome('written', 10),
      ],
      [...createdSteps, 'write', 'patch 2 t2', 'rest', 'rest', 'rest', 'write', 'patch 3 t9', 'forget'],
    ],
    [
      'removes a quiet series without a write if its count is written',
      [...created, observe(2), begin, outcome('written', 2), check(2 + finishMs)],
      [...createdSteps, 'write', 'patch 2 t2', 'rest', 'forget'],
    ],
    [
      'keeps a series that has another occurrence during its last write',
      [
        ...created,
        observe(2),
        begin,
        outcome('written', 2),
        observe(3),
        check(3 + finishMs),
        begin,
        observe(4 + finishMs),
        outcome('written', 5 + finishMs),
      ],
      [...createdSteps, 'write', 'patch 2 t2', 'rest', 'rest', 'write', 'patch 3 t3', 'rest', 'rest'],
    ],
    [
      'writes the count of a series that continues every 30 minutes',
      [
        ...created,
        observe(2),
        begin,
        outcome('written', 2),
        observe(refreshMs),
        check(refreshMs + 1),
        check(refreshMs + 2),
        begin,
        outcome('written', refreshMs + 3),
        check(refreshMs + 4),
      ],
      [
        ...createdSteps,
        'write',
        'patch 2 t2',
        'rest',
        'rest',
        'rest',
        'write',
        `patch 3 t${refreshMs}`,
        'rest',
        'rest',
      ],
    ],
    [
      'creates an event again that does not exist any more',
      [...created, observe(2), begin, outcome('missing'), begin, outcome('written')],
      [...createdSteps, 'write', 'patch 2 t2', 'write', 'create 2 t2', 'rest'],
    ],
    [
      'patches after AlreadyExists of a series',
      [observe(2), begin, outcome('exists'), begin, outcome('written')],
      ['rest', 'create 2 t2', 'write', 'patch 2 t2', 'rest'],
    ],
    [
      'treats AlreadyExists of a single event as written',
      [begin, outcome('exists'), observe(2), begin],
      ['create 1 t0', 'rest', 'write', 'patch 2 t2'],
    ],
    ['retries a failure', [begin, outcome('failed'), begin], ['create 1 t0', 'retry', 'create 1 t0']],
    [
      'writes nothing after a refusal until the series ends',
      [begin, outcome('refused'), observe(2), flush, check(2 + finishMs)],
      ['create 1 t0', 'rest', 'rest', 'rest', 'forget'],
    ],
    [
      'writes counts in memory on flush',
      [...created, observe(2), begin, outcome('written'), observe(3), flush, begin],
      [...createdSteps, 'write', 'patch 2 t2', 'rest', 'rest', 'write', 'patch 3 t3'],
    ],
    [
      'writes occurrences that come during a write after it on flush',
      [
        ...created,
        observe(2),
        begin,
        observe(3),
        flush,
        outcome('written'),
        begin,
        outcome('written'),
        observe(4),
      ],
      [...createdSteps, 'write', 'patch 2 t2', 'rest', 'rest', 'write', 'patch 3 t3', 'rest', 'rest'],
    ],
  ])('%s', (_, inputs, expected) => {
    expect(play(inputs)).toEqual(expected);
  });

  it('gives up a creation after 12 attempts', () => {
    const attempts = Array.from({ length: 12 }, () => [begin, outcome('failed')]).flat();
    const steps = play(attempts).filter((step) => !step.startsWith('create'));
    expect(steps).toEqual([...Array.from({ length: 11 }, () => 'retry'), 'forget']);
  });

  it('keeps a series whose patch is given up after 12 attempts, and writes it later', () => {
    const attempts = Array.from({ length: 12 }, () => [begin, outcome('failed')]).flat();
    const steps = play([...created, observe(2), ...attempts, observe(3), flush, begin]);
    expect(steps.slice(-4)).toEqual(['rest', 'rest', 'write', 'patch 3 t3']);
  });

  it('ends if the server alternates between missing and existing', () => {
    const attempts = Array.from({ length: 6 }, () => [
      begin,
      outcome('exists'),
      begin,
      outcome('missing'),
    ]).flat();
    expect(play([observe(2), ...attempts]).at(-1)).toBe('forget');
  });
});
