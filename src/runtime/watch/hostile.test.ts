import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/runtime/fake-clock.ts';
import { corrupted, corruptions, hostileValues } from '../../../test/support/runtime/hostile.ts';
import { Seeded } from '../../../test/support/runtime/random.ts';
import { listOf, ScriptedSource, type Thing, thing } from '../../../test/support/runtime/scripted-source.ts';
import { isTimeoutError, TransportError } from '../api/errors.ts';
import type { Stored } from '../api/types.ts';
import { condition } from './wait/condition.ts';
import { Progress } from './wait/progress.ts';
import { until, untilObjects } from './wait/until.ts';
import { waitFor } from './wait/wait.ts';
import { watch } from './watch.ts';

const operation = { verb: 'wait for', resource: 'things', namespace: 'shop', name: 'a' };

const whole = {
  ...thing('a', 3, {
    finalizers: ['example.com/f'],
    deletionTimestamp: '2024-01-31T12:00:00Z',
    generation: 2,
  }),
  status: {
    observedGeneration: 1,
    conditions: [{ type: 'Ready', status: 'False', reason: 'Down', message: 'm', observedGeneration: 2 }],
  },
};

/** Returns the messages of waits that only ever receive this object. */
async function outcomes(object: unknown): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const name of ['waitFor', 'until', 'untilObjects'] as const) {
    const clock = new FakeClock();
    const environment = { clock, random: () => 0 };
    // Unvalidated data of a server.
    const source = new ScriptedSource(listOf(5, [object as Stored<Thing>]));
    const client = {
      watch: (options: object = {}) => watch<Thing>(source, { ...options, environment }),
    };
    const limits = { environment, timeoutMs: 1000 };
    const ready = condition('Ready');
    const waits = {
      waitFor: () => waitFor(source, (each) => ready(each), { ...limits, operation }),
      until: () => until<Thing>(client, (event) => ready(event.object), limits),
      untilObjects: () => untilObjects<Thing>(client, (all) => all.some((each) => ready(each)), limits),
    };
    const outcome = waits[name]().then(
      () => 'resolved',
      (error: unknown) => error,
    );
    await clock.advance(2000);
    seen.push(await outcome);
  }
  return seen;
}

describe('waits for objects of any shape', () => {
  it.each([...corruptions(whole)].filter(({ path }) => !/^(metadata=|without metadata$)/.test(path)))(
    'reject with TimeoutError: $path',
    async ({ value }) => {
      for (const outcome of await outcomes(value)) expect(isTimeoutError(outcome)).toBe(true);
    },
  );

  it('settle for objects with many hostile members', async () => {
    const random = new Seeded(15);
    for (let round = 0; round < 300; round += 1) {
      const { metadata } = thing('a', 3);
      const object = {
        ...whole,
        status: corrupted(whole.status, random.next),
        metadata: corruptedFields(metadata, random),
      };
      for (const outcome of await outcomes(object)) expect(isTimeoutError(outcome)).toBe(true);
    }
  });

  function corruptedFields(fields: object, random: Seeded): object {
    return Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [key, corrupted(value, random.next)]),
    );
  }
});

describe('timeout error of a wait', () => {
  it.each([...corruptions({ ...whole, extra: 1 })])(
    'is a TimeoutError for an object with $path',
    ({ value }) => {
      const progress = new Progress();
      // Unvalidated data of a server.
      progress.seen(value as Thing);
      expect(isTimeoutError(progress.timedOut('condition not met', operation))).toBe(true);
    },
  );

  it.each(hostileValues.map((value) => [JSON.stringify(value), value]))(
    'is a TimeoutError after a failure of %s',
    (_, value) => {
      const progress = new Progress();
      progress.failed(value);
      expect(progress.timedOut('condition not met', operation)).toMatchObject({
        name: 'TimeoutError',
        cause: value,
      });
    },
  );

  it('contains strings of a status on one line, without escape sequences and credentials, with at most 2048 bytes', () => {
    const progress = new Progress();
    const type = `Re\u001b[31mady\r\nForged: line\u009b with Bearer s3cret ${'x'.repeat(100_000)}`;
    const noisy = { ...whole, status: { conditions: [{ type, status: 'False', reason: 'a\nb' }] } };
    progress.seen(noisy);
    progress.failed(new TransportError('cut'));
    const { message } = progress.timedOut('condition not met', operation);
    expect(message).toMatch(/Re \[31mady Forged: line with Bearer \[hidden\] x+…; last failure: cut$/);
    expect(message.length).toBeLessThan(2048 + 300);
  });

  it('contains only the first of a million conditions and finalizers', () => {
    const progress = new Progress();
    const conditions = Array.from({ length: 1_000_000 }, () => ({ type: 'T', status: 'S' }));
    const finalizers = conditions.map(() => 'f');
    const large = { ...whole, metadata: { ...whole.metadata, finalizers }, status: { conditions } };
    progress.seen(large);
    expect(progress.timedOut('condition not met', operation).message.length).toBeLessThan(2048);
  });
});

describe('condition', () => {
  it.each([...corruptions(whole)])('does not hold for $path', ({ value }) => {
    // Unvalidated data of a server.
    expect(condition('Ready')(value as Thing)).toBe(false);
  });
});
