/** Table of the exports and members that have moved or were renamed. */
import { createRequire } from 'node:module';

/** One row of `renames.json`. */
export interface Rename {
  /** Entry point that exported the name, such as `@kgen/runtime`. */
  readonly package: string;
  /** Former name: an export, or a member such as `AddInfo.initial`. */
  readonly from: string;
  /** Present name; `from` if it has only moved. */
  readonly to: string;
  /** Entry point that exports the name now. Default: `package`. */
  readonly toPackage?: string;
  /** Release with the change. */
  readonly since: string;
}

/** Present place of an export. */
export interface Destination {
  readonly entry: string;
  readonly name: string;
}

/** A member that was renamed. */
export interface MemberRename {
  /** Present name of the type. */
  readonly type: string;
  readonly from: string;
  readonly to: string;
}

/** Renames by their former names. */
export interface RenameTable {
  readonly members: readonly MemberRename[];
  /** Returns whether names of an entry point have changed. */
  hasEntry(entry: string): boolean;
  /** Returns the present place of an export; `undefined` if it has not changed. */
  destinationOf(entry: string, name: string): Destination | undefined;
}

/** Returns the rows of the table of this package. */
export function installedRenames(): readonly Rename[] {
  // seam: a file of the package; the path is the same from sources and from `dist`
  return createRequire(import.meta.url)('kgen/renames.json') as readonly Rename[];
}

/** Returns a table of rows. */
export function renameTable(rows: readonly Rename[]): RenameTable {
  const exported = new Map<string, Destination>();
  const members: MemberRename[] = [];
  for (const row of rows) {
    const [type = '', from] = row.from.split('.');
    const [, to] = row.to.split('.');
    if (from !== undefined && to !== undefined) members.push({ type, from, to });
    else exported.set(keyOf(row.package, row.from), { entry: row.toPackage ?? row.package, name: row.to });
  }
  const entries = new Set([...exported.keys()].map((key) => key.slice(0, key.indexOf(' '))));
  return {
    members,
    hasEntry: (entry) => entries.has(entry),
    destinationOf: (entry, name) => lastOf(exported, { entry, name }),
  };
}

const keyOf = (entry: string, name: string): string => `${entry} ${name}`;

/** Returns the end of a chain of renames. */
function lastOf(exported: ReadonlyMap<string, Destination>, start: Destination): Destination | undefined {
  let found: Destination | undefined;
  const seen = new Set<string>();
  for (let key = keyOf(start.entry, start.name); !seen.has(key); ) {
    seen.add(key);
    found = exported.get(key) ?? found;
    key = found === undefined ? key : keyOf(found.entry, found.name);
  }
  return found;
}
