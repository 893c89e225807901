/** Many reflectors of one server, with network failures. */
import { expect, it } from 'vitest';
import { ByteStream } from '../../../test/support/runtime/byte-stream.ts';
import { apiError, cutStream, refusedConnection } from '../../../test/support/runtime/failures.ts';
import { FakeClock, settle } from '../../../test/support/runtime/fake-clock.ts';
import { Seeded } from '../../../test/support/runtime/random.ts';
import { RecordingSink } from '../../../test/support/runtime/recording-sink.ts';
import { listOf, type Thing, thing } from '../../../test/support/runtime/scripted-source.ts';
import type { APIResponse } from '../api/transport.ts';
import type { ListWatch } from '../watch/source.ts';
import { Reflector } from './reflector/reflector.ts';

const clientCount = 100;

/** Server of many clients that records the time of each request. */
class BusyServer implements ListWatch<Thing> {
  readonly target = { resource: 'things' } as const;
  readonly requested: { readonly verb: 'list' | 'watch'; readonly at: number }[] = [];
  readonly #clock: FakeClock;
  #streams: ByteStream[] = [];
  #version = 5;
  /** Error of every request. */
  fault: Error | undefined;
  /** Lifetime of each stream, in milliseconds. */
  lifeMs: number | undefined;

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  async list() {
    this.#request('list');
    return listOf(this.#version, []);
  }

  async watch(): Promise<APIResponse> {
    this.#request('watch');
    const stream = new ByteStream();
    this.#streams.push(stream);
    if (this.lifeMs !== undefined) this.#clock.timer(this.lifeMs, () => stream.end());
    return stream.response;
  }

  change(): void {
    this.#version += 1;
    const event = { type: 'MODIFIED', object: thing('a', this.#version) };
    for (const stream of this.#open()) stream.line(event);
  }

  cutAll(): void {
    for (const stream of this.#open()) stream.fail(cutStream());
  }

  /** Returns the maximum number of requests in any window of `windowMs`. */
  peak(windowMs: number): number {
    return Math.max(
      ...this.requested.map(
        ({ at }) => this.requested.filter((one) => one.at >= at && one.at < at + windowMs).length,
      ),
    );
  }

  #request(verb: 'list' | 'watch'): void {
    this.requested.push({ verb, at: this.#clock.now() });
    if (this.fault !== undefined) throw this.fault;
  }

  #open(): ByteStream[] {
    this.#streams = this.#streams.filter((stream) => !stream.closed);
    return this.#streams;
  }
}

async function follow(server: BusyServer, clock: FakeClock, clients: number) {
  const controller = new AbortController();
  const reflectors = Array.from({ length: clients }, (_, seed) => {
    const environment = { clock, random: new Seeded(seed).next };
    return new Reflector(server, new RecordingSink(), { streaming: false, environment });
  });
  const runs = reflectors.map((reflector) => reflector.run(controller.signal));
  await settle();
  const stop = async (): Promise<void> => {
    controller.abort();
    await Promise.all(runs);
  };
  return { reflectors, stop };
}

it.each([
  { name: 'is unreachable', fault: refusedConnection() },
  { name: 'fails', fault: apiError('unavailable') },
  { name: 'is overloaded', fault: apiError('busy') },
])('clients of a server that $name do not reconnect all at once', async ({ fault }) => {
  const clock = new FakeClock();
  const server = new BusyServer(clock);
  const { reflectors, stop } = await follow(server, clock, clientCount);
  await clock.advance(10_000);
  server.requested.length = 0;
  server.fault = fault;
  server.cutAll();
  await clock.advance(20_000);
  expect(server.peak(100)).toBeLessThanOrEqual(clientCount / 4);
  // The delay increases: twenty seconds suffice for at most five attempts.
  expect(server.requested.length).toBeLessThanOrEqual(5 * clientCount);
  server.requested.length = 0;
  server.fault = undefined;
  await clock.advance(60_000);
  expect(server.peak(100)).toBeLessThanOrEqual(clientCount / 4);
  expect(server.requested.map(({ verb }) => verb)).toEqual(
    Array.from({ length: clientCount }, () => 'watch'),
  );
  for (const { counters } of reflectors)
    expect(counters).toMatchObject({ lists: 1, restarts: 1, relists: 0 });
  await stop();
});

it('a proxy that ends every watch after two seconds causes no list, no failure and no delay', async () => {
  const clock = new FakeClock();
  const server = new BusyServer(clock);
  server.lifeMs = 2000;
  const { reflectors, stop } = await follow(server, clock, 1);
  for (let second = 0; second < 600; second += 1) {
    await clock.advance(1000);
    server.change();
  }
  await settle();
  expect(reflectors[0]?.counters).toMatchObject({
    lists: 1,
    watches: 301,
    restarts: 300,
    relists: 0,
    failures: 0,
    events: 600,
    resourceVersion: '605',
  });
  await stop();
});
