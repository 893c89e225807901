/** The code of an error of the system or of Node, such as `ENOENT`. */
export function errorCodeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The same at the end of a message: ` (ENOENT)`, or nothing. */
export function codeIn(error: unknown): string {
  const code = errorCodeOf(error);
  return code === undefined ? '' : ` (${code})`;
}
