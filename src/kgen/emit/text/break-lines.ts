/**
 * Breaks long lines of generated code. Works on one line at a time, with the syntax that the emitter prints:
 * string literals in quotes, and a space around every operator.
 */

/** Longest line of generated code, in columns. A single longer token is not broken. */
export const lineWidth = 110;

/** Returns code with its long lines broken. Comments are not changed. */
export function breakLines(code: string): string {
  const lines = code.split('\n');
  if (!lines.some((line) => line.length > lineWidth)) return code;
  let inComment = false;
  const broken = lines.map((line) => {
    const isComment = inComment || commentStart.test(line);
    inComment = isComment && !/^ *\/\//.test(line) && !line.includes('*/');
    return isComment || line.length <= lineWidth ? line : brokenLine(line).join('\n');
  });
  return broken.join('\n');
}

const commentStart = /^ *\/(?:\*\*|\/)/;

/** Returns a line as lines that fit, if it can be broken. Every step results in shorter lines. */
function brokenLine(line: string): readonly string[] {
  if (line.length <= lineWidth) return [line];
  const indent = /^ */.exec(line)?.[0] ?? '';
  const parts = partsOf(line.slice(indent.length), `${indent}  `);
  return parts === undefined
    ? [line]
    : parts.flatMap((part, index) => brokenLine(index === 0 ? indent + part : part));
}

/** Breaks a line at the first of these places that it has. `inner` is the indentation of what moves down. */
function partsOf(text: string, inner: string): readonly string[] | undefined {
  const scan = scanned(text);
  return (
    afterOperator(text, inner, scan, ' = ') ??
    afterOperator(text, inner, scan, ' => ') ??
    alternatives(text, inner, scan) ??
    members(text, inner, scan) ??
    contents(text, inner, scan, 1) ??
    afterOperator(text, inner, scan, ': ') ??
    contents(text, inner, scan, 0)
  );
}

/** A pair of brackets that is not inside of another one. */
interface Group {
  /** Position of the opening bracket. */
  readonly start: number;
  /** Position of the closing bracket. */
  readonly end: number;
  /** Positions of the commas and semicolons between its members. */
  readonly separators: readonly number[];
}

interface Scan {
  readonly groups: readonly Group[];
  /** Returns whether a position is outside of brackets, strings and comments. */
  readonly isOutside: (position: number) => boolean;
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };
const token = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\/\*.*?\*\/|=>|(?<=\w)<|[()[\]{}>,;]/g;

function scanned(text: string): Scan {
  const groups: Group[] = [];
  const inside: (readonly [start: number, end: number])[] = [];
  const open: string[] = [];
  let start = 0;
  let separators: number[] = [];
  for (const { 0: found, index } of text.matchAll(token)) {
    const close = closing[found];
    if (close !== undefined) {
      if (open.length === 0) [start, separators] = [index, []];
      open.push(close);
    } else if (found === open.at(-1)) {
      open.pop();
      if (open.length > 0) continue;
      groups.push({ start, end: index, separators });
      inside.push([start, index]);
    } else if ((found === ',' || found === ';') && open.length === 1) separators.push(index);
    else if (found.length > 2) inside.push([index, index + found.length - 1]);
  }
  // An unclosed bracket ends on another line.
  if (open.length > 0) inside.push([start, text.length]);
  return { groups, isOutside: (at) => !inside.some(([from, to]) => at > from && at <= to) };
}

/** Moves what follows an operator to the next line. */
function afterOperator(
  text: string,
  inner: string,
  { isOutside }: Scan,
  operator: string,
): readonly string[] | undefined {
  for (let at = text.indexOf(operator); at >= 0; at = text.indexOf(operator, at + 1)) {
    if (!isOutside(at)) continue;
    const end = at + operator.length;
    return [text.slice(0, end).trimEnd(), inner + text.slice(end)];
  }
  return undefined;
}

/** Moves both results of a conditional expression to lines of their own. */
function alternatives(text: string, inner: string, { isOutside }: Scan): readonly string[] | undefined {
  const first = positions(text, ' ? ').find(isOutside);
  const second = positions(text, ' : ').find(isOutside);
  if (first === undefined || second === undefined) return undefined;
  return [text.slice(0, first), inner + text.slice(first + 1, second), inner + text.slice(second + 1)];
}

/** Moves each member of a union to a line of its own. */
function members(text: string, inner: string, { isOutside }: Scan): readonly string[] | undefined {
  const bars = positions(text, ' | ').filter(isOutside);
  if (bars.length === 0) return undefined;
  const colon = positions(text, ': ').find(isOutside);
  const start = colon === undefined ? 0 : colon + 2;
  const starts = [start, ...bars.map((bar) => bar + 3)];
  const ends = [...bars, text.length];
  const each = starts.map((from, index) => `| ${text.slice(from, ends[index])}`);
  if (start > 0) return [text.slice(0, start).trimEnd(), ...each.map((line) => inner + line)];
  // The line is a union without anything before it.
  return each.map((line, index) => (index === 0 ? line : inner.slice(2) + line));
}

/**
 * Moves each member of the longest pair of brackets, of those with at least `separated` separators, to a line
 * of its own.
 */
function contents(
  text: string,
  inner: string,
  { groups }: Scan,
  separated: number,
): readonly string[] | undefined {
  const [group] = groups
    .filter(({ start, end, separators }) => end - start > 1 && separators.length >= separated)
    .sort((a, b) => b.end - b.start - (a.end - a.start));
  if (group === undefined) return undefined;
  const { start, end, separators } = group;
  const starts = [start + 1, ...separators.map((at) => at + 1)];
  const lines = starts
    .map((from, index) => text.slice(from, (separators[index] ?? end - 1) + 1).trim())
    .filter((line) => line !== '');
  const hasComma = separators.length > 0 && text[start] !== '<' && !/[,;]$/.test(lines.at(-1) ?? '');
  const last = lines.length - 1;
  return [
    text.slice(0, start + 1),
    ...lines.map(
      (line, index) => `${inner}${line}${index === last && hasComma ? text[separators[0] ?? 0] : ''}`,
    ),
    inner.slice(2) + text.slice(end),
  ];
}

function positions(text: string, requested: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(requested); at >= 0; at = text.indexOf(requested, at + 1)) found.push(at);
  return found;
}
