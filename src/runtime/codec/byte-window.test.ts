import { describe, expect, it } from 'vitest';
import { Seeded } from '../../../test/support/runtime/random.ts';
import { ByteWindow } from './byte-window.ts';

const held = ({ bytes, start, end }: ByteWindow): number[] => [...bytes.subarray(start, end)];

describe('a window on bytes', () => {
  it.each([1, 2, 3])('holds what came in and was not consumed: seed %i', (seed) => {
    const random = new Seeded(seed);
    const window = new ByteWindow(8);
    const want: number[] = [];
    for (let round = 0; round < 500; round += 1) {
      const chunk = Uint8Array.from({ length: random.below(20) }, () => random.below(256));
      window.push(chunk);
      want.push(...chunk);
      const done = random.below(want.length + 1);
      window.consume(window.start + done);
      want.splice(0, done);
      expect(held(window), `seed ${seed}, round ${round}`).toEqual(want);
      expect(window.length).toBe(want.length);
    }
  });

  it('moves each byte about once, however much it has to hold', () => {
    const window = new ByteWindow(16);
    let moved = 0;
    let pushed = 0;
    for (let round = 0; round < 2000; round += 1) {
      const { start, length } = window;
      window.push(Uint8Array.of(round % 256));
      pushed += 1;
      if (window.start < start) moved += length;
      // Holds at most 13 bytes.
      if (window.length > 12) window.consume(window.start + 1);
    }
    expect(moved).toBeGreaterThan(0);
    expect(moved).toBeLessThan(pushed);
  });

  it('does not grow with what was consumed', () => {
    const window = new ByteWindow(16);
    for (let round = 0; round < 1000; round += 1) {
      window.push(new Uint8Array(8));
      window.consume(window.end);
    }
    expect(window.bytes.length).toBe(16);
  });
});
