/** Problems of an expression, printed as cel-go prints them. */

/** A problem at an offset of the source. */
export interface Issue {
  readonly at: number;
  readonly message: string;
}

/** Thrown for an expression that cannot be parsed or that violates the types of its operands. */
export class CompileError extends Error {
  readonly issues: readonly Issue[];

  /** @param message message without positions. Default: the issues, behind `compilation failed` */
  constructor(
    source: string,
    issues: readonly Issue[],
    message: string = `compilation failed: ${printIssues(source, issues)}`,
  ) {
    super(message);
    this.name = 'CompileError';
    this.issues = issues;
  }
}

/** Returns the issues in the order of their positions, each with its line and a mark below its column. */
function printIssues(source: string, issues: readonly Issue[]): string {
  return issues
    .toSorted((a, b) => a.at - b.at)
    .slice(0, 100)
    .map((issue) => printIssue(source, issue))
    .join('\n');
}

function printIssue(source: string, { at, message }: Issue): string {
  if (at < 0) return `ERROR: <input>:-1:0: ${message}`;
  // An empty source has no line.
  if (source === '') return `ERROR: <input>:1:0: ${message}`;
  const before = source.slice(0, at).split('\n');
  const column = [...(before.at(-1) ?? '')].length;
  const line = [...(source.split('\n')[before.length - 1] ?? '').replaceAll('\t', ' ')];
  const isWide = (index: number): boolean => (line[index]?.codePointAt(0) ?? 0) > 127;
  const dots = Array.from({ length: column }, (_, index) =>
    index >= line.length ? '' : isWide(index) ? '\uff0e' : '.',
  );
  const mark = `${dots.join('')}${isWide(column) ? '\uff3e' : '^'}`;
  return `ERROR: <input>:${before.length}:${column + 1}: ${message}\n | ${line.join('')}\n | ${mark}`;
}
