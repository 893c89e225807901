/** Kinds of the table that the resources of a model use. */
import type { GroupVersion, Model, Resource, Schema, SubresourceBody } from '../model/ir.ts';
import type { TableKind } from './types.ts';

/** Returns the key of a kind: `v1/Pod`, `apps/v1/Deployment`. */
export function kindKey({ apiVersion, kind }: Pick<TableKind, 'apiVersion' | 'kind'>): string {
  return `${apiVersion}/${kind}`;
}

/**
 * Returns the keys of the kinds of built-in resources. Kinds of aggregated API servers are included, although
 * no table contains them.
 */
export function ownKinds({ groupVersions }: Model): ReadonlySet<string> {
  const keys = groupVersions.flatMap((groupVersion) =>
    ownResources(groupVersion).map(({ kind }) => kindKey({ apiVersion: groupVersion.apiVersion, kind })),
  );
  return new Set(keys);
}

/**
 * Kinds of meta.k8s.io belong to no resource, even if a document lists one: their codecs are not in the
 * folder of that group.
 */
function ownResources({ group, resources }: GroupVersion): readonly Resource[] {
  return group === 'meta.k8s.io' ? [] : resources.filter(({ builtIn }) => builtIn);
}

/**
 * Returns the keys of the kinds in requests to built-in resources: their own, those of their lists and of
 * their subresources.
 */
export function servedKinds(model: Model): ReadonlySet<string> {
  const keys = model.groupVersions.flatMap((groupVersion) =>
    ownResources(groupVersion).flatMap((resource) => keysOf(groupVersion, resource, model)),
  );
  return new Set(keys);
}

function keysOf(
  groupVersion: GroupVersion,
  { kind, listKind, subresources }: Resource,
  model: Model,
): readonly string[] {
  const { apiVersion } = groupVersion;
  return [
    kindKey({ apiVersion, kind }),
    kindKey({ apiVersion, kind: listKind }),
    ...subresources.flatMap(({ body }) => keysOfBody(body, groupVersion, model)),
  ];
}

/** Returns the keys of a subresource with a kind of its own, if the group version of that kind is served. */
function keysOfBody(body: SubresourceBody, own: GroupVersion, model: Model): readonly string[] {
  if (body.is === 'scale') {
    const home = servedVersion(model, scale);
    return home === undefined ? [] : [kindKey({ apiVersion: home.apiVersion, kind: 'Scale' })];
  }
  if (body.is !== 'object') return [];
  return [...keysOfSchema(body.schema, own, model), ...keysOfSchema(body.response, own, model)];
}

const scale = { group: 'autoscaling', version: 'v1' };

function servedVersion(
  { groupVersions }: Model,
  { group, version }: Pick<GroupVersion, 'group' | 'version'>,
): GroupVersion | undefined {
  const found = groupVersions.find((each) => each.group === group && each.version === version);
  return found === undefined || found.resources.length === 0 ? undefined : found;
}

function keysOfSchema(schema: Schema | undefined, own: GroupVersion, model: Model): readonly string[] {
  if (schema?.shape !== 'ref') return [];
  const home = servedVersion(model, schema.from ?? own);
  const type = home?.types.find(({ name }) => name === schema.name);
  const kind = type?.properties.find(({ name }) => name === 'kind')?.schema;
  if (home === undefined || kind?.shape !== 'constant') return [];
  return [kindKey({ apiVersion: home.apiVersion, kind: kind.value })];
}
