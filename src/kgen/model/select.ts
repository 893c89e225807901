/** What patterns choose from. */
export interface Selectable {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A pattern for groups, group versions or kinds: texts in which `*` stands for any characters. */
export interface Pattern {
  /** As the user wrote it. */
  readonly text: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * Reads `group`, `group/version` or `group/version/Kind`; parts that are left out match everything. `core`
 * and `''` are the core group. Undefined for a text with more parts or with an empty one after the first.
 */
export function parsePattern(text: string): Pattern | undefined {
  const [group = '', version = '*', kind = '*', ...more] = text.split('/');
  if (more.length > 0 || version === '' || kind === '') return undefined;
  return { text, group: group === 'core' ? '' : group, version, kind };
}

/** True when the pattern matches all three parts. Upper and lower case differ. */
export function matches(pattern: Pattern, { group, version, kind }: Selectable): boolean {
  return like(pattern.group, group) && like(pattern.version, version) && like(pattern.kind, kind);
}

/** True for what some `include` pattern matches (all, when there is none) and no `exclude` pattern does. */
export function isSelected(
  item: Selectable,
  include: readonly Pattern[],
  exclude: readonly Pattern[],
): boolean {
  const included = include.length === 0 || include.some((pattern) => matches(pattern, item));
  return included && !exclude.some((pattern) => matches(pattern, item));
}

/** Takes time by the product of both lengths at worst, whatever the number of stars. */
function like(pattern: string, text: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  if (!text.startsWith(first)) return false;
  const last = others.pop();
  if (last === undefined) return text === first;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - at >= last.length && text.endsWith(last);
}
