/**
 * Facts that only definitions contain, in the lock file of the output folder: a run that may not read the
 * definitions of a cluster results in the same files as one that may.
 */
import { isDeepStrictEqual } from 'node:util';
import { type InputProblem, note } from '../common/problems.ts';
import { Checker } from '../input/crd/checker.ts';
import type { CrdDefinition, CrdVersion } from '../input/crd/crd.ts';
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import { readPrinterColumns } from '../input/crd/versions.ts';
import { isList, isObject } from '../input/json.ts';
import type { Model } from '../model/ir.ts';
import { identityConstraints, unpublishedTexts, withUnpublished } from '../model/schema/published-schema.ts';

/**
 * Facts of versions, by the name of the definition and the version: `foos.example.com/v1`. They are
 * `deprecated` with the warning, `printerColumns`, `identity` with the constraints of the schema on it, and
 * `texts` with its examples and external documentation.
 */
export type DefinitionFacts = ReadonlyMap<string, JsonObject>;

/** Definitions with their facts. */
export interface Settled {
  readonly crds: readonly CrdDefinition[];
  /** Facts of each version whose definition was read, by this run or the one that wrote the record. */
  readonly facts: DefinitionFacts;
  readonly problems: readonly InputProblem[];
}

/**
 * Adds the recorded facts to definitions that were rebuilt from OpenAPI documents. A check compares a
 * folder: if its record lacks a version, the folder was generated without the definition, and the facts
 * of the definition are left out.
 */
export function settleFacts(
  crds: readonly CrdDefinition[],
  recorded: DefinitionFacts,
  isCheck: boolean,
): Settled {
  const facts = new Map<string, JsonObject>();
  const kept = new Set<string>();
  const left = new Set<string>();
  const settled = ({ name, isRebuilt }: CrdDefinition, version: CrdVersion): CrdVersion => {
    const key = factsKey(name, version.name);
    const before = recorded.get(key);
    const own = factsOfVersion(version);
    if (isRebuilt === undefined && (!isCheck || before !== undefined)) {
      facts.set(key, own);
      return version;
    }
    if (before !== undefined) facts.set(key, before);
    if (isDeepStrictEqual(own, before ?? {})) return version;
    (isRebuilt === undefined ? left : kept).add(name);
    return withFacts(version, before ?? {});
  };
  const all = crds.map((crd) => ({ ...crd, versions: crd.versions.map((version) => settled(crd, version)) }));
  return { crds: all, facts, problems: [...notes(keptText, kept), ...notes(leftText, left)] };
}

/** Returns the facts of the versions in a model. */
export function factsOf({ groupVersions }: Model, facts: DefinitionFacts): DefinitionFacts {
  const keys = new Set(
    groupVersions.flatMap(({ crds, version }) => crds.map((crd) => factsKey(crd, version))),
  );
  return new Map([...facts].filter(([key]) => keys.has(key)));
}

function factsKey(definition: string, version: string): string {
  return `${definition}/${version}`;
}

function factsOfVersion(version: CrdVersion): JsonObject {
  const { deprecated, deprecationWarning, printerColumns, schema = {} } = version;
  const identity = identityConstraints(schema);
  const texts = unpublishedTexts(schema);
  return {
    ...(deprecated && { deprecated: deprecationWarning ?? '' }),
    ...(printerColumns.length > 0 && { printerColumns: printerColumns.map((column) => ({ ...column })) }),
    ...(Object.keys(identity).length > 0 && { identity: withoutBigInts(identity) }),
    ...(Object.keys(texts).length > 0 && { texts: withoutBigInts(texts) }),
  };
}

/** Returns the version with these facts in place of its own. Invalid facts are dropped. */
function withFacts(version: CrdVersion, facts: JsonObject): CrdVersion {
  const { deprecationWarning: _warning, schema, ...rest } = version;
  const { deprecated, printerColumns = [], identity, texts } = facts;
  return {
    ...rest,
    ...(schema !== undefined && { schema: withUnpublished(schema, objectsIn(identity), objectsIn(texts)) }),
    deprecated: typeof deprecated === 'string',
    ...(typeof deprecated === 'string' && deprecated !== '' && { deprecationWarning: deprecated }),
    printerColumns: readPrinterColumns(new Checker(), { path: [], value: printerColumns }),
  };
}

function objectsIn(record: JsonValue | undefined): Readonly<Record<string, JsonObject>> {
  const entries = Object.entries(isObject(record) ? record : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonObject] => isObject(entry[1])));
}

/** JSON of the record has no integers beyond 2^53. */
function withoutBigInts(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number(value);
  if (isList(value)) return value.map(withoutBigInts);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutBigInts(member)]));
}

const keptText =
  'deprecation, printer columns, examples and constraints of metadata are those of the last run, because these definitions cannot be read:';
const leftText =
  'the folder was generated without these definitions, and a run adds their deprecation, printer columns, examples and constraints of metadata:';

function notes(text: string, names: ReadonlySet<string>): readonly InputProblem[] {
  return names.size === 0 ? [] : [note(`${text} ${[...names].sort().join(', ')}`)];
}
