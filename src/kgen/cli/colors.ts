/** Returns a string with color, or unchanged. */
export type Paint = (text: string, color: Color) => string;

/** Meaning of a color. No information depends on color alone. */
export type Color = keyof typeof codes;

const codes = { error: 31, warning: 33, head: 1 } as const;

export const plain: Paint = (text) => text;

export const coloured: Paint = (text, color) => `\u001b[${codes[color]}m${text}\u001b[0m`;

/**
 * Returns whether a stream has colors: FORCE_COLOR decides (`0` and `false` disable), then a non-empty
 * NO_COLOR disables, then a terminal that supports them enables.
 */
export function wantsColors(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no = '', TERM: term } = env;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return no === '' && isTerminal && term !== 'dumb';
}
