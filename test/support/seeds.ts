/** Amount of random input and number of compilers of a run. */

/**
 * Whether all seeds and compilers are used: `KGEN_SEEDS=all`, as `npm run test:all` and `.ci/run` set it;
 * `npm test` uses a sample.
 */
export const thorough: boolean = process.env['KGEN_SEEDS'] === 'all';

/** Returns `all` if all seeds are used, otherwise `few`. */
export function rounds(all: number, few: number): number {
  return thorough ? all : few;
}

/** Returns every row of a table if all seeds are used, otherwise the rows that `few` selects. */
export function rows<Row>(all: readonly Row[], few: (row: Row, index: number) => boolean): readonly Row[] {
  return thorough ? all : all.filter(few);
}

/**
 * Returns the seeds of a run: `KGEN_SEED` alone, or `KGEN_SEEDS` seeds from 1 on if it is a number, otherwise
 * `all` or `few` of them.
 */
export function seedsOf({ all, few }: { readonly all: number; readonly few: number }): readonly number[] {
  const single = process.env['KGEN_SEED'];
  if (single !== undefined) return [Number(single)];
  const count = Number(process.env['KGEN_SEEDS']);
  return Array.from({ length: count > 0 ? count : rounds(all, few) }, (_, index) => index + 1);
}
