import { ApiError, type Informer, type KubernetesObject } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/runtime/fake-clock.ts';
import { ManagerHealth } from './manager-health.ts';

type Listener = (error: unknown, context: { readonly during: string }) => void;

const notFound = new ApiError({ code: 404, reason: 'NotFound' });
const forbidden = new ApiError({ code: 403, reason: 'Forbidden' });

/** A manager with one informer, whose data and failures are calls. */
function world() {
  const clock = new FakeClock();
  const none = (): void => undefined;
  const logged: string[] = [];
  const note = (fields: object, message: string): void =>
    void logged.push(`${message} ${String(Reflect.get(fields, 'err') ?? Reflect.get(fields, 'error'))}`);
  const health = new ManagerHealth({
    log: { debug: note, info: note, warn: note, error: note },
    environment: { clock, random: () => 0 },
    // Checks of informers count failures only.
    metrics: { informerFailed: none } as never,
    running: () => [],
    unready: () => undefined,
  });
  let listener: Listener = none;
  let dataAt: number | undefined;
  const informer = {
    name: 'apps',
    isSynced: false,
    stats: () => ({ quietMs: dataAt === undefined ? undefined : clock.now() - dataAt }),
    on: (_: string, added: Listener) => {
      listener = added;
      return none;
    },
  };
  // Health reads these members only.
  health.follow(informer as unknown as Informer<KubernetesObject>);
  return {
    informer,
    /** Advances the time, with a failure each 10 s if there is one. */
    pass: async (seconds: number, error?: Error): Promise<void> => {
      for (let second = 0; second < seconds; second += 1) {
        if (error !== undefined && second % 10 === 0) listener(error, { during: 'request' });
        await clock.advance(1000);
      }
    },
    data: (): void => {
      informer.isSynced = true;
      dataAt = clock.now();
    },
    /** Returns `ready`, or the reason in the log. */
    state: async (): Promise<string> => {
      logged.length = 0;
      const request = {
        method: 'GET',
        path: '/readyz',
        query: new URLSearchParams(),
        authorization: undefined,
      };
      const { status } = await health.readyz.respond('readyz', request);
      return status === 200 ? 'ready' : logged.join('');
    },
  };
}

describe('a manager is ready', () => {
  it('once its cache is complete', async () => {
    const { state, data } = world();
    expect(await state()).toContain('apps is not complete');
    data();
    expect(await state()).toBe('ready');
  });

  it('while its kind is not installed, at the start and after its removal', async () => {
    const { state, data, pass } = world();
    await pass(600, notFound);
    expect(await state()).toBe('ready');
    data();
    expect(await state()).toBe('ready');
    await pass(600, notFound);
    expect(await state()).toBe('ready');
  });

  it('for 2 minutes of failures, and again with the next data', async () => {
    const { state, data, pass } = world();
    data();
    await pass(110, forbidden);
    expect(await state()).toBe('ready');
    await pass(20, forbidden);
    expect(await state()).toContain('apps has failed for more than 2 minutes');
    data();
    expect(await state()).toBe('ready');
    await pass(110, forbidden);
    expect(await state()).toBe('ready');
  });

  it('not if an installed kind cannot be read at the start', async () => {
    const { state, pass } = world();
    await pass(5, notFound);
    expect(await state()).toBe('ready');
    await pass(5, forbidden);
    expect(await state()).toContain('apps is not complete');
  });

  it('for 5 minutes without data, which servers send each minute', async () => {
    const { state, data, pass } = world();
    data();
    await pass(300);
    expect(await state()).toBe('ready');
    await pass(1);
    expect(await state()).toContain('apps has received nothing for 5 minutes');
  });
});
