/** CRDs of equal names in several documents. */
import { equal, type Json } from '@kgen/schema/values/json';
import {
  type Checked,
  error,
  formatPlace,
  type InputProblem,
  type SourcePlace,
  warning,
} from '../../common/problems.ts';
import { byText } from '../../common/words.ts';
import type { CrdDefinition, CrdVersion } from './crd.ts';
import type { CrdInput, JsonPath } from './crd-input.ts';

/**
 * Keeps each CRD once, with the versions of all its documents. A version may occur in several documents if
 * it is equal in them; otherwise it is dropped. If the documents differ in other parts than their versions,
 * or if two CRDs of a group claim the same kind, neither is kept. The result does not depend on the order of
 * the arguments: of equal copies, the one whose file comes first by name is kept.
 */
export function settleClashes(definitions: readonly CrdDefinition[]): Checked<readonly CrdDefinition[]> {
  const problems: InputProblem[] = [];
  const rejected = new Set<CrdDefinition>();
  const unique = mergeDocuments([...definitions].sort(byFile), problems);
  for (const members of groupBy(unique, (definition) => definition.group).values()) {
    for (const [a, b] of kindClashes(members)) {
      rejected.add(a.definition).add(b.definition);
      problems.push(clash(a, b));
    }
    for (const problem of shortNameClashes(members.filter((member) => !rejected.has(member))))
      problems.push(problem);
  }
  return { value: unique.filter((definition) => !rejected.has(definition)), problems };
}

/** Keeps definitions of one file in their order. */
function byFile(a: CrdDefinition, b: CrdDefinition): number {
  return byText(a.input.file, b.input.file);
}

function mergeDocuments(
  definitions: readonly CrdDefinition[],
  problems: InputProblem[],
): readonly CrdDefinition[] {
  return [...groupBy(definitions, (definition) => definition.name).values()].flatMap((documents) => {
    const [first, ...others] = documents;
    if (first === undefined || others.length === 0) return documents;
    const different = others.filter((other) => !equal(identity(first), identity(other)));
    for (const other of different) {
      const there = formatPlace(first.input.position(namePath));
      const what = `CRD ${first.name} is also defined at ${there} and differs from it: remove one of the two`;
      problems.push(error(what, other.input.position(namePath)));
    }
    if (different.length > 0) return [];
    const versions = mergeVersions(documents, problems);
    return versions.length === 0 ? [] : [{ ...first, versions }];
  });
}

const namePath: JsonPath = ['metadata', 'name'];

/** Returns the content of a CRD without its versions and its origin. */
function identity({ name, group, names, scope }: CrdDefinition): Json {
  return { name, group, names: { ...names }, scope };
}

/** Returns the versions of all documents of a CRD, without those that differ between documents. */
function mergeVersions(documents: readonly CrdDefinition[], problems: InputProblem[]): readonly CrdVersion[] {
  const all = documents.flatMap(({ versions, input }) => versions.map((version) => ({ ...version, input })));
  return [...groupBy(all, ({ name }) => name).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const different = others.filter((other) => !equal(content(first), content(other)));
    for (const other of different) {
      const there = formatPlace(versionPlace(first));
      const what = `version ${first.name} of CRD ${documents[0]?.name} is also defined at ${there} and differs from it: remove one of the two`;
      problems.push(error(what, versionPlace(other)));
    }
    return different.length === 0 ? [first] : [];
  });
}

/**
 * Returns the content of a version without its origin. The stored version is that of the newer document, and
 * determines no output.
 */
function content(version: CrdVersion): Json {
  const { storage: _storage, schemaPath: _path, input: _input, ...rest } = version;
  const printerColumns = rest.printerColumns.map((column) => ({ ...column }));
  const { status, scale } = rest.subresources;
  return {
    ...rest,
    printerColumns,
    subresources: { status, ...(scale !== undefined && { scale: { ...scale } }) },
  };
}

function versionPlace({ input, schemaPath }: CrdVersion & { readonly input: CrdInput }): SourcePlace {
  const [spec = 'spec', list, index] = schemaPath;
  return input.position(list === 'versions' && index !== undefined ? [spec, list, index] : [spec]);
}

/** A name that a CRD claims. */
interface Claim {
  readonly definition: CrdDefinition;
  readonly field: 'kind' | 'listKind' | 'plural' | 'singular' | 'shortNames';
  readonly name: string;
}

type Pair = readonly [first: Claim, second: Claim];

/** Kinds and list kinds share one namespace within a group. */
function kindClashes(members: readonly CrdDefinition[]): readonly Pair[] {
  return overlaps(
    members.flatMap((definition): Claim[] => [
      { definition, field: 'kind', name: definition.names.kind },
      { definition, field: 'listKind', name: definition.names.listKind },
    ]),
  );
}

/** Plurals, singulars and short names share one namespace. A clash affects kubectl, but not the types. */
function shortNameClashes(members: readonly CrdDefinition[]): readonly InputProblem[] {
  const claims = members.flatMap((definition): Claim[] => [
    { definition, field: 'plural', name: definition.names.plural },
    { definition, field: 'singular', name: definition.names.singular },
    ...definition.names.shortNames.map((name): Claim => ({ definition, field: 'shortNames', name })),
  ]);
  return overlaps(claims).map(([a, b]) =>
    warning(
      `${b.field} ${b.name} of ${b.definition.name} is also ${a.field} of ${a.definition.name} (${formatPlace(placeOf(a))}), and the API server accepts only one of the two: rename one`,
      placeOf(b),
    ),
  );
}

/** Returns pairs of CRDs that claim the same name, at most one pair for each two CRDs. */
function overlaps(claims: readonly Claim[]): readonly Pair[] {
  const pairs = new Map<string, Pair>();
  for (const rivals of groupBy(claims, (claim) => claim.name).values()) {
    const [first, ...others] = rivals;
    for (const other of others) {
      if (first === undefined || other.definition === first.definition) continue;
      const key = `${first.definition.name} ${other.definition.name}`;
      if (!pairs.has(key)) pairs.set(key, [first, other]);
    }
  }
  return [...pairs.values()];
}

function clash(a: Claim, b: Claim): InputProblem {
  const there = `${a.field} of ${a.definition.name} at ${formatPlace(placeOf(a))}`;
  const what = `${b.field} ${b.name} of ${b.definition.name} is also ${there}: rename one of them, or give kgen only one`;
  return error(what, placeOf(b));
}

function placeOf(claim: Claim): SourcePlace {
  return claim.definition.input.position(['spec', 'names', claim.field]);
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
