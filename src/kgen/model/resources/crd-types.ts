import type { ResourceNames } from '../ir.ts';
import { kindTypeName } from '../names/casing.ts';
import type { NamedGroupVersion } from '../names/group-version-names.ts';
import type { Served } from '../plans.ts';
import type { TypeDraft } from '../schema/named-types.ts';
import type { ModelContext } from './group-version.ts';
import { type KindSource, readKind, readList } from './kind.ts';

/** Returns the types of all kinds of a group version that CRDs define, and of their lists. */
export function crdDrafts(
  { resources }: NamedGroupVersion,
  apiVersion: string,
  { tellOfCrd }: Pick<ModelContext, 'tellOfCrd'>,
): readonly TypeDraft[] {
  return resources.flatMap((planned) => {
    if (planned.from !== 'crd') return [];
    const { served, names } = planned;
    const shape = readKind(sourceOf(served, apiVersion), { tell: (finding) => tellOfCrd(served, finding) });
    const { kind } = served.crd.names;
    return [{ name: names.type, role: 'kind', path: kind, shape }, listDraft(served, apiVersion, names)];
  });
}

function sourceOf({ crd, version }: Served, apiVersion: string): KindSource {
  const { kind } = crd.names;
  const source = {
    path: kind,
    kind,
    apiVersion,
    scope: crd.scope,
    typeName: kindTypeName(kind),
    ownStatus: version.subresources.status,
  };
  return version.schema === undefined ? source : { ...source, schema: version.schema };
}

function listDraft({ crd }: Served, apiVersion: string, names: ResourceNames): TypeDraft {
  const { listKind } = crd.names;
  const source = { path: listKind, listKind, apiVersion, itemName: names.type, typeName: names.list };
  return { name: names.list, role: 'list', path: listKind, shape: readList(source, { tell: () => {} }) };
}
