/** Group versions of packages of definitions, which decide the module of each type. */
import { isGroup, isLabel, packageOf } from '../../common/names.ts';
import { byText } from '../../common/words.ts';
import type { ApiDefinition } from '../../openapi/types.ts';
import type { GroupVersionName } from '../ir.ts';
import { pathSuffix } from '../schema/schema-path.ts';
import { isShared } from './full-names.ts';
import { knownGroupVersion } from './known-groups.ts';

/** Returns a unique string for a group version. */
export function groupVersionKey({ group, version }: GroupVersionName): string {
  return `${group}/${version}`;
}

/** Group version of the types that all groups share. */
export const sharedHome: GroupVersionName = { group: 'meta', version: 'v1' };

/**
 * Returns the group version that the types of each package belong to, by package: the one of most of its
 * kinds (for ties, the first by name). If only some documents of a server are read, a package may have no
 * kinds. Then Kubernetes' own packages are known by name, and any other is a version of the group
 * `definitions`.
 */
export function homesOf(definitions: Iterable<ApiDefinition>): ReadonlyMap<string, GroupVersionName> {
  const votes = new Map<string, Map<string, Vote>>();
  for (const { name, kinds } of definitions) {
    const ballot = votes.get(packageOf(name)) ?? new Map<string, Vote>();
    votes.set(packageOf(name), ballot);
    const [kind, ...more] = kinds;
    if (kind === undefined || more.length > 0 || !isSound(kind)) continue;
    const key = groupVersionKey(kind);
    ballot.set(key, { key, home: kind, count: (ballot.get(key)?.count ?? 0) + 1 });
  }
  return new Map([...votes].map(([name, ballot]) => [name, homeOf(name, [...ballot.values()])]));
}

interface Vote {
  readonly key: string;
  readonly home: GroupVersionName;
  readonly count: number;
}

function homeOf(packageName: string, votes: readonly Vote[]): GroupVersionName {
  if (isShared(`${packageName}.`)) return sharedHome;
  const [first] = [...votes].sort((a, b) => b.count - a.count || byText(a.key, b.key));
  if (first === undefined) {
    return knownGroupVersion(packageName) ?? { group: 'definitions', version: safeVersion(packageName) };
  }
  return { group: first.home.group, version: first.home.version };
}

/** Groups and versions become folders, and documents are untrusted. */
function isSound({ group, version }: GroupVersionName): boolean {
  return isGroup(group) && isLabel(version);
}

/**
 * Returns a package's name in the form of a version. If that replaces more than dots, digits make it unique.
 * Definitions without dots in their names have no package.
 */
function safeVersion(packageName: string): string {
  if (packageName === '') return 'unnamed';
  const plain = packageName.replaceAll('.', '-');
  if (isLabel(plain)) return plain;
  const letters = plain
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|(?<!-)-+$/g, '');
  return `${(letters || 'package').slice(0, 50)}-${pathSuffix(packageName).slice(1)}`.replace(/-+/g, '-');
}
