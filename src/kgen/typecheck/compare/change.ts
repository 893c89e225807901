/** Entries of the change report. Plain data that can be serialised as JSON. */
import { byText, isIdentifier } from '../../common/words.ts';

/** Kind of change of an export. */
export type ChangeKind =
  | 'added'
  | 'removed'
  /** An optional member became required. */
  | 'required'
  /** A required member became optional. */
  | 'optional'
  | 'type'
  /** A property of a constant changed, such as the verbs of a resource's descriptor. */
  | 'value'
  /** The tag `@deprecated` was added or removed. */
  | 'deprecated';

/** One change of the exports of an output. */
export interface TypeChange {
  /**
   * Folder of a group version, such as `apps/v1`. For other files the path without extension, such as
   * `clientset`.
   */
  readonly module: string;
  /** Name of the export; `*` for a whole module. */
  readonly name: string;
  /** Member of the export: nested members with dots, items of lists as `[]`. For a constant, its property. */
  readonly member?: string;
  readonly change: ChangeKind;
  /** Type or value before the change. Absent for additions. */
  readonly before?: string;
  /** Type or value after the change. Absent for removals. */
  readonly after?: string;
  /** Whether programs that compiled or ran before may fail now. */
  readonly breaking: boolean;
}

/** Sorts by module, name and member, independent of the locale. */
export function sortChanges(changes: readonly TypeChange[]): readonly TypeChange[] {
  return [...changes].sort(
    (a, b) =>
      byText(a.module, b.module) ||
      byText(a.name, b.name) ||
      byText(a.member ?? '', b.member ?? '') ||
      byText(a.change, b.change),
  );
}

/** Maximum length of a type or value in a line, in characters. */
const longest = 100;

/**
 * Returns plain lines, breaking changes first: one per change, without changes that another line implies.
 * Long types are truncated, and control characters are escaped.
 */
export function formatChanges(changes: readonly TypeChange[]): string[] {
  const distinct = withoutEchoes(changes);
  const breaking = distinct.filter((change) => change.breaking);
  const others = distinct.filter((change) => !change.breaking);
  return [...breaking, ...others].map((change) => visible(line(change)));
}

/**
 * Drops changes that others imply. A group version that is added or removed is reported with its folder and
 * its accessor in the clientset, which users write. The catalog repeats the folders.
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
      // An addition is compatible unless users have to write it.
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

/** Returns `scale` for a subresource, and `scale/get` for each of its verbs. */
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

/** Escapes control characters that a literal of an old output may contain. */
function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
