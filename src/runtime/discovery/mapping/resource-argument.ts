/** Names of resources as users type them, such as `deploy` or `deployments.v1.apps`. */
import { describeGroup, groupName } from '../../api/group-version.ts';
import type { KindQuery, ResourceQuery } from '../types.ts';

/**
 * Returns a query with the name of its group in the API. Validates it, so that a member that was omitted by
 * mistake in plain JavaScript is reported.
 * @throws {TypeError} it does not name a kind of a group
 */
export function kindQueryOf(query: KindQuery): KindQuery {
  const { group, kind, version }: Partial<KindQuery> = query ?? {};
  if (typeof kind !== 'string' || kind === '' || !isTextOrAbsent(version)) {
    throw new TypeError('a kind must be { group, kind }, such as { group: "apps", kind: "Deployment" }');
  }
  if (typeof group !== 'string') {
    throw new TypeError(`the group of the kind ${kind} is missing; the core group is '' or core`);
  }
  return { ...query, group: groupName(group) };
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

/**
 * Returns the interpretations of a resource name, the most likely first.
 * @throws {TypeError} it is not a resource name
 */
export function queriesOf(resource: string | ResourceQuery): readonly [ResourceQuery, ...ResourceQuery[]] {
  if (typeof resource === 'string') return parseResourceArgument(resource);
  const { resource: name, group, version }: Partial<ResourceQuery> = resource ?? {};
  if (typeof name === 'string' && isTextOrAbsent(group) && isTextOrAbsent(version)) {
    return [group === undefined ? resource : { ...resource, group: groupName(group) }];
  }
  throw new TypeError(
    'a resource must be a string such as deployments.apps, or { resource, group, version }',
  );
}

/**
 * Returns the interpretations of `deployments`, `deployments.apps` or `deployments.v1.apps`, the most likely
 * first: the rest after the first dot is a version and a group, or a group. `core` is the core group.
 * @throws {TypeError} it is not a resource name
 */
export function parseResourceArgument(text: string): readonly [ResourceQuery, ...ResourceQuery[]] {
  const [resource = '', ...rest] = text.split('.');
  if (resource === '' || /[\s/]/.test(text)) {
    const shown = JSON.stringify(text);
    throw new TypeError(
      `not a resource: ${shown}; write pods, deployments.apps or deployments.v1.apps, for example`,
    );
  }
  if (rest.length === 0) return [{ resource }];
  const group = { resource, group: groupName(rest.join('.')) };
  const [version = '', ...ofGroup] = rest;
  return ofGroup.length === 0 || version === ''
    ? [group]
    : [{ resource, version, group: groupName(ofGroup.join('.')) }, group];
}

/** Returns the description of a query for messages. */
export function describeResource({ resource, group, version }: ResourceQuery): string {
  const of = [
    ...(group === undefined ? [] : [describeGroup(group)]),
    ...(version === undefined ? [] : [`version ${JSON.stringify(version)}`]),
  ];
  const name = `resource ${JSON.stringify(resource)}`;
  return of.length === 0 ? name : `${name} in ${of.join(', ')}`;
}
