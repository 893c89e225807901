import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError, TransportError } from '@kgen/runtime';
import type { RESTRequest } from '@kgen/runtime/rest';
import { describe, expect, it } from 'vitest';
import { type Random, randomOf } from '../../../test/support/random.ts';
import { FakeClock, settle } from '../../../test/support/runtime/fake-clock.ts';
import { rounds } from '../../../test/support/seeds.ts';
import type { EventToRecord, EventV1 } from './event.ts';
import { EventRecorder, type EventRecorderOptions } from './recorder.ts';

/** Server of events: keeps them, and fails as `fault` returns. */
class EventServer {
  readonly events = new Map<string, EventV1>();
  readonly requests: string[] = [];
  readonly bodies: unknown[] = [];
  inFlight = 0;
  mostInFlight = 0;
  /** Error of a request, with `isLate` after it had its effect. */
  fault: () => { readonly error: unknown; readonly isLate?: boolean } | undefined = () => undefined;
  hold: Promise<void> | undefined;

  async request(request: RESTRequest): Promise<unknown> {
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    this.requests.push(`${request.method} ${request.path}`);
    this.bodies.push(JSON.parse(String(request.body)));
    try {
      await Promise.race([this.hold, aborted(request.signal)]);
      const fault = this.fault();
      if (fault !== undefined && !fault.isLate) throw fault.error;
      this.#store(request);
      if (fault !== undefined) throw fault.error;
      return {};
    } finally {
      this.inFlight -= 1;
    }
  }

  #store({ method, path, body }: RESTRequest): void {
    // seam: bodies of the recorder
    const sent = JSON.parse(String(body)) as EventV1;
    if (method === 'POST') {
      if (this.events.has(sent.metadata.name)) throw apiError(409, 'AlreadyExists');
      this.events.set(sent.metadata.name, sent);
      return;
    }
    const name = decodeURIComponent(path.split('/').at(-1) ?? '');
    const known = this.events.get(name);
    if (known === undefined) throw apiError(404, 'NotFound');
    this.events.set(name, { ...known, ...sent });
  }

  /** Occurrences of all events. */
  get occurrences(): number {
    return [...this.events.values()].reduce((sum, { series }) => sum + (series?.count ?? 1), 0);
  }
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    if (signal?.aborted) reject(signal.reason);
  }).then(
    () => undefined,
    (error) => Promise.reject(error),
  );
}

const apiError = (code: number, reason: string, retryAfterSeconds?: number): ApiError =>
  new ApiError({ code, reason, details: { retryAfterSeconds } });

const event: EventToRecord = {
  regarding: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop', uid: 'u1' } },
  type: 'Normal',
  reason: 'Deployed',
  action: 'Reconcile',
  note: 'version 1',
};

const onObject = (name: string, changes: Partial<EventToRecord> = {}): EventToRecord => ({
  ...event,
  regarding: { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'shop' } },
  ...changes,
});

interface World {
  readonly clock: FakeClock;
  readonly server: EventServer;
  readonly recorder: EventRecorder;
  readonly logged: string[];
}

function world(options: Partial<EventRecorderOptions> = {}, random: () => number = () => 0): World {
  const clock = new FakeClock();
  const server = new EventServer();
  server.hold = Promise.resolve();
  const logged: string[] = [];
  const note = (_: object, message: string): void => void logged.push(message);
  const recorder = new EventRecorder({
    rest: server as unknown as EventRecorderOptions['rest'], // seam: one method of a client
    reportingController: 'example.com/shop',
    reportingInstance: 'shop-1',
    log: { debug: note, info: note, warn: note, error: note },
    environment: { clock, random },
    date: () => new Date(clock.now()),
    ...options,
  });
  return { clock, server, recorder, logged };
}

describe('EventRecorder', () => {
  it('creates an event in the namespace of its object', async () => {
    const { recorder, server } = world();
    recorder.event({ ...event, related: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } } });
    await settle();
    expect(server.requests).toEqual(['POST /apis/events.k8s.io/v1/namespaces/shop/events']);
    expect(server.bodies).toEqual([
      {
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        metadata: { name: expect.stringMatching(/^web\.[0-9a-f]+$/), namespace: 'shop' },
        eventTime: '1970-01-01T00:00:01.000000Z',
        type: 'Normal',
        reason: 'Deployed',
        action: 'Reconcile',
        note: 'version 1',
        regarding: { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: 'shop', uid: 'u1' },
        related: { apiVersion: 'v1', kind: 'Node', name: 'n1' },
        reportingController: 'example.com/shop',
        reportingInstance: 'shop-1',
      },
    ]);
  });

  it.each([
    ['node-1', /^node-1\.[0-9a-f]+$/],
    ['system:node', /^[0-9a-f]+$/],
    ['a..b', /^[0-9a-f]+$/],
    ['x'.repeat(250), /^[0-9a-f]+$/],
  ])('creates the event of the cluster-scoped object %j in default', async (name, expected) => {
    const { recorder, server } = world();
    recorder.event({ ...event, regarding: { apiVersion: 'v1', kind: 'Node', metadata: { name } } });
    await settle();
    expect(server.bodies).toMatchObject([
      { metadata: { name: expect.stringMatching(expected), namespace: 'default' } },
    ]);
  });

  it('makes equal events one series that is patched once, whatever their notes and resource versions are', async () => {
    const { recorder, server, clock } = world();
    recorder.event(event);
    await settle();
    for (let version = 2; version <= 50; version += 1) {
      const metadata = { ...event.regarding.metadata, resourceVersion: String(version) };
      recorder.event({ ...event, regarding: { ...event.regarding, metadata }, note: `version ${version}` });
      await settle();
    }
    expect(server.requests.map((request) => request.split(' ')[0])).toEqual(['POST', 'PATCH']);
    expect(server.bodies[1]).toEqual({
      series: { count: 2, lastObservedTime: '1970-01-01T00:00:01.000000Z' },
    });
    await clock.advance(480_000);
    expect(server.occurrences).toBe(50);
    expect(recorder.stats()).toMatchObject({ accepted: 50, created: 1, patched: 2, series: 0, pending: 0 });
    expect(clock.armed).toBe(0);
  });

  it('keeps events with distinct notes apart with distinctNotes', async () => {
    const { recorder, server } = world({ distinctNotes: true });
    for (const note of ['a', 'b', 'a']) recorder.event({ ...event, note });
    await recorder.flush();
    expect([...server.events.values()].map(({ note, series }) => [note, series?.count])).toEqual([
      ['a', 2],
      ['b', undefined],
    ]);
  });

  it.each([
    ['type', { ...event, regarding: { ...event.regarding }, type: 'Warning' as const }],
    ['reason', { ...event, reason: 'Other' }],
    ['action', { ...event, action: 'Other' }],
    ['regarding', onObject('other')],
    ['related', { ...event, related: event.regarding }],
  ])('records an event with another %s separately', async (_, other) => {
    const { recorder, server } = world();
    recorder.event(event);
    recorder.event(other);
    await recorder.flush();
    expect(server.events.size).toBe(2);
  });

  it('logs the violated rule once and throws nothing', () => {
    const { recorder, logged, server } = world();
    for (let index = 0; index < 3; index += 1) recorder.event({ ...event, action: '' });
    expect(logged).toEqual([expect.stringMatching(/^event was not recorded: action must be/)]);
    expect(recorder.stats().invalid).toBe(3);
    expect(server.requests).toEqual([]);
  });

  it('does not throw if the logger throws', () => {
    const fail = (): void => {
      throw new Error('full');
    };
    const { recorder } = world({ log: { debug: fail, info: fail, warn: fail, error: fail } });
    expect(() => recorder.event({ ...event, action: '' })).not.toThrow();
  });

  it('throws TypeError for an invalid name of the controller or the instance', () => {
    expect(() => world({ reportingController: 'a b' })).toThrow(TypeError);
    expect(() => world({ reportingInstance: '' })).toThrow(TypeError);
  });

  it('retries after 10 s and up to a quarter of it, 12 times', async () => {
    const { recorder, server, clock, logged } = world({}, () => 0.999);
    server.fault = () => ({ error: new TransportError('down') });
    recorder.event(event);
    await settle();
    await clock.advance(12_400);
    expect(server.requests.length).toBe(1);
    await clock.advance(100);
    expect(server.requests.length).toBe(2);
    await clock.advance(600_000);
    expect(server.requests.length).toBe(12);
    expect(logged).toEqual([expect.stringMatching(/^create of an event failed: TransportError/)]);
    expect(recorder.stats()).toMatchObject({ failed: 1, series: 0, pending: 0 });
  });

  it('waits for the delay that the server requests', async () => {
    const { recorder, server, clock } = world();
    server.fault = () => ({ error: apiError(429, 'TooManyRequests', 60) });
    recorder.event(event);
    await clock.advance(59_000);
    expect(server.requests.length).toBe(1);
    await clock.advance(1_000);
    expect(server.requests.length).toBe(2);
  });

  it.each([
    [400, 'BadRequest', 1],
    [403, 'Forbidden', 1],
    [404, 'NotFound', 1],
    [422, 'Invalid', 1],
    [409, 'Conflict', 12],
    [429, 'TooManyRequests', 12],
    [500, 'InternalError', 12],
    [503, 'ServiceUnavailable', 12],
  ])('after %i %s sends %i requests, and logs once', async (code, reason, requests) => {
    const { recorder, server, clock, logged } = world();
    server.fault = () => ({ error: apiError(code, reason) });
    recorder.event(event);
    await clock.advance(150_000);
    expect(server.requests.length).toBe(requests);
    for (let index = 0; index < 20; index += 1) recorder.event(onObject('web', { reason: `R${index}` }));
    await clock.advance(400_000);
    const action =
      code === 403 ? ': grant create and patch of events in events.k8s.io in namespace shop' : '';
    expect(logged).toEqual([`create of an event failed: ${reason}${action}; further ones are only counted`]);
    expect(recorder.stats().failed).toBe(21);
  });

  it('bounds a flood of events of one object to 25 requests', async () => {
    const { recorder, server, logged } = world();
    for (let index = 0; index < 10_000; index += 1) recorder.event({ ...event, reason: `R${index}` });
    await recorder.flush();
    expect(server.requests.length).toBe(25);
    expect(recorder.stats()).toMatchObject({ accepted: 25, rateLimited: 9_975 });
    expect(logged.length).toBe(1);
  });

  it('bounds a flood of events of many objects by the queue, 8 requests at once and 4096 series', async () => {
    const { recorder, server, logged, clock } = world();
    for (let index = 0; index < 10_000; index += 1) recorder.event(onObject(`o${index}`));
    expect(recorder.stats()).toMatchObject({ accepted: 1000, dropped: 9000, pending: 1000 });
    await recorder.flush();
    expect(server.mostInFlight).toBe(8);
    expect(server.events.size).toBe(1000);
    expect(logged.length).toBe(1);
    for (let index = 0; index < 10_000; index += 1) {
      recorder.event(onObject(`p${index}`));
      if (index % 500 === 499) await recorder.flush();
    }
    expect(recorder.stats().series).toBe(4096);
    await clock.advance(480_000);
    expect(recorder.stats().series).toBe(0);
  });

  it('sends the events of many objects at 20 per second after the first 100, and all of them on flush', async () => {
    const { recorder, server, clock } = world();
    for (let index = 0; index < 900; index += 1) recorder.event(onObject(`o${index}`));
    await settle(20);
    expect(server.events.size).toBe(100);
    await clock.advance(1_000);
    expect(server.events.size).toBe(120);
    await clock.advance(10_000);
    expect(server.events.size).toBe(320);
    await recorder.flush();
    expect(server.events.size).toBe(900);
    await recorder.stop();
    expect(clock.armed).toBe(0);
  });

  it('names the namespace and the permissions of refused events, again after 10 minutes', async () => {
    const { recorder, server, clock, logged } = world();
    server.fault = () => ({ error: apiError(403, 'Forbidden') });
    const node = (name: string): EventToRecord => ({
      ...event,
      regarding: { apiVersion: 'v1', kind: 'Node', metadata: { name } },
    });
    for (let minute = 0; minute < 15; minute += 1) {
      recorder.event(node(`n${minute}`));
      await clock.advance(60_000);
    }
    const message =
      'create of an event failed: Forbidden: grant create and patch of events in events.k8s.io in namespace default, ' +
      'where events about cluster-scoped objects are created; further ones are only counted';
    expect(logged).toEqual([message, message]);
    await recorder.stop();
  });

  it('logs further messages once those of earlier ones are older than 10 minutes', async () => {
    const { recorder, server, clock, logged } = world();
    server.fault = () => ({ error: apiError(403, 'Forbidden') });
    const report = (namespace: string): void => {
      const metadata = { name: 'web', namespace };
      recorder.event(onObject('web', { regarding: { apiVersion: 'v1', kind: 'Pod', metadata } }));
    };
    for (let index = 0; index < 256; index += 1) report(`n${index}`);
    await clock.advance(60_000);
    report('late');
    await clock.advance(60_000);
    expect(logged.length).toBe(256);
    await clock.advance(600_000);
    report('later');
    await clock.advance(60_000);
    expect(logged.slice(256)).toEqual([expect.stringContaining('in namespace later')]);
    await recorder.stop();
  });

  it('aborts requests at the end of the time limit of stop, and drops later events', async () => {
    const { recorder, server, clock, logged } = world();
    server.hold = new Promise(() => undefined);
    recorder.event(event);
    await settle();
    const stopped = recorder.stop({ timeoutMs: 1000 });
    expect(recorder.stop()).toBe(stopped);
    await clock.advance(1000);
    expect(await stopped).toBe(false);
    await settle();
    expect(server.inFlight).toBe(0);
    recorder.event(event);
    expect(recorder.stats()).toMatchObject({ dropped: 1, series: 0, pending: 0 });
    expect(logged.length).toBe(2);
    expect(clock.armed).toBe(0);
  });

  it('writes the counts of all series on stop', async () => {
    const { recorder, server, clock } = world();
    for (let index = 0; index < 5; index += 1) {
      recorder.event(event);
      await settle();
    }
    expect(server.occurrences).toBe(2);
    expect(await recorder.stop()).toBe(true);
    expect(server.occurrences).toBe(5);
    expect(clock.armed).toBe(0);
  });

  it('retries at once on flush', async () => {
    const { recorder, server, clock } = world();
    server.fault = () => ({ error: new TransportError('down') });
    recorder.event(event);
    await settle();
    server.fault = () => undefined;
    expect(await recorder.flush()).toBe(true);
    expect(server.occurrences).toBe(1);
    await recorder.stop();
    expect(clock.armed).toBe(0);
  });

  it('sends requests outside the context of the run that reported the event', async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const request = async (): Promise<unknown> => void seen.push(storage.getStore());
    const { recorder } = world({ rest: { request } });
    storage.run('run', () => recorder.event(event));
    await recorder.stop();
    expect(seen).toEqual([undefined]);
  });
});

interface Trial {
  readonly world: World;
  readonly random: Random;
}

/** Random faults: outages, lost responses, conflicts. */
function failAtRandom({ world: { server }, random }: Trial, probability: number): void {
  server.fault = () => {
    if (!random.chance(probability)) return undefined;
    const isLate = random.chance(0.5);
    if (isLate || random.chance(0.5)) return { error: new TransportError('cut'), isLate };
    return {
      error: random.pick([
        apiError(409, 'Conflict'),
        apiError(429, 'TooManyRequests', 3),
        apiError(500, 'X'),
      ]),
    };
  };
}

function checkInvariants({ world: { server, recorder } }: Trial): void {
  const { accepted, series, pending } = recorder.stats();
  expect(server.inFlight).toBeLessThanOrEqual(8);
  expect(pending).toBeLessThanOrEqual(1000);
  expect(series).toBeLessThanOrEqual(4096);
  expect(server.occurrences).toBeLessThanOrEqual(accepted);
}

describe('EventRecorder with random faults', () => {
  it.each(Array.from({ length: rounds(400, 10) }, (_, seed) => seed))(
    'loses no occurrence and counts none twice (seed %i)',
    async (seed) => {
      const random = randomOf(seed);
      const trial: Trial = { world: world({}, () => random.int(100) / 100), random };
      const { recorder, server, clock } = trial.world;
      failAtRandom(trial, 0.3);
      for (let step = 0; step < 60; step += 1) {
        for (let burst = random.int(4); burst >= 0; burst -= 1) {
          recorder.event(onObject(`o${random.int(3)}`, { reason: `R${random.int(3)}` }));
        }
        await clock.advance(random.pick([0, 10, 5_000, 30_000, 400_000]));
        checkInvariants(trial);
      }
      failAtRandom(trial, 0);
      for (let burst = random.int(200); burst >= 0; burst -= 1) {
        recorder.event(onObject(`o${random.int(3)}`, { reason: `R${random.int(3)}` }));
        if (random.chance(0.05)) await Promise.resolve();
      }
      expect(await recorder.stop()).toBe(true);
      checkInvariants(trial);
      const { accepted, failed } = recorder.stats();
      expect(failed).toBe(0);
      expect(server.occurrences).toBe(accepted);
      expect(clock.armed).toBe(0);
    },
  );
});
