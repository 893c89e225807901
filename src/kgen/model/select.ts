/** A kind that patterns may select. */
export interface Selectable {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A pattern for groups, group versions or kinds, in which `*` matches any characters. */
export interface Pattern {
  /** As written by the user. */
  readonly text: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * Parses `group`, `group/version` or `group/version/Kind`. Omitted parts match everything. `core` and `''`
 * are the core group. Returns `undefined` if there are more parts, or an empty part after the first.
 */
export function parsePattern(text: string): Pattern | undefined {
  const [group = '', version = '*', kind = '*', ...more] = text.split('/');
  if (more.length > 0 || version === '' || kind === '') return undefined;
  return { text, group: group === 'core' ? '' : group, version, kind };
}

/** Returns whether the pattern matches all three parts. Case-sensitive. */
export function matches(pattern: Pattern, { group, version, kind }: Selectable): boolean {
  return like(pattern.group, group) && like(pattern.version, version) && like(pattern.kind, kind);
}

/** Returns whether some `include` pattern matches (or there is none) and no `exclude` pattern does. */
export function isSelected(
  item: Selectable,
  include: readonly Pattern[],
  exclude: readonly Pattern[],
): boolean {
  const included = include.length === 0 || include.some((pattern) => matches(pattern, item));
  return included && !exclude.some((pattern) => matches(pattern, item));
}

/** Takes at most time proportional to the product of both lengths, whatever the number of asterisks. */
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
