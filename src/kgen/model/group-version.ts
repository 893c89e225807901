import type { CrdDefinition, CrdVersion } from '../input/crd.ts';
import { resourceAccessors, resourceConstants } from './accessors.ts';
import type { GroupVersion, Source } from './ir.ts';
import { type KindShape, type KindSource, readKind } from './kind.ts';
import { typesOfKind } from './kind-types.ts';
import { resourceOf } from './resource.ts';
import type { Spot } from './spot.ts';
import { type NamedParts, typeNamesOf } from './type-names.ts';
import { byText, kindTypeName } from './words.ts';

/** One served version of one CRD. */
export interface Served {
  readonly crd: CrdDefinition;
  readonly version: CrdVersion;
}

/** A group version before it is built. */
export interface GroupVersionPlan {
  readonly group: string;
  readonly version: string;
  /** In any order. */
  readonly members: readonly Served[];
}

/** Hears of what is wrong with the schema of `served` at `spot`. */
export type WarnAt = (served: Served, spot: Spot, what: string) => void;

/** Builds one group version. Its result does not depend on the order of its members. */
export function groupVersionOf(plan: GroupVersionPlan, accessor: string, warn: WarnAt): GroupVersion {
  const { group, version } = plan;
  const members = [...plan.members].sort((a, b) => byText(a.crd.names.plural, b.crd.names.plural));
  const shapes = members.map((served) =>
    readKind(sourceOf(served), (spot, what) => warn(served, spot, what)),
  );
  const typeNames = typeNamesOf(members.map((served, index) => partsOf(served, shapes[index])));
  const accessors = resourceAccessors(members.map(({ crd }) => crd.names));
  const constants = resourceConstants(accessors);
  const built = members.map((served, index) => {
    const [shape, names] = [shapes[index], typeNames[index]];
    if (shape === undefined || names === undefined) return undefined;
    const own = { accessor: accessors[index] ?? '', constant: constants[index] ?? '', ...names.names };
    const identity = { ...served.crd.names, apiVersion: apiVersionOf(served) };
    return {
      resource: resourceOf(served.crd, served.version, own),
      types: typesOfKind(identity, shape, names),
    };
  });
  const parts = built.filter((part) => part !== undefined);
  return {
    group,
    version,
    accessor,
    resources: parts.map(({ resource }) => resource),
    types: parts.flatMap(({ types }) => types).sort((a, b) => byText(a.name, b.name)),
    sources: sourcesOf(members),
  };
}

function sourceOf(served: Served): KindSource {
  const { crd, version } = served;
  const { kind } = crd.names;
  const source = { kind, apiVersion: apiVersionOf(served), scope: crd.scope, typeName: kindTypeName(kind) };
  return version.schema === undefined ? source : { ...source, schema: version.schema };
}

function apiVersionOf({ crd, version }: Served): string {
  return crd.group === '' ? version.name : `${crd.group}/${version.name}`;
}

function partsOf({ crd }: Served, shape: KindShape | undefined): NamedParts {
  return {
    kind: crd.names.kind,
    listKind: crd.names.listKind,
    spots: shape?.classes.flatMap(({ spots }) => spots) ?? [],
  };
}

function sourcesOf(members: readonly Served[]): readonly Source[] {
  const byName = new Map(
    members.map(({ crd: { input } }) => [`${input.source.name}\n${input.source.hash}`, input.source]),
  );
  return [...byName.values()].sort((a, b) => byText(a.name, b.name) || byText(a.hash, b.hash));
}
