import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ByteStream } from '../../../test/support/runtime/byte-stream.ts';
import { apiError, refusedConnection, statuses } from '../../../test/support/runtime/failures.ts';
import { FakeClock, settle } from '../../../test/support/runtime/fake-clock.ts';
import {
  listOf,
  ScriptedSource,
  type SourceResponse,
  type Thing,
  thing,
} from '../../../test/support/runtime/scripted-source.ts';
import { retryReporter } from './retry-warnings.ts';
import { until } from './wait/until.ts';
import { waitFor } from './wait/wait.ts';
import { watch } from './watch.ts';

const operation = { verb: 'watch', resource: 'things' };
const refused = refusedConnection();
const cut = new Error('cut');

function world(...responses: SourceResponse[]) {
  const clock = new FakeClock();
  return { clock, source: new ScriptedSource(...responses), environment: { clock, random: () => 0 } };
}

function refusals(count: number): Error[] {
  return Array.from({ length: count }, refusedConnection);
}

describe('warnings about retries', () => {
  let warned: string[] = [];
  beforeEach(() => {
    warned = [];
    vi.spyOn(process, 'emitWarning').mockImplementation((warning, type) => {
      warned.push(`${String(type)}: ${String(warning)}`);
    });
  });
  afterEach(() => void vi.restoreAllMocks());

  const text = 'WatchWarning: watch things in namespace shop: request: connect ECONNREFUSED; it is retried';
  const hint = ' (onRetry receives each failure)';

  it('are emitted for the 1st, the 10th and the 100th failure in a row', () => {
    const report = retryReporter(undefined, operation);
    for (let attempt = 1; attempt <= 120; attempt += 1) {
      const before = warned.length;
      report({ error: refused, attempt });
      expect(warned.length - before, `${attempt}`).toBe([1, 10, 100].includes(attempt) ? 1 : 0);
    }
  });

  it('contain the operation once', () => {
    const error = new Error('watch things: no');
    retryReporter(undefined, operation)({ error, attempt: 1 });
    expect(warned).toEqual([`WatchWarning: watch things: no; it is retried${hint}`]);
  });

  it('are equally rare if failures and successes alternate', () => {
    const report = retryReporter(undefined, operation);
    for (let round = 1; round <= 50; round += 1) report({ error: refused, attempt: 1 });
    expect(warned).toHaveLength(2);
  });

  it('count several failures in a row as one outage', () => {
    const report = retryReporter(undefined, operation);
    for (let round = 1; round <= 10; round += 1) {
      for (const attempt of [1, 2]) report({ error: refused, attempt });
    }
    expect(warned).toHaveLength(2);
  });

  it('skip an interrupted stream, but not later failures', () => {
    const report = retryReporter(undefined, operation);
    report({ error: cut, attempt: 1, dropped: true });
    expect(warned).toHaveLength(0);
    report({ error: refused, attempt: 2 });
    expect(warned).toHaveLength(1);
  });

  it('are emitted by a watch without onRetry', async () => {
    const { clock, source, environment } = world(...refusals(12));
    const controller = new AbortController();
    const next = watch(source, { environment, signal: controller.signal })[Symbol.asyncIterator]().next();
    await settle();
    expect(warned).toEqual([`${text}${hint}`]);
    while (source.requested.length < 12) await clock.advance(1000);
    expect(warned).toEqual([`${text}${hint}`, `${text} after 10 failures in a row${hint}`]);
    controller.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it('are emitted if the server sends an error in an established stream', async () => {
    const stream = new ByteStream();
    const { source, environment } = world(listOf(5, []), stream);
    const iterator = watch(source, { environment })[Symbol.asyncIterator]();
    const next = iterator.next();
    stream.line({ type: 'ERROR', object: statuses.internal });
    await settle();
    expect(warned).toHaveLength(1);
    await iterator.return?.();
    await next;
  });

  it('are emitted by waitFor without onRetry', async () => {
    const { clock, source, environment } = world(apiError('unavailable'), listOf(5, [thing('a', 3)]));
    const found = waitFor(source, (object) => object !== undefined, {
      operation: { verb: 'wait for', resource: 'things', name: 'a' },
      environment,
    });
    await clock.advance(2000);
    await found;
    expect(warned).toEqual([
      `WatchWarning: wait for things a: request: 503 ServiceUnavailable: ServiceUnavailable; it is retried${hint}`,
    ]);
  });

  it('are emitted by until without onRetry', async () => {
    const { clock, source, environment } = world(refused, listOf(5, [thing('a', 3)]));
    const client = {
      watch: (options: object = {}) => watch<Thing>(source, { ...options, environment }),
    };
    const found = until<Thing>(client, () => true, { environment });
    await clock.advance(2000);
    await found;
    expect(warned).toEqual([
      `WatchWarning: wait for a change: request: connect ECONNREFUSED; it is retried${hint}`,
    ]);
  });

  it.each(['a watch', 'a wait'])('are not emitted by %s with onRetry', async (name) => {
    const { clock, source, environment } = world(refused, listOf(5, [thing('a', 3)]));
    const attempts: number[] = [];
    const options = {
      environment,
      onRetry: (_: unknown, { attempt }: { attempt: number }) => attempts.push(attempt),
    };
    const done =
      name === 'a watch'
        ? watch(source, options)[Symbol.asyncIterator]().next()
        : waitFor(source, () => true, { ...options, operation });
    await clock.advance(2000);
    await done;
    expect([warned, attempts]).toEqual([[], [1]]);
  });
});
