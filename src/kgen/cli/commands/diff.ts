/** Unified differences of files, as `diff -u` prints them. Pure. */
import { diffIndices } from 'node-diff3';

/** Lines around a change. */
const context = 3;

interface Change {
  readonly start: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Returns the difference of two texts; empty if they are equal. */
export function unifiedDiff(path: string, before: string, after: string): string {
  const [own, next] = [before, after].map((text) => text.replace(/\n$/, '').split('\n'));
  if (own === undefined || next === undefined || before === after) return '';
  const changes = diffIndices(own, next).map(({ buffer1, buffer1Content, buffer2Content }) => ({
    start: buffer1[0],
    removed: buffer1Content,
    added: buffer2Content,
  }));
  let shift = 0;
  const hunks = groupsOf(changes).map((group) => {
    const text = hunkText(own, group, shift);
    for (const { added, removed } of group) shift += added.length - removed.length;
    return text;
  });
  return `--- ${path}\n+++ ${path}\n${hunks.join('')}`;
}

/** Returns the changes in groups whose context overlaps. */
function groupsOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1);
    const isNear = last !== undefined && change.start - (last.start + last.removed.length) <= 2 * context;
    if (isNear) groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunkText(own: readonly string[], group: readonly Change[], shift: number): string {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return '';
  const start = Math.max(0, first.start - context);
  const end = Math.min(own.length, last.start + last.removed.length + context);
  const marked = (mark: string, all: readonly string[]) => all.map((line) => mark + line);
  let lines: readonly string[] = [];
  let [position, grown] = [start, 0];
  for (const { start: at, removed, added } of group) {
    lines = [
      ...lines,
      ...marked(' ', own.slice(position, at)),
      ...marked('-', removed),
      ...marked('+', added),
    ];
    grown += added.length - removed.length;
    position = at + removed.length;
  }
  lines = [...lines, ...marked(' ', own.slice(position, end))];
  const length = end - start;
  return `@@ -${start + 1},${length} +${start + shift + 1},${length + grown} @@\n${lines.join('\n')}\n`;
}
