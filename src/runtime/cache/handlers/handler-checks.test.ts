import { describe, expect, it } from 'vitest';
import { ByteStream } from '../../../../test/support/runtime/byte-stream.ts';
import { informerWorld as world } from '../../../../test/support/runtime/informer-world.ts';
import { listOf, thing } from '../../../../test/support/runtime/scripted-source.ts';

/** Calls with any arguments, like untyped JavaScript. */
function handle(...args: readonly unknown[]): unknown {
  const { informer } = world([]);
  return Reflect.apply(informer.handle, informer, args);
}

describe('handle', () => {
  it.each<[unknown, string]>([
    [undefined, 'handlers must be an object, got undefined'],
    [null, 'handlers must be an object, got null'],
    [() => undefined, 'handlers must be an object, got () => undefined'],
    [{ added() {}, onUpdate() {} }, 'unknown handlers: added, onUpdate'],
    [{ add: 'a' }, 'add is not a function'],
    [{ add() {}, delete: null }, 'delete is not a function'],
  ])('throws TypeError for %o', (handlers, message) => {
    expect(() => handle(handlers)).toThrow(TypeError);
    expect(() => handle(handlers)).toThrow(`handle: ${message}; expected { add, update, delete }`);
  });

  class Counter {
    count = 0;
    add(): void {
      this.count += 1;
    }
  }

  it.each([
    ['none', {}],
    ['some', { update() {}, add: undefined }],
    ['those of a class', new Counter()],
  ])('accepts handlers: %s', (_, handlers) => {
    expect(() => handle(handlers)).not.toThrow();
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '1000'])(
    'throws RangeError for resyncMs: %s',
    (resyncMs) => {
      expect(() => handle({}, { resyncMs })).toThrow(RangeError);
      expect(() => handle({}, { resyncMs })).toThrow(`must be > 0, got ${resyncMs}`);
    },
  );

  it('calls the same handlers once per registration, as members of their object', async () => {
    const { informer } = world([listOf(5, [thing('a', 3)]), new ByteStream()]);
    const counter = new Counter();
    const registrations = [informer.handle(counter), informer.handle(counter)];
    informer.start();
    await Promise.all(registrations.map(({ synced }) => synced));
    expect(counter.count).toBe(2);
    await informer.stop();
  });
});
