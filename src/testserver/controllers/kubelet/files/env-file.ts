/**
 * Files with environment variables, which containers write for others.
 * @see https://kubernetes.io/docs/tasks/inject-data-application/define-environment-variable-via-file/
 */

/** `NAME='value'` with a comment, or `NAME= …`, which is empty. The value may have several lines. */
const assignment = /[ \t]*([^\s=#][^\s=]*)=(?:'([^']*)'[ \t]*(?:#[^\n]*)?(?:\n|$)|[ \t][^\n]*(?:\n|$))/y;
const blank = /[ \t]*(?:#[^\n]*)?(?:\n|$)/y;

/**
 * Returns the value of a variable; empty if the file does not assign it. `undefined` for a file that is
 * malformed before its assignment.
 */
export function envFileValue(content: string, name: string): string | undefined {
  let at = 0;
  while (at < content.length) {
    assignment.lastIndex = at;
    const found = assignment.exec(content);
    if (found !== null) {
      if (found[1] === name) return found[2] ?? '';
      at = assignment.lastIndex;
      continue;
    }
    blank.lastIndex = at;
    if (blank.exec(content) === null) return undefined;
    at = blank.lastIndex;
  }
  return '';
}
