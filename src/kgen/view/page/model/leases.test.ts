import { expect, test } from 'vitest';
import type { ViewEvent } from '../../format.ts';
import { holdingsOf, leasesOf } from './leases.ts';

/** `+a` acquires `a`, `-a` loses it; `+a:b` has the holder `b`. */
function eventsOf(texts: readonly string[]): readonly ViewEvent[] {
  return texts.map((text, index) => {
    const [lease = '', holder = 'p'] = text.slice(1).split(':');
    return { kind: 'lease', at: index, lease, isHeld: text.startsWith('+'), holder };
  });
}

test.each<readonly [string, readonly string[], string]>([
  ['a lease that is held', ['+a'], '0-'],
  ['a lost lease', ['+a', '-a'], '0-1'],
  ['a repeated event', ['+a', '+a', '-a'], '0-2'],
  ['a new process', ['+a', '+a:q'], '0-1 1-'],
  ['the end of a lease that was never held', ['-a'], ''],
  ['other leases', ['+a', '+b', '-b'], '0-'],
])('has the times of %s', (_, texts, expected) => {
  const found = holdingsOf(eventsOf(texts), 'a');
  expect(found.map(({ from, until = '' }) => `${from}-${until}`).join(' ')).toBe(expected);
});

test('lists the leases', () => {
  expect(leasesOf(eventsOf(['+b', '+a', '-b']))).toEqual(['b', 'a']);
});
