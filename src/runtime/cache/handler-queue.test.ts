import { describe, expect, it } from 'vitest';
import { settle } from '../testkit/fake-clock.ts';
import { type Thing, thing } from '../testkit/scripted-source.ts';
import { HandlerQueue } from './handler-queue.ts';

const add = (name: string) => ({ type: 'add', object: thing(name, 1), initial: false }) as const;

/** A queue whose handler notes each call, and waits where it is told to. */
function world(wait: (name: string) => Promise<void> | void = () => undefined) {
  const calls: string[] = [];
  const errors: unknown[] = [];
  const queue = new HandlerQueue<Thing>(
    {
      add: (object) => {
        calls.push(object.metadata.name);
        return wait(object.metadata.name);
      },
    },
    (error) => errors.push(error),
  );
  return { queue, calls, errors };
}

describe('the queue of a handler', () => {
  it('calls in order, and never before push returns', async () => {
    const { queue, calls } = world();
    queue.resume();
    for (const name of ['a', 'b', 'c']) queue.push(add(name));
    expect([calls, queue.length]).toEqual([[], 3]);
    await settle();
    expect([calls, queue.length]).toEqual([['a', 'b', 'c'], 0]);
  });

  it('waits for a promise before the next call', async () => {
    let finish = (): void => undefined;
    const { queue, calls } = world((name) => {
      if (name !== 'a') return undefined;
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    queue.resume();
    queue.push(add('a'));
    queue.push(add('b'));
    await settle();
    expect(calls).toEqual(['a']);
    finish();
    await settle();
    expect(calls).toEqual(['a', 'b']);
  });

  it('reports what is thrown or rejected, and goes on', async () => {
    const { queue, calls, errors } = world((name) => {
      if (name === 'a') throw new Error('thrown');
      if (name === 'b') return Promise.reject(new Error('rejected'));
      return undefined;
    });
    queue.resume();
    for (const name of ['a', 'b', 'c']) queue.push(add(name));
    await settle();
    expect([calls, errors]).toEqual([
      ['a', 'b', 'c'],
      [new Error('thrown'), new Error('rejected')],
    ]);
  });

  it('is synced once it has come to the mark', async () => {
    const { queue, calls } = world(() => settle());
    queue.resume();
    queue.push(add('a'));
    queue.push({ type: 'synced' });
    await queue.synced;
    expect(calls).toEqual(['a']);
  });

  it('keeps what is queued while it is paused', async () => {
    const { queue, calls } = world();
    queue.push(add('a'));
    await settle();
    expect([calls, queue.length]).toEqual([[], 1]);
    queue.resume();
    await settle();
    queue.pause(new Error('stopped'));
    queue.push(add('b'));
    await settle();
    expect(calls).toEqual(['a']);
    queue.resume();
    await settle();
    expect(calls).toEqual(['a', 'b']);
  });

  it('tells who waits why it never will be synced, and is willing again', async () => {
    const { queue } = world();
    queue.resume();
    const waiting = queue.synced;
    queue.pause(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    queue.resume();
    queue.push({ type: 'synced' });
    await queue.synced;
  });

  it('takes no mark of before a pause for one of after it', async () => {
    let finish = (): void => undefined;
    const busy = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { queue, calls } = world((name) => (name === 'a' ? busy : undefined));
    queue.resume();
    queue.push(add('a'));
    queue.push({ type: 'synced' });
    await settle();
    queue.pause(new Error('stopped'));
    queue.resume();
    let synced = false;
    const waiting = queue.synced.then(() => {
      synced = true;
    });
    finish();
    await settle();
    expect([calls, synced]).toEqual([['a'], false]);
    queue.push(add('b'));
    queue.push({ type: 'synced' });
    await waiting;
    expect(calls).toEqual(['a', 'b']);
  });

  it('calls nobody once it is closed, not even for what is queued', async () => {
    const { queue, calls } = world((name) => (name === 'a' ? queue.close(new Error('removed')) : undefined));
    queue.resume();
    const waiting = queue.synced;
    for (const name of ['a', 'b']) queue.push(add(name));
    await expect(waiting).rejects.toThrow('removed');
    queue.push(add('c'));
    queue.resume();
    await settle();
    expect([calls, queue.length]).toEqual([['a'], 0]);
  });

  it('lets the event loop have its turn', async () => {
    const { queue, calls } = world();
    queue.resume();
    for (let count = 0; count < 3000; count += 1) queue.push(add(`n${count}`));
    await settle(1);
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.length).toBeLessThan(3000);
    await settle(20);
    expect(calls).toEqual(Array.from({ length: 3000 }, (_, count) => `n${count}`));
  });
});
