/** What the report of changes is made of. Plain data, fit for JSON as it is. */
import { byText, isIdentifier } from '../words.ts';

/** What happened to something that an output exports. */
export type ChangeKind =
  | 'added'
  | 'removed'
  /** A member that could be left out must be there now. */
  | 'required'
  /** A member that had to be there may be left out now. */
  | 'optional'
  | 'type'
  /** A fact of a constant, such as the verbs of a resource's descriptor. */
  | 'value'
  /** The mark `@deprecated` came or went. */
  | 'deprecated';

/** One change of what an output exports. */
export interface TypeChange {
  /** Folder of a group version, such as `apps/v1`; of other files the path without extension, such as `clientset`. */
  readonly module: string;
  /** Name of the export; `*` for a module as a whole. */
  readonly name: string;
  /** Member of the export; nested ones with dots, items of lists as `[]`. Of a constant the fact. */
  readonly member?: string;
  readonly change: ChangeKind;
  /** Type or value before; absent where there was none. */
  readonly before?: string;
  /** Type or value now; absent where there is none. */
  readonly after?: string;
  /** Whether programs that compiled or ran before may not any more. */
  readonly breaking: boolean;
}

/** By module, name and member; independent of locale. */
export function sortChanges(changes: readonly TypeChange[]): readonly TypeChange[] {
  return [...changes].sort(
    (a, b) =>
      byText(a.module, b.module) ||
      byText(a.name, b.name) ||
      byText(a.member ?? '', b.member ?? '') ||
      byText(a.change, b.change),
  );
}

/** Longest type or value in a line. */
const longest = 100;

/** A plain line for each change, breaking ones first. Long types are cut; nothing in a line drives a terminal. */
export function formatChanges(changes: readonly TypeChange[]): string[] {
  const breaking = changes.filter((change) => change.breaking);
  const others = changes.filter((change) => !change.breaking);
  return [...breaking, ...others].map((change) => visible(line(change)));
}

function line(change: TypeChange): string {
  const { breaking, module, name, member } = change;
  const place = change.change === 'value' ? name : `${name}${member === undefined ? '' : suffix(member)}`;
  return `${breaking ? 'breaking' : 'compatible'}: ${module} ${place}: ${event(change)}`;
}

function suffix(member: string): string {
  return isIdentifier(member.replace(/[.[\]]/g, '')) ? `.${member}` : `[${JSON.stringify(member)}]`;
}

function event({ change, member, before, after }: TypeChange): string {
  switch (change) {
    case 'added':
      return after === undefined ? 'added' : `added, ${cut(after)}`;
    case 'removed':
      return before === undefined ? 'removed' : `removed, was ${cut(before)}`;
    case 'required':
      return 'was optional, is required';
    case 'optional':
      return 'was required, is optional';
    case 'type':
      return `was ${cut(before ?? 'nothing')}, is ${cut(after ?? 'nothing')}`;
    case 'value':
      return `${member ?? 'value'} was ${cut(before ?? 'unset')}, is ${cut(after ?? 'unset')}`;
    case 'deprecated':
      return after === undefined ? 'no longer deprecated' : 'now deprecated';
  }
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** Escapes controls that a literal of an old output may hold. */
function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
