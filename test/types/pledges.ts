/** Tables of guarantees of types, as functions for the compiler. */
import { describe, expect, test } from 'vitest';
import type { Line } from '../support/lines.ts';
import type { Pledge } from './tables/helpers.ts';

/** Returns one function for each row of each guarantee. */
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

/**
 * Registers a test for each guarantee, and one for failures of no guarantee. `found`: unexpected results of
 * the compiler.
 */
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
