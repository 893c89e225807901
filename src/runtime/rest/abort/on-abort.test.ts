import { getEventListeners, getMaxListeners, setMaxListeners } from 'node:events';
import { expect, it } from 'vitest';
import { onAbort } from './on-abort.ts';

it('calls the listener once, with the reason', () => {
  const controller = new AbortController();
  const reasons: unknown[] = [];
  const forget = onAbort(controller.signal, (reason) => reasons.push(reason));
  onAbort(controller.signal, (reason) => reasons.push(reason));
  forget();
  controller.abort('enough');
  expect(reasons).toEqual(['enough']);
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
});

it('causes no MaxListenersExceededWarning if one signal ends many calls', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  const { signal } = new AbortController();
  for (let call = 0; call < 20; call += 1) onAbort(signal, () => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

it('keeps a listener limit that was set', () => {
  const { signal } = new AbortController();
  setMaxListeners(3, signal);
  onAbort(signal, () => undefined);
  expect(getMaxListeners(signal)).toBe(3);
});
