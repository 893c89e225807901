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

/**
 * Plain lines, breaking changes first: one for each change, apart from those that another line tells in other words. Long
 * types are cut; nothing in a line drives a terminal.
 */
export function formatChanges(changes: readonly TypeChange[]): string[] {
  const told = withoutEchoes(changes);
  const breaking = told.filter((change) => change.breaking);
  const others = told.filter((change) => !change.breaking);
  return [...breaking, ...others].map((change) => visible(line(change)));
}

/**
 * A group version that comes or goes is told with its folder, and with its accessor in the clientset, which users write.
 * The catalog holds what the folders do.
 */
function withoutEchoes(changes: readonly TypeChange[]): readonly TypeChange[] {
  const key = ({ change, member }: TypeChange): string => `${change} ${member ?? ''}`;
  const accessors = new Set(changes.filter(({ module }) => module === 'clientset').map(key));
  const whole = new Set(changes.filter(({ name }) => name === '*').map(({ module }) => module));
  return changes.filter((change) => {
    const { module, name, before, after } = change;
    if (name === '*') return true;
    if (module === 'informers') return change.member === undefined || !accessors.has(key(change));
    return module !== 'catalog' && !(module === 'index' && whole.has(after ?? before ?? ''));
  });
}

function line(change: TypeChange): string {
  const { breaking, module, name, member } = change;
  const place = change.change === 'value' ? name : `${name}${member === undefined ? '' : suffix(member)}`;
  const where = name === '*' ? module : `${module} ${place}`;
  return `${breaking ? 'breaking' : 'compatible'}: ${where}: ${event(change)}`;
}

function suffix(member: string): string {
  return isIdentifier(member.replace(/[.[\]]/g, '')) ? `.${member}` : `[${JSON.stringify(member)}]`;
}

function event({ change, member, before, after, breaking }: TypeChange): string {
  switch (change) {
    case 'added':
      // What is new breaks nobody who need not write it.
      return `added${breaking ? ', required' : ''}${after === undefined ? '' : `, ${cut(after)}`}`;
    case 'removed':
      return before === undefined ? 'removed' : `removed, was ${cut(before)}`;
    case 'required':
      return 'was optional, is required';
    case 'optional':
      return 'was required, is optional';
    case 'type':
      return `was ${cut(before ?? 'nothing')}, is ${cut(after ?? 'nothing')}`;
    case 'value':
      if (member === 'subresources') return subresources(words(before), words(after));
      return `${member ?? 'value'} was ${cut(before ?? 'unset')}, is ${cut(after ?? 'unset')}`;
    case 'deprecated':
      return after === undefined ? 'no longer deprecated' : 'now deprecated';
  }
}

function words(list = ''): ReadonlySet<string> {
  return new Set(list.split(', ').filter(Boolean));
}

/** `scale` for a subresource, `scale/get` for each of its verbs. */
function subresources(before: ReadonlySet<string>, after: ReadonlySet<string>): string {
  const only = (own: ReadonlySet<string>, other: ReadonlySet<string>, event: string): readonly string[] => {
    const lone = [...own].filter((word) => !other.has(word));
    const names = new Set(lone.filter((word) => !word.includes('/')));
    return lone
      .map((word) => word.split('/'))
      .filter(([name = '', verb]) => verb === undefined || !names.has(name))
      .map(([name, verb]) => `subresource ${name}${verb === undefined ? '' : `: ${verb}`} ${event}`);
  };
  return [...only(after, before, 'added'), ...only(before, after, 'removed')].join('; ');
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
