import { apiVersionOf, packageOf } from '../../common/names.ts';
import { type InputProblem, quote, warning } from '../../common/problems.ts';
import type { JsonObject } from '../../input/crd/crd-input.ts';
import { describe, isObject } from '../../input/json.ts';
import { kindKey, kindsOf } from '../resources/kinds.ts';
import { parsePath } from '../resources/resource-path.ts';
import type { ApiDocument, GroupVersionKind } from '../types.ts';
import { isCopy } from './copies.ts';

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
  const told: string[] = [];
  for (const [name, copies] of differing) {
    const [first] = copies;
    if (first === undefined) continue;
    const owner = owners.get(packageOf(name));
    const chosen = copies.find(({ document }) => owner !== undefined && serves(document, owner)) ?? first;
    const kinds = found.get(name)?.kinds ?? chosen.kinds;
    found.set(name, { ...chosen, kinds });
    if (told.length === 0)
      told.push(
        `${quote(name)} in ${copies
          .map(({ document }) => document.file)
          .slice(0, 3)
          .join(' and ')}`,
      );
  }
  const count = differing.size === 1 ? 'a definition differs' : `${differing.size} definitions differ`;
  const what = `${count} between the documents: ${told.join('')}${differing.size === 1 ? '' : ', for example'}; the one of its own group version, or else the first one, is used: save all documents from one server`;
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
