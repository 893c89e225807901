import type { CrdDefinition, CrdVersion } from '../input/crd.ts';
import { byText } from '../words.ts';
import { resourceAccessors, resourceConstants } from './accessors.ts';
import type { GroupVersion } from './ir.ts';
import { type KindShape, type KindSource, readKind } from './kind.ts';
import { typesOfKind } from './kind-types.ts';
import { resourceOf } from './resource.ts';
import { distinctSources } from './sources.ts';
import { exportedNames, type NamedParts } from './type-names.ts';
import type { Finding } from './walker.ts';
import { kindTypeName } from './words.ts';

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

/** Hears of what is wrong with the schema of `served`. */
export type Tell = (served: Served, finding: Finding) => void;

/** Builds one group version. Its result does not depend on the order of its members. */
export function groupVersionOf(plan: GroupVersionPlan, accessor: string, tell: Tell): GroupVersion {
  const { group, version } = plan;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const members = [...plan.members].sort((a, b) => byText(a.crd.names.plural, b.crd.names.plural));
  const shapes = members.map((served) =>
    readKind(sourceOf(served, apiVersion), (finding) => tell(served, finding)),
  );
  const names = exportedNames(accessor, partsOf(members, shapes));
  const parts = members.flatMap((served, index) => {
    const [shape, own] = [shapes[index], names.kinds[index]];
    if (shape === undefined || own === undefined) return [];
    const { crd } = served;
    return [
      {
        resource: resourceOf(crd, served.version, own.names),
        types: typesOfKind({ ...crd.names, apiVersion }, shape, own),
      },
    ];
  });
  return {
    group,
    version,
    apiVersion,
    accessor,
    names: names.own,
    resources: parts.map(({ resource }) => resource),
    types: parts.flatMap(({ types }) => types).sort((a, b) => byText(a.name, b.name)),
    sources: distinctSources(members.map(({ crd }) => crd.input.source)),
  };
}

function sourceOf({ crd, version }: Served, apiVersion: string): KindSource {
  const { kind } = crd.names;
  const source = {
    kind,
    apiVersion,
    scope: crd.scope,
    typeName: kindTypeName(kind),
    ownStatus: version.subresources.status,
  };
  return version.schema === undefined ? source : { ...source, schema: version.schema };
}

/** In the order of the members. */
function partsOf(members: readonly Served[], shapes: readonly KindShape[]): readonly NamedParts[] {
  const accessors = resourceAccessors(members.map(({ crd }) => crd.names));
  const constants = resourceConstants(accessors);
  return members.map(({ crd }, index) => ({
    kind: crd.names.kind,
    listKind: crd.names.listKind,
    accessor: accessors[index] ?? '',
    constant: constants[index] ?? '',
    spots: shapes[index]?.classes.flatMap(({ spots }) => spots) ?? [],
  }));
}
