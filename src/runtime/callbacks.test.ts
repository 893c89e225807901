import { expect, it } from 'vitest';
import { messageOf } from './callbacks.ts';

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
    name: 'an error whose message is no text',
    thrown: Object.assign(new Error('e'), { message: 1 }),
    want: '1',
  },
])('the words of $name', ({ thrown, want }) => {
  expect(messageOf(thrown)).toBe(want);
});
