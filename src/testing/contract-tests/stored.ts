/**
 * Where the objects of a resource are stored, and whether a dry run stored one. Servers behind an APIService
 * decide themselves what they do with `dryRun=All`.
 */
import { ApiError, apiVersionOf, type RESTClient } from '@kgen/runtime';
import type { Resource } from '@kgen/runtime/client';

/**
 * Returns the reason why the objects of a resource may be stored by another server than this API server, or
 * `undefined` if it stores them itself, as it does those of definitions and of built-in groups. The
 * APIService of the group version decides; a user that may not read it needs to be able to read the
 * definition of the resource.
 */
export async function storedElsewhere(rest: RESTClient, resource: Resource): Promise<string | undefined> {
  const { group, version } = resource;
  const path = `/apis/apiregistration.k8s.io/v1/apiservices/${version}.${group}`;
  try {
    const service = memberOf(memberOf(await rest.get(path), 'spec'), 'service');
    if (typeof service !== 'object' || service === null) return undefined;
    const name = [memberOf(service, 'namespace'), memberOf(service, 'name')].join('/');
    return `${apiVersionOf(resource)} is served by the service ${name}`;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Without an APIService, requests are not forwarded.
    if (error.code === 404 || (await isOwnKind(rest, resource))) return undefined;
    return `the APIService of ${apiVersionOf(resource)} cannot be read: ${error.message}`;
  }
}

async function isOwnKind(rest: RESTClient, { group, version, kind, plural }: Resource): Promise<boolean> {
  const { isCatalogKey } = await import('@kgen/kubernetes/catalog');
  if (isCatalogKey(`${apiVersionOf({ group, version })}/${kind}`)) return true;
  const definition = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.${group}`;
  return rest.get(definition).then(
    () => true,
    () => false,
  );
}

/**
 * Returns the name of the object that a dry run stored: the object of its response, which exists with the
 * same UID. Returns `undefined` if the server stored none, or does not support that it is requested.
 */
export async function storedName(
  rest: RESTClient,
  { verbs }: Resource,
  path: string,
  created: unknown,
): Promise<string | undefined> {
  const metadata = memberOf(created, 'metadata');
  const name = memberOf(metadata, 'name');
  const uid = memberOf(metadata, 'uid');
  if (typeof name !== 'string' || name === '') return undefined;
  const isStored = (object: unknown): boolean => {
    const found = memberOf(object, 'metadata');
    return memberOf(found, 'name') === name && (uid === undefined || memberOf(found, 'uid') === uid);
  };
  if (verbs.includes('get')) return isStored(await read(rest, `${path}/${name}`)) ? name : undefined;
  if (!verbs.includes('list')) return undefined;
  const items = memberOf(await read(rest, path), 'items');
  return Array.isArray(items) && items.some(isStored) ? name : undefined;
}

/** Returns `undefined` for an object that does not exist, or that the user may not read. */
async function read(rest: RESTClient, path: string): Promise<unknown> {
  try {
    return await rest.get(path);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}
