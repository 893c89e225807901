import { describe, expect, it } from 'vitest';
import { type Hold, SharedWork } from './shared-work.ts';

/** Returns a task that the test ends, and its number of runs. */
function setup() {
  const state = { starts: 0, end: (_: string | Error): void => undefined, refs: [] as string[] };
  const shared = new SharedWork<string>();
  const start = (hold: Hold): Promise<string> => {
    state.starts += 1;
    hold.add({ ref: () => state.refs.push('ref'), unref: () => state.refs.push('unref') });
    return new Promise((resolve, reject) => {
      state.end = (result) => (result instanceof Error ? reject(result) : resolve(result));
    });
  };
  return { state, join: (signal?: AbortSignal) => shared.join(start, signal) };
}

describe('SharedWork', () => {
  it('runs once for all waiting callers, and again for later ones', async () => {
    const { state, join } = setup();
    const both = Promise.all([join(), join()]);
    state.end('a');
    expect(await both).toEqual(['a', 'a']);
    const later = join();
    state.end('b');
    expect(await later).toBe('b');
    expect(state.starts).toBe(2);
  });

  it('fails for all waiting callers, and runs again later', async () => {
    const { state, join } = setup();
    const both = Promise.allSettled([join(), join()]);
    state.end(new Error('no'));
    expect(await both).toMatchObject([{ reason: { message: 'no' } }, { reason: { message: 'no' } }]);
    const later = join();
    state.end('b');
    expect(await later).toBe('b');
  });

  it('continues when one caller aborts', async () => {
    const { state, join } = setup();
    const controller = new AbortController();
    const [gone, here] = [join(controller.signal), join()];
    controller.abort(new Error('enough'));
    await expect(gone).rejects.toThrow('enough');
    expect(state.refs).toEqual([]);
    state.end('a');
    expect(await here).toBe('a');
    expect(state.starts).toBe(1);
  });

  it('keeps the process running only while a caller waits', async () => {
    const { state, join } = setup();
    const controller = new AbortController();
    const gone = join(controller.signal);
    controller.abort(new Error('enough'));
    await expect(gone).rejects.toThrow('enough');
    expect(state.refs).toEqual(['unref']);
    const back = join();
    expect(state.refs).toEqual(['unref', 'ref']);
    state.end('a');
    expect(await back).toBe('a');
    expect(state.starts).toBe(1);
  });

  it('may fail without a waiting caller', async () => {
    const { state, join } = setup();
    const controller = new AbortController();
    const gone = join(controller.signal);
    controller.abort(new Error('enough'));
    await expect(gone).rejects.toThrow('enough');
    state.end(new Error('no'));
    const later = join();
    state.end('b');
    await expect(later).rejects.toThrow('no');
  });

  it('does not start for an aborted caller', async () => {
    const { state, join } = setup();
    await expect(join(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    expect(state.starts).toBe(0);
  });
});
