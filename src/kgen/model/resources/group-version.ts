import { apiVersionOf } from '../../common/names.ts';
import { byText } from '../../common/words.ts';
import type { GroupVersion, NamedType, Resource } from '../ir.ts';
import type { NamedGroupVersion } from '../names/group-version-names.ts';
import { nestedNames } from '../names/type-names.ts';
import type { Served } from '../plans.ts';
import { namedTypes, spotsOf } from '../schema/named-types.ts';
import { distinctSources } from '../sources.ts';
import type { Finding, References } from '../walk/walker.ts';
import { apiResourceOf } from './api-resource.ts';
import { apiDrafts } from './api-types.ts';
import { crdDrafts } from './crd-types.ts';
import type { Definitions } from './definitions.ts';
import { resourceOf } from './resource.ts';

/** Context that the group versions of a model share. */
export interface ModelContext {
  readonly definitions: Definitions;
  /** Groups that accept strategic merge patches. */
  readonly builtInGroups: ReadonlySet<string>;
  /** Called with problems in the schema of a CRD version. */
  readonly tellOfCrd: (served: Served, finding: Finding) => void;
  /** Called with problems in the schema of a definition, by its full name. */
  readonly tellOfDefinition: (name: string, finding: Finding) => void;
}

/** Builds one group version. The result does not depend on the order of the plan's members. */
export function groupVersionOf(
  named: NamedGroupVersion,
  references: References,
  context: ModelContext,
): GroupVersion {
  const { group, version, members, runtimeTypes, sources } = named.plan;
  const apiVersion = apiVersionOf({ group, version });
  const drafts = [...crdDrafts(named, apiVersion, context), ...apiDrafts(named, references, context)];
  const nested = nestedNames(drafts.flatMap(spotsOf), named.taken);
  const types = drafts.flatMap((draft) => namedTypes(draft, nested)).sort((a, b) => byText(a.name, b.name));
  return {
    group,
    version,
    apiVersion,
    accessor: named.accessor,
    names: named.own,
    resources: resourcesOf(named, types, references, context),
    types,
    runtimeTypes,
    sources: distinctSources([...members.map(({ crd }) => crd.input.source), ...sources]),
    ...(members.length === 0 && kubernetesVersionOf(context.definitions)),
  };
}

/** The version is untrusted input, and becomes part of a comment. */
function kubernetesVersionOf({
  kubernetesVersion,
}: Definitions): Pick<GroupVersion, 'kubernetesVersion'> | undefined {
  const isMinor = kubernetesVersion !== undefined && /^\d+\.\d+$/.test(kubernetesVersion);
  return isMinor ? { kubernetesVersion } : undefined;
}

function resourcesOf(
  named: NamedGroupVersion,
  types: readonly NamedType[],
  references: References,
  context: ModelContext,
): readonly Resource[] {
  const byName = new Map(types.map((type) => [type.name, type]));
  return named.resources.map((planned) => {
    const { names } = planned;
    if (planned.from === 'crd') return resourceOf(planned.served.crd, planned.served.version, names);
    const deprecated = byName.get(names.type)?.facts.deprecated;
    const made = apiResourceOf(planned.resource, names, { named, references, ...context });
    return deprecated === undefined ? made : { ...made, deprecated };
  });
}
