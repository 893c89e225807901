/** Tables of guarantees of types, as functions for the compiler. */
import { describe, expect, test } from 'vitest';
import type { Line } from '../support/compiled-lines.ts';
import type { Guarantee } from './tables/helpers.ts';

/** Returns one function for each row of each guarantee. */
export function linesOf(guarantees: readonly Guarantee[]): readonly Line[] {
  return guarantees.flatMap(({ guarantee, accepts, rejects }, number) => {
    const line = (code: string, compiles: boolean, index: number): Line => ({
      name: `${guarantee}: ${code}`,
      text: `export async function guarantee${number}_${compiles}_${index}(): Promise<void> { ${code} }`,
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
export function describeGuarantees(
  title: string,
  guarantees: readonly Guarantee[],
  found: () => readonly string[],
): void {
  describe(title, () => {
    test.each(guarantees.map(({ guarantee }) => guarantee))('%s', (guarantee) => {
      expect(found().filter((text) => text.startsWith(`${guarantee}: `))).toEqual([]);
    });

    test('has no other errors', () => {
      const names = guarantees.map(({ guarantee }) => guarantee);
      expect(found().filter((text) => !names.some((guarantee) => text.startsWith(`${guarantee}: `)))).toEqual(
        [],
      );
    });
  });
}
