/** Three-way merge of a file of the author with the next version of its template. Pure. */
import { diff3Merge } from 'node-diff3';
import { isObject } from '../input/json.ts';

/** Texts of a merge. */
export interface MergeSides {
  /** Text of the author. */
  readonly own: string;
  /** Template from which the author began. */
  readonly base: string;
  readonly next: string;
}

/** Result of a merge. */
export interface Merged {
  readonly text: string;
  /** Number of places that both sides have changed, which are marked as git marks them. */
  readonly conflicts: number;
}

/**
 * Merges the changes from `base` to `own` with those from `base` to `next`. Line ends, a byte order mark and
 * a missing final newline of the author remain. Members of JSON are merged one by one if their lines overlap.
 */
export function mergeTexts(path: string, { own, base, next }: MergeSides): Merged {
  const [mark = ''] = /^\uFEFF?/.exec(own) ?? [];
  const last = own.endsWith('\n') ? '\n' : '';
  const [ownText = '', ...others] = [own.slice(mark.length), base, next].map(withoutEnd);
  const fit = fitTo(ownText.split('\n'));
  const [baseLines = [], nextLines = []] = others.map(fit);
  const lines = mergeLines(ownText.split('\n'), baseLines, nextLines, fit);
  const [baseText = '', nextText = ''] = others;
  const needsMembers = path.endsWith('.json') && !(lines.conflicts === 0 && parsed(lines.text) !== undefined);
  const members = needsMembers ? mergeJson({ own: ownText, base: baseText, next: nextText }) : undefined;
  const { text, conflicts } = members === undefined ? lines : { text: fit(members).join('\n'), conflicts: 0 };
  return { text: `${mark}${last === '' ? text.replace(/\r$/, '') : text}${last}`, conflicts };
}

/** Returns whether texts differ at most in line ends, which version control may have converted. */
export function isSameText(one: string, other: string): boolean {
  return one === other || one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');
}

/** Returns the line of the first mark of a conflict, from 1; `undefined` for a text without one. */
export function conflictLine(text: string): number | undefined {
  const index = text.split('\n').findIndex((line) => /^(<{7}|>{7})( |\r?$)/.test(line));
  return index === -1 ? undefined : index + 1;
}

const withoutEnd = (text: string): string => text.replace(/\n$/, '');

/** Returns lines with the line ends of the lines that they are merged with. */
type Fit = (text: string) => readonly string[];

/** Lines that the author has, too, have its line ends; the others have the most frequent ones. */
function fitTo(own: readonly string[]): Fit {
  const known = new Set(own);
  const usual =
    own.filter((line) => line.endsWith('\r')).length * 2 >= Math.max(own.length - 1, 1) ? '\r' : '';
  return (text) =>
    text.split('\n').map((line) => {
      if (known.has(line)) return line;
      return known.has(`${line}\r`) ? `${line}\r` : `${line}${usual}`;
    });
}

function mergeLines(
  own: readonly string[],
  base: readonly string[],
  next: readonly string[],
  fit: Fit,
): Merged {
  const regions = diff3Merge([...own], [...base], [...next], { excludeFalseConflicts: true });
  const lines = regions.flatMap(({ ok, conflict }) =>
    conflict === undefined ? (ok ?? []) : marked(conflict.a, conflict.b, fit),
  );
  return {
    text: lines.join('\n'),
    conflicts: regions.filter(({ conflict }) => conflict !== undefined).length,
  };
}

/** Returns a conflict without the lines that both sides have at its begin and at its end. */
function marked(own: readonly string[], next: readonly string[], fit: Fit): readonly string[] {
  const isEqual = (from: number): boolean => own.at(from) === next.at(from);
  const most = Math.min(own.length, next.length);
  let start = 0;
  while (start < most && isEqual(start)) start += 1;
  let end = 0;
  while (end < most - start && isEqual(-1 - end)) end += 1;
  const inner = (lines: readonly string[]): readonly string[] => lines.slice(start, lines.length - end);
  return [
    ...own.slice(0, start),
    ...fit('<<<<<<< yours'),
    ...inner(own),
    ...fit('======='),
    ...inner(next),
    ...fit('>>>>>>> kgen'),
    ...own.slice(own.length - end),
  ];
}

/** Returns the merged members of objects, in the order of the author; `undefined` if it has conflicts. */
function mergeJson({ own, base, next }: MergeSides): string | undefined {
  const values = [own, base, next].map(parsed);
  const [indent = '  '] = /(?<=^\s*\{\r?\n)[ \t]+/.exec(own) ?? [];
  const merged = values.every(isObject) ? mergeValues(values[0], values[1], values[2]) : undefined;
  return merged === undefined || merged === conflict ? undefined : JSON.stringify(merged, null, indent);
}

/** Stands for a value that both sides have changed. */
const conflict = Symbol('conflict');

function mergeValues(own: unknown, base: unknown, next: unknown): unknown {
  const [ownText, baseText, nextText] = [own, base, next].map((value) => JSON.stringify(value));
  if (nextText === baseText || nextText === ownText) return own;
  if (ownText === baseText) return next;
  if (!isObject(own) || !isObject(next)) return conflict;
  const names = new Set([...Object.keys(own), ...Object.keys(next)]);
  const members = [...names].map((name) => {
    const [ownMember, baseMember, nextMember] = [own, base, next].map((value) => memberOf(value, name));
    return [name, mergeValues(ownMember, baseMember, nextMember)] as const;
  });
  if (members.some(([, value]) => value === conflict)) return conflict;
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
