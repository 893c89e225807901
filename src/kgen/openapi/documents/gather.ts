/** Definitions as written, of which v3 documents repeat the shared ones. */
import { apiVersionOf, packageOf } from '../../common/names.ts';
import { type InputProblem, quote, warning } from '../../common/problems.ts';
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { describe, isList, isObject } from '../../input/json.ts';
import { kindKey, kindsOf } from '../resources/kinds.ts';
import { parsePath } from '../resources/resource-path.ts';
import type { ApiDocument, GroupVersionKind } from '../types.ts';
import { maxLevels } from './dialect.ts';

/** Extension of a whole definition that differs between its copies. */
const claims = 'x-kubernetes-group-version-kind';

/** A definition as written in a document. */
export interface RawDefinition {
  readonly name: string;
  readonly schema: JsonObject;
  readonly document: ApiDocument;
  /** Kinds of all copies, without duplicates. */
  readonly kinds: readonly GroupVersionKind[];
}

/**
 * Collects the definitions of all documents, without duplicates. If copies differ, the copy in the document
 * of the definition's own group version is used, otherwise the first one in the order of the documents. One
 * warning reports the difference.
 */
export function gather(
  documents: readonly ApiDocument[],
  problems: InputProblem[],
): ReadonlyMap<string, RawDefinition> {
  const found = new Map<string, RawDefinition>();
  const differing = new Map<string, RawDefinition[]>();
  for (const document of documents) {
    for (const copy of rawDefinitions(document, problems)) {
      const known = found.get(copy.name);
      if (known === undefined) found.set(copy.name, copy);
      else {
        if (copy.kinds.length > 0) found.set(copy.name, { ...known, kinds: joined(known.kinds, copy.kinds) });
        if (isCopy(known.schema, copy.schema)) continue;
        const others = differing.get(copy.name);
        if (others === undefined) differing.set(copy.name, [known, copy]);
        else others.push(copy);
      }
    }
  }
  if (differing.size > 0) settle(found, differing, problems);
  return found;
}

function rawDefinitions(document: ApiDocument, problems: InputProblem[]): readonly RawDefinition[] {
  const holder = document.dialect === 2 ? document.value : document.value['components'];
  const all = isObject(holder) ? holder[document.dialect === 2 ? 'definitions' : 'schemas'] : undefined;
  if (!isObject(all)) return [];
  return Object.keys(all).map((name) => {
    const schema = all[name];
    if (isObject(schema)) return { name, schema, document, kinds: kindsOf(schema) };
    const what = `the definition ${quote(name)} is ${describe(schema)} and is typed as unknown: make it an object`;
    problems.push(warning(what, { file: document.file }));
    return { name, schema: {}, document, kinds: [] };
  });
}

function joined(a: readonly GroupVersionKind[], b: readonly GroupVersionKind[]): readonly GroupVersionKind[] {
  const known = new Set(a.map(kindKey));
  const others = b.filter((kind) => !known.has(kindKey(kind)));
  return others.length === 0 ? a : [...a, ...others];
}

function settle(
  found: Map<string, RawDefinition>,
  differing: ReadonlyMap<string, readonly RawDefinition[]>,
  problems: InputProblem[],
): void {
  const owners = packageOwners(found.values());
  const examples: string[] = [];
  for (const [name, copies] of differing) {
    const [first] = copies;
    if (first === undefined) continue;
    const owner = owners.get(packageOf(name));
    const chosen = copies.find(({ document }) => owner !== undefined && serves(document, owner)) ?? first;
    const kinds = found.get(name)?.kinds ?? chosen.kinds;
    found.set(name, { ...chosen, kinds });
    if (examples.length === 0)
      examples.push(
        `${quote(name)} in ${copies
          .map(({ document }) => document.file)
          .slice(0, 3)
          .join(' and ')}`,
      );
  }
  const count = differing.size === 1 ? 'a definition differs' : `${differing.size} definitions differ`;
  const what = `${count} between the documents: ${examples.join('')}${differing.size === 1 ? '' : ', for example'}; the one of its own group version, or else the first one, is used: save all documents from one server`;
  problems.push(warning(what));
}

/** Returns, for each package, the group version that most of its kinds have. */
function packageOwners(definitions: Iterable<RawDefinition>): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { name, kinds } of definitions) {
    const [kind, ...others] = kinds;
    if (kind === undefined || others.length > 0) continue;
    const count = counts.get(packageOf(name)) ?? new Map<string, number>();
    counts.set(packageOf(name), count);
    const owner = apiVersionOf(kind);
    count.set(owner, (count.get(owner) ?? 0) + 1);
  }
  const most = (count: ReadonlyMap<string, number>): string =>
    [...count].reduce((best, entry) => (entry[1] > best[1] ? entry : best), ['', 0] as const)[0];
  return new Map([...counts].map(([name, count]) => [name, most(count)]));
}

function serves(document: ApiDocument, groupVersion: string): boolean {
  const paths = document.value['paths'];
  return (
    isObject(paths) &&
    Object.keys(paths).some((text) => {
      const path = parsePath(text);
      return path !== undefined && apiVersionOf(path) === groupVersion;
    })
  );
}

/**
 * Returns whether two copies of a definition are equal, apart from the kinds that they are for: each document
 * lists its own kinds for `DeleteOptions`. Takes time linear in the smaller copy. Values that are nested too
 * deeply count as different.
 */
function isCopy(a: JsonObject, b: JsonObject): boolean {
  return haveEqual(a, b, claims, 0);
}

/**
 * Compares the members of two objects, except one key. Called for millions of nodes, so it allocates nothing.
 */
function haveEqual(a: JsonObject, b: JsonObject, except: string | undefined, level: number): boolean {
  let count = 0;
  for (const key in a) {
    if (key === except) continue;
    count += 1;
    if (!Object.hasOwn(b, key) || !isEqual(a[key], b[key], level)) return false;
  }
  for (const key in b) if (key !== except) count -= 1;
  return count === 0;
}

function isEqual(a: JsonValue | undefined, b: JsonValue | undefined, level: number): boolean {
  if (a === b) return true;
  if (level > 2 * maxLevels) return false;
  if (isList(a)) {
    return isList(b) && a.length === b.length && a.every((item, at) => isEqual(item, b[at], level + 1));
  }
  return isObject(a) && isObject(b) && haveEqual(a, b, undefined, level + 1);
}
