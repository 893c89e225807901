/** Names of accessors of clientsets. They are part of the interface of an output and must not change. */
import { capitalise, isIdentifier, lowerAcronym } from '../../common/words.ts';
import { suffixed } from './assign-names.ts';
import { camel, isReservedMember, isReservedWord, pascal, piecesOf } from './casing.ts';
import { isKnownGroup } from './known-groups.ts';

/** Settings that influence the accessors of groups. */
export interface GroupNaming {
  /** Stems that the user configured, by group. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Stems of earlier runs, by group. Stems that would clash or are not identifiers are dropped. */
  readonly recorded: ReadonlyMap<string, string>;
}

/**
 * Returns the stem of each group's accessors, such as `apps` of `appsV1`, by group. Configured stems take
 * precedence, then those of Kubernetes' own groups, then recorded ones. Other groups use the first label of
 * their name, or the whole name if that label is taken or claimed by several groups.
 */
export function groupStems(groups: readonly string[], naming: GroupNaming): ReadonlyMap<string, string> {
  const stems = new Map<string, string>();
  const taken = new Set<string>();
  const settle = (group: string, stem: string): void => {
    stems.set(group, stem);
    taken.add(stem);
  };
  const sorted = [...new Set(groups)].sort();
  for (const group of sorted) {
    const pinned = naming.aliases.get(group) ?? (isKnownGroup(group) ? shortStem(group) : undefined);
    if (pinned !== undefined) settle(group, pinned);
  }
  for (const group of sorted) {
    const kept = naming.recorded.get(group);
    if (!stems.has(group) && kept !== undefined && isIdentifier(kept) && !taken.has(kept))
      settle(group, kept);
  }
  const open = sorted.filter((group) => !stems.has(group));
  const requested = count(open.map(shortStem));
  for (const group of open) {
    const short = shortStem(group);
    settle(group, taken.has(short) || (requested.get(short) ?? 0) > 1 ? freeStem(group, taken) : short);
  }
  return stems;
}

/** Group and version of an accessor. */
export interface GroupVersionName {
  readonly group: string;
  readonly version: string;
}

/** Returns accessors such as `appsV1`, in the order of the group versions, without duplicates. */
export function groupVersionAccessors(
  names: readonly GroupVersionName[],
  stems: ReadonlyMap<string, string>,
): readonly string[] {
  const taken = new Set<string>();
  return names.map(({ group, version }) => {
    const wants = [stems.get(group) ?? shortStem(group), wholeStem(group)].map(
      (stem) => stem + pascal(version),
    );
    const isTaken = (name: string): boolean => taken.has(name) || isReservedMember(name);
    const name =
      wants.find((want) => !isTaken(want)) ?? suffixed(wants[0] ?? 'group', `${group}/${version}`, isTaken);
    taken.add(name);
    return name;
  });
}

/** Kind and plural from which an accessor is derived. */
export interface ResourceName {
  readonly kind: string;
  readonly plural: string;
}

/** Returns accessors such as `networkPolicies`, in the order of the resources, without duplicates. */
export function resourceAccessors(resources: readonly ResourceName[]): readonly string[] {
  const requested = resources.map(resourceAccessor);
  const firsts = new Map<string, string>();
  for (const [index, { plural }] of resources.entries()) {
    const name = requested[index] ?? '';
    const first = firsts.get(name);
    if (first === undefined || plural < first) firsts.set(name, plural);
  }
  const taken = new Set(requested);
  return resources.map(({ plural }, index) => {
    const name = requested[index] ?? '';
    if (firsts.get(name) === plural) return name;
    const own = suffixed(name, plural, (candidate) => taken.has(candidate));
    taken.add(own);
    return own;
  });
}

/**
 * Returns the names of the descriptor constants in the order of the accessors: the accessors, unless they are
 * reserved words.
 */
export function resourceConstants(accessors: readonly string[]): readonly string[] {
  const taken = new Set(accessors);
  return accessors.map((accessor) => {
    if (!isReservedWord(accessor)) return accessor;
    const name = `${accessor}Resource`;
    return taken.has(name) ? suffixed(name, accessor, (candidate) => taken.has(candidate)) : name;
  });
}

/**
 * Returns the plural in lower camel case along the words of the kind, as far as they have a common prefix. A
 * name that is a member of objects or clients has the suffix `Resource`.
 */
export function resourceAccessor({ kind, plural }: ResourceName): string {
  const lower = kind.toLowerCase();
  let shared = 0;
  while (shared < lower.length && lower.charAt(shared) === plural.charAt(shared)) shared += 1;
  const known = lower.length === kind.length ? lowerAcronym(kind).slice(0, shared) : '';
  const [first = '', ...others] = piecesOf(known + plural.slice(known.length));
  const name = first + others.map(capitalise).join('');
  const safe = /^[A-Za-z_]/.test(name) ? name : `resource${capitalise(name)}`;
  return isReservedMember(safe) ? `${safe}Resource` : safe;
}

/** Returns the first label in camel case: `my-team.example.com` -> `myTeam`. The core group is `core`. */
function shortStem(group: string): string {
  return group === '' ? 'core' : startSafely(camel(group.split('.', 1)[0] ?? ''));
}

/** Returns the whole name in camel case: `networking.istio.io` -> `networkingIstioIo`. */
function wholeStem(group: string): string {
  return group === '' ? 'core' : startSafely(camel(group));
}

function startSafely(stem: string): string {
  return /^[A-Za-z_]/.test(stem) ? stem : `group${capitalise(stem)}`;
}

function freeStem(group: string, taken: ReadonlySet<string>): string {
  const whole = wholeStem(group);
  return taken.has(whole) ? suffixed(whole, group, (stem) => taken.has(stem)) : whole;
}

function count(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
