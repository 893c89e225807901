/** Tables of what types pledge, as functions for the compiler. */
import { describe, expect, test } from 'vitest';
import type { Line } from '../support/lines.ts';
import type { Pledge } from './tables/helpers.ts';

/** One function for each row of each pledge. */
export function linesOf(pledges: readonly Pledge[]): readonly Line[] {
  return pledges.flatMap(({ pledge, accepts, rejects }, number) => {
    const line = (code: string, compiles: boolean, index: number): Line => ({
      name: `${pledge}: ${code}`,
      text: `export async function pledge${number}_${compiles}_${index}(): Promise<void> { ${code} }`,
      compiles,
    });
    return [
      ...accepts.map((code, index) => line(code, true, index)),
      ...rejects.map((code, index) => line(code, false, index)),
    ];
  });
}

/** A test for each pledge, and one for what belongs to none. `found`: what the compiler said otherwise than expected. */
export function describePledges(
  title: string,
  pledges: readonly Pledge[],
  found: () => readonly string[],
): void {
  describe(title, () => {
    test.each(pledges.map(({ pledge }) => pledge))('%s', (pledge) => {
      expect(found().filter((text) => text.startsWith(`${pledge}: `))).toEqual([]);
    });

    test('has no other errors', () => {
      const names = pledges.map(({ pledge }) => pledge);
      expect(found().filter((text) => !names.some((pledge) => text.startsWith(`${pledge}: `)))).toEqual([]);
    });
  });
}
