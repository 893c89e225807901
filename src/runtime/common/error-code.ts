/** Returns the code of an error of the operating system or of Node, such as `ENOENT`. */
export function errorCodeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Returns the code for the end of a message: ` (ENOENT)`, or an empty string. */
export function codeIn(error: unknown): string {
  const code = errorCodeOf(error);
  return code === undefined ? '' : ` (${code})`;
}
