import { isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressOf } from './addresses.ts';

test.each([
  ['192.0.2.1', 4],
  ['192.0.2', undefined],
  ['192.0.2.1.1', undefined],
  ['192.0.2.01', undefined],
  ['192.0.2.256', undefined],
  ['::', 16],
  ['2001:db8::1', 16],
  ['::ffff:192.0.2.1', 16],
  ['1:2:3:4:5:6:7:8', 16],
  ['1:2:3:4:5:6:7::', 16],
  ['1:2:3:4:5:6:7', undefined],
  ['1:2:3:4:5:6:7:8::', undefined],
  ['1::2::3', undefined],
  [':1', undefined],
  ['12345::', undefined],
  ['192.0.2.1::', undefined],
  // API servers refuse zones.
  ['fe80::1%eth0', undefined],
  ['', undefined],
])('%j has %s bytes', (text, bytes) => {
  expect(addressOf(text)?.length).toBe(bytes);
});

const parts = fc.constantFrom('0', '1', '01', '255', '256', 'a', 'ffff', '12345', ':', '::', '.', '/');

test('accepts the addresses that Node.js accepts', () => {
  const near = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.array(parts, { maxLength: 18 }).map((all) => all.join('')),
    fc.array(fc.constantFrom('1', '2.3', '1.2.3.4', ''), { maxLength: 10 }).map((all) => all.join(':')),
  );
  fc.assert(
    fc.property(near, (text) => {
      const size = addressOf(text)?.length;
      expect([text, size === 4, size === 16]).toEqual([text, isIPv4(text), isIPv6(text)]);
    }),
    { numRuns: 2_000 },
  );
});
