import { describe, expect, it } from 'vitest';
import { ByteStream } from '../../../../test/support/runtime/byte-stream.ts';
import { apiError } from '../../../../test/support/runtime/failures.ts';
import { settle } from '../../../../test/support/runtime/fake-clock.ts';
import { collectGarbage } from '../../../../test/support/runtime/garbage.ts';
import {
  delivered,
  notingHandlers as noting,
  informerWorld as world,
} from '../../../../test/support/runtime/informer-world.ts';
import { noTimePasses } from '../../../../test/support/runtime/no-time-passes.ts';
import { listOf, thing } from '../../../../test/support/runtime/scripted-source.ts';
import { TransportError } from '../../api/errors.ts';

noTimePasses();

describe('an informer of a closed client', () => {
  it('reports it, ends, and can be started again', async () => {
    const closed = new TransportError('the client is closed', undefined, { code: 'CLIENT_CLOSED' });
    const { informer, clock, errors } = world([closed, listOf(5, [thing('a', 3)]), new ByteStream()]);
    const registration = informer.handle({});
    informer.start();
    await expect(informer.synced).rejects.toThrow('things in namespace shop has ended: the client is closed');
    await expect(registration.synced).rejects.toThrow('was stopped');
    expect(errors).toEqual([
      [closed, { informer: 'things in namespace shop', during: 'request', attempt: 1 }],
    ]);
    expect([informer.isSynced, clock.armed]).toEqual([false, 0]);
    informer.start();
    await registration.synced;
    await informer.stop();
  });

  it('ends also while it watches', async () => {
    const closed = new TransportError('the client is closed', undefined, { code: 'CLIENT_CLOSED' });
    const { informer, errors } = world([listOf(5, []), closed]);
    informer.start();
    await informer.synced;
    await settle();
    expect([informer.isSynced, errors.length]).toEqual([false, 1]);
  });
});

describe('handlers', () => {
  it('are called for existing objects and every change, and then sync', async () => {
    const stream = new ByteStream();
    const { informer } = world([listOf(5, [thing('a', 3)]), stream]);
    const { calls, handlers } = noting();
    const registration = informer.handle(handlers);
    informer.start();
    await registration.synced;
    expect(calls).toEqual(['add a@3 initially']);
    stream.line({ type: 'ADDED', object: thing('b', 6) });
    stream.line({ type: 'MODIFIED', object: thing('a', 7) });
    stream.line({ type: 'DELETED', object: thing('b', 8) });
    await delivered(informer);
    expect(calls.slice(1)).toEqual(['add b@6', 'update a@3 to a@7', 'delete b@8']);
    expect(informer.lister.list()).toEqual([thing('a', 7)]);
  });

  it('that are added later receive existing objects', async () => {
    const { informer } = world([listOf(5, [thing('a', 3)]), new ByteStream()]);
    informer.start();
    await informer.synced;
    const { calls, handlers } = noting();
    await informer.handle(handlers).synced;
    expect(calls).toEqual(['add a@3 initially']);
  });

  it('do not wait for each other', async () => {
    const { informer } = world([listOf(5, [thing('a', 3)]), new ByteStream()]);
    informer.handle({ add: () => new Promise(() => undefined) });
    const { calls, handlers } = noting();
    const registration = informer.handle(handlers);
    informer.start();
    await registration.synced;
    expect(calls).toHaveLength(1);
  });

  it('that fail are reported and affect no others', async () => {
    const { informer, errors } = world([listOf(5, [thing('a', 3), thing('b', 4)]), new ByteStream()]);
    const registration = informer.handle({
      add: ({ metadata }) => {
        throw new Error(metadata.name);
      },
    });
    informer.start();
    await registration.synced;
    const context = (name: string) => ({
      informer: 'things in namespace shop',
      during: 'handler',
      object: { namespace: 'shop', name },
    });
    expect(errors).toEqual([
      [new Error('a'), context('a')],
      [new Error('b'), context('b')],
    ]);
  });

  it('receive no calls after remove()', async () => {
    const stream = new ByteStream();
    const { informer } = world([listOf(5, []), stream]);
    const { calls, handlers } = noting();
    const registration = informer.handle(handlers);
    informer.start();
    await registration.synced;
    registration.remove();
    stream.line({ type: 'ADDED', object: thing('b', 6) });
    await delivered(informer);
    expect(calls).toEqual([]);
  });

  it('receive all objects at each resync', async () => {
    const { informer, clock } = world([listOf(5, [thing('a', 3)]), new ByteStream()]);
    const { calls, handlers } = noting();
    const registration = informer.handle(handlers, { resyncMs: 1000 });
    informer.start();
    for (const ms of [1000, 1000, 999]) {
      await clock.advance(ms);
      await delivered(informer);
    }
    expect(calls).toEqual(['add a@3 initially', 'update a@3 to a@3', 'update a@3 to a@3']);
    registration.remove();
    await clock.advance(5000);
    await delivered(informer);
    expect(calls).toHaveLength(3);
  });

  it('that are busy receive no other resync', async () => {
    const { informer, clock } = world([listOf(5, [thing('a', 3)]), new ByteStream()]);
    informer.handle({ update: () => new Promise(() => undefined) }, { resyncMs: 1000 });
    informer.start();
    await clock.advance(100_000);
    expect(informer.stats().queued).toBe(1);
  });

  it('receive a missed deletion', async () => {
    const { informer, clock } = world([
      listOf(5, [thing('a', 3), thing('b', 4)]),
      apiError('expired'),
      listOf(9, [thing('b', 7, { uid: 'new' }), thing('c', 8)]),
    ]);
    const { calls, handlers } = noting();
    informer.handle(handlers);
    const relists: string[] = [];
    informer.on('relist', ({ reason }) => relists.push(reason));
    informer.start();
    await clock.advance(800);
    await delivered(informer);
    expect(calls.slice(2)).toEqual(['delete a@3, missed', 'delete b@4, missed', 'add b@7', 'add c@8']);
    expect(relists).toEqual(['expired']);
  });
});

describe('start and stop', () => {
  it('leaves nothing open, and resumes from the cache', async () => {
    const [first, second] = [new ByteStream(), new ByteStream()];
    const { informer, clock, source } = world([
      listOf(5, [thing('a', 3)]),
      first,
      listOf(8, [thing('a', 7)]),
      second,
    ]);
    const { calls, handlers } = noting();
    const registration = informer.handle(handlers, { resyncMs: 60_000 });
    informer.start();
    await registration.synced;
    await informer.stop();
    expect([first.cancelled, clock.armed, informer.isSynced]).toEqual([true, 0, false]);
    expect(informer.lister.get('shop', 'a')).toEqual(thing('a', 3));
    informer.start();
    await informer.synced;
    await registration.synced;
    expect(calls).toEqual(['add a@3 initially', 'update a@3 to a@7']);
    expect(source.log[2]).toBe('list resourceVersion=5');
    await informer.stop();
    expect([second.cancelled, clock.armed]).toEqual([true, 0]);
  });

  it('rejects pending waits', async () => {
    const { informer } = world(['never']);
    const registration = informer.handle({});
    informer.start();
    const [copy, handled] = [informer.synced, registration.synced];
    await informer.stop();
    await expect(copy).rejects.toThrow('informer for things in namespace shop was stopped');
    await expect(handled).rejects.toThrow('was stopped before it was synced');
  });

  it('calls no handler after stop', async () => {
    const { informer } = world([listOf(5, [thing('a', 3), thing('b', 4)]), new ByteStream()]);
    const calls: string[] = [];
    informer.handle({
      add: async ({ metadata }) => {
        calls.push(metadata.name);
        await informer.stop();
      },
    });
    informer.start();
    await settle(5);
    expect(calls).toEqual(['a']);
  });
});

describe('stop', () => {
  it('does not wait for handlers', async () => {
    const { informer, clock } = world([listOf(5, [thing('a', 3), thing('b', 4)]), new ByteStream()]);
    const calls: string[] = [];
    informer.handle({
      add: ({ metadata }) => {
        calls.push(metadata.name);
        return new Promise(() => undefined);
      },
    });
    informer.start();
    await informer.synced;
    await settle();
    await informer.stop();
    expect([calls, clock.armed]).toEqual([['a'], 0]);
  });

  it('may be followed by a start before its end', async () => {
    const [first, second] = [new ByteStream(), new ByteStream()];
    const { informer, source } = world([
      listOf(5, [thing('a', 3)]),
      first,
      listOf(8, [thing('a', 7)]),
      second,
    ]);
    const { calls, handlers } = noting();
    const registration = informer.handle(handlers);
    informer.start();
    await registration.synced;
    const stopped = informer.stop();
    informer.start();
    await stopped;
    await informer.synced;
    await registration.synced;
    expect(calls).toEqual(['add a@3 initially', 'update a@3 to a@7']);
    expect([source.requested.filter(({ verb }) => verb === 'list').length, first.cancelled]).toEqual([
      2,
      true,
    ]);
    await informer.stop();
    await informer.stop();
    expect(second.cancelled).toBe(true);
  });
});

describe('garbage collection', () => {
  it('releases removed handlers and their objects', async () => {
    const { informer } = world([listOf(5, [thing('a', 3)]), new ByteStream()]);
    const play = async () => {
      const { handlers } = noting();
      const registration = informer.handle(handlers);
      informer.start();
      await registration.synced;
      registration.remove();
      return new WeakRef(handlers);
    };
    const handlers = await play();
    await settle();
    await collectGarbage();
    expect(handlers.deref()).toBeUndefined();
    await informer.stop();
  });

  it('releases stopped informers', async () => {
    const make = async () => {
      const { informer } = world([listOf(5, [thing('a', 3)]), new ByteStream()]);
      informer.handle({}, { resyncMs: 1000 });
      informer.start();
      await informer.synced;
      await settle();
      await informer.stop();
      return new WeakRef(informer);
    };
    const informer = await make();
    await settle();
    await collectGarbage();
    expect(informer.deref()).toBeUndefined();
  });
});

it('throws TypeError for a listener of an unknown event', () => {
  const { informer } = world([]);
  expect(() => Reflect.apply(informer.on, informer, ['add', () => undefined])).toThrow(
    'on: unknown event add, expected error, relist, handled; add handlers of changes with handle()',
  );
});

it('throws TypeError for a listener that is not a function', () => {
  const { informer } = world([]);
  expect(() => Reflect.apply(informer.on, informer, ['error'])).toThrow(
    'on: the listener for error is not a function',
  );
});

describe('an index', () => {
  it('that is added later has existing objects, and follows changes', async () => {
    const stream = new ByteStream();
    const { informer } = world([listOf(5, [thing('a', 3)]), stream]);
    informer.start();
    await informer.synced;
    const index = informer.addIndex('initial', ({ metadata }) => [metadata.name.charAt(0)]);
    stream.line({ type: 'ADDED', object: thing('abc', 6) });
    await settle();
    expect(index.get('a').map(({ metadata }) => metadata.name)).toEqual(['a', 'abc']);
  });
});
