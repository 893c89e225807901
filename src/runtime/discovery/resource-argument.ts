import type { ResourceQuery } from './types.ts';

/**
 * What `deployments`, `deployments.apps` or `deployments.v1.apps` may mean, the likeliest first: what follows the first
 * dot is a version and a group, or a group alone.
 * @throws {TypeError} it is no such name
 */
export function parseResourceArgument(text: string): readonly [ResourceQuery, ...ResourceQuery[]] {
  const [resource = '', ...rest] = text.split('.');
  if (resource === '' || /[\s/]/.test(text)) {
    const shown = JSON.stringify(text);
    throw new TypeError(`not a resource: ${shown}; it is like pods, deployments.apps or deployments.v1.apps`);
  }
  if (rest.length === 0) return [{ resource }];
  const group = { resource, group: rest.join('.') };
  const [version = '', ...ofGroup] = rest;
  return ofGroup.length === 0 || version === ''
    ? [group]
    : [{ resource, version, group: ofGroup.join('.') }, group];
}

/** How a message names what was asked for. */
export function describeResource({ resource, group, version }: ResourceQuery): string {
  const of = [
    ...(group === undefined ? [] : [group === '' ? 'the core group' : `group ${JSON.stringify(group)}`]),
    ...(version === undefined ? [] : [`version ${JSON.stringify(version)}`]),
  ];
  const name = `resource ${JSON.stringify(resource)}`;
  return of.length === 0 ? name : `${name} in ${of.join(', ')}`;
}
