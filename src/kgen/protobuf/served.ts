/** Which kinds of the table the resources of a model have to do with. */
import type { GroupVersion, Model, Resource, Schema, SubresourceBody } from '../model/ir.ts';
import type { TableKind } from './types.ts';

/** `v1/Pod`, `apps/v1/Deployment`: what tells kinds apart. */
export function kindKey({ apiVersion, kind }: Pick<TableKind, 'apiVersion' | 'kind'>): string {
  return `${apiVersion}/${kind}`;
}

/** Keys of the kinds of built-in resources; those of other API servers are among them, which no table knows. */
export function ownKinds({ groupVersions }: Model): ReadonlySet<string> {
  const keys = groupVersions.flatMap((groupVersion) =>
    ownResources(groupVersion).map(({ kind }) => kindKey({ apiVersion: groupVersion.apiVersion, kind })),
  );
  return new Set(keys);
}

/** The kinds of meta.k8s.io are of no resource, whatever a document says: their codecs are not in the folder of that group. */
function ownResources({ group, resources }: GroupVersion): readonly Resource[] {
  return group === 'meta.k8s.io' ? [] : resources.filter(({ builtIn }) => builtIn);
}

/** Keys of the kinds that requests to built-in resources carry: theirs, their lists', their subresources'. */
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

/** Of a subresource with a kind of its own, as far as the group version of that is served as well. */
function keysOfBody(body: SubresourceBody, own: GroupVersion, model: Model): readonly string[] {
  if (body.is === 'scale') {
    const home = servedVersion(model, scale);
    return home === undefined ? [] : [kindKey({ apiVersion: home.apiVersion, kind: 'Scale' })];
  }
  if (body.is !== 'object') return [];
  return [...keysOfSchema(body.schema, own, model), ...keysOfSchema(body.answer, own, model)];
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
