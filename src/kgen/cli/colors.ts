/** Puts colour around a word, or leaves it as it is. */
export type Paint = (text: string, color: Color) => string;

/** What is told by colour; nothing is told by colour alone. */
export type Color = keyof typeof codes;

const codes = { error: 31, warning: 33, head: 1 } as const;

export const plain: Paint = (text) => text;

export const coloured: Paint = (text, color) => `\u001b[${codes[color]}m${text}\u001b[0m`;

/**
 * Whether a stream gets colours: as FORCE_COLOR says (`0` and `false` for no), else not with a NO_COLOR that is not
 * empty, else where it is a terminal that knows them.
 */
export function wantsColors(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no = '', TERM: term } = env;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return no === '' && isTerminal && term !== 'dumb';
}
