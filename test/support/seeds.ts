/** How much of what is tried at random, or once per compiler, a run tries. */

/** Whether everything is tried: `KGEN_SEEDS=all`, as `npm run test:all` and `.ci/run` set it; `npm test` tries a sample. */
export const thorough: boolean = process.env['KGEN_SEEDS'] === 'all';

/** `all` rounds where everything is tried, otherwise `few`. */
export function rounds(all: number, few: number): number {
  return thorough ? all : few;
}

/** Every row of a table where everything is tried, otherwise those that `few` keeps. */
export function rows<Row>(all: readonly Row[], few: (row: Row, index: number) => boolean): readonly Row[] {
  return thorough ? all : all.filter(few);
}
