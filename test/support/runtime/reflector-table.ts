import { describe, expect, it } from 'vitest';
import { type Case, type In, plain, play } from './reflector-play.ts';

/** Tests each case, with a reflector that lists unless the case specifies another one. */
export function table(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    it.each(cases)('$name', ({ from = plain, given, want }) => {
      expect(play(from, given)).toEqual(want);
    });
  });
}

/** Returns the inputs, repeated `count` times. */
export function times(count: number, ...inputs: In[]): In[] {
  return Array.from({ length: count }, () => inputs).flat();
}
