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
