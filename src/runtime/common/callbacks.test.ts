import { expect, it, vi } from 'vitest';
import { callSafely, disown, errorFrom, messageOf } from './callbacks.ts';

const cruel = Object.defineProperty(new Error('cruel'), 'message', {
  get: () => {
    throw new Error('no words');
  },
});

it.each<{ name: string; thrown: unknown; want: string }>([
  { name: 'an error', thrown: new Error('oops'), want: 'oops' },
  { name: 'text', thrown: 'oops', want: 'oops' },
  { name: 'nothing', thrown: undefined, want: 'undefined' },
  { name: 'a symbol', thrown: Symbol('s'), want: 'Symbol(s)' },
  {
    name: 'an object without a prototype',
    thrown: Object.create(null),
    want: 'a failure without a message: object',
  },
  { name: 'an error whose words cannot be read', thrown: cruel, want: 'a failure without a message: object' },
  {
    name: 'an error whose message is not a string',
    thrown: Object.assign(new Error('e'), { message: 1 }),
    want: '1',
  },
])('the words of $name', ({ thrown, want }) => {
  expect(messageOf(thrown)).toBe(want);
});

it('errorFrom returns what a function returns, or what it throws', () => {
  expect(errorFrom(() => 'an error')).toBe('an error');
  const thrown = new Error('oops');
  expect(
    errorFrom(() => {
      throw thrown;
    }),
  ).toBe(thrown);
});

it('callSafely and disown survive promises that cannot be followed', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const bad = Object.defineProperty({}, 'then', {
    get: () => {
      throw new Error('no then');
    },
  });
  callSafely(() => bad, 'a function', 'TestWarning');
  disown(bad);
  disown(Promise.reject(new Error('nobody waits')));
  await new Promise((resolve) => setImmediate(resolve));
  expect(warn.mock.calls).toEqual([['a function failed: no then', 'TestWarning']]);
  warn.mockRestore();
});
