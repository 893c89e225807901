import { describe, expect, it } from 'vitest';
import { type Case, type In, plain, play } from './reflector-play.ts';

/** Plays each case, of a reflector that lists unless the case says otherwise. */
export function table(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    it.each(cases)('$name', ({ from = plain, given, want }) => {
      expect(play(from, given)).toEqual(want);
    });
  });
}

/** The same inputs over and over. */
export function times(count: number, ...inputs: In[]): In[] {
  return Array.from({ length: count }, () => inputs).flat();
}
