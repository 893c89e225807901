/**
 * Mistakes in requests by path. These functions are never called: the compiler must reject each line, and
 * reports the lines that it accepts.
 */
import type { paths } from '@kgen/kubernetes/paths';
import type { RESTClient } from '@kgen/runtime';

const map = '/api/v1/namespaces/{namespace}/configmaps/{name}';
const path = { namespace: 'shop', name: 'web' };

/** Paths that no server has. */
export async function unknownPaths(rest: RESTClient<paths>): Promise<void> {
  // @ts-expect-error unknown resource
  await rest.get('/api/v1/cabbages');
  // @ts-expect-error unknown group
  await rest.get('/apis/cabbages.example.com/v1/');
  // @ts-expect-error a path has no query
  await rest.get('/readyz?verbose');
  // @ts-expect-error a version is read-only
  await rest.delete('/version/');
  // @ts-expect-error an object does not support post
  await rest.post(map, { path, body: {} });
}

/** Invalid or missing path parameters. */
export async function wrongParameters(rest: RESTClient<paths>): Promise<void> {
  // @ts-expect-error path parameters are required
  await rest.get(map);
  // @ts-expect-error all path parameters are required
  await rest.get(map, { path: { namespace: 'shop' } });
  // @ts-expect-error unknown path parameter
  await rest.get(map, { path: { namespace: 'shop', name: 'web', nam: 'web' } });
  // @ts-expect-error names are strings
  await rest.get(map, { path: { namespace: 'shop', name: 1 } });
  // @ts-expect-error limits are numbers
  await rest.get('/api/v1/pods', { query: { limit: 'ten' } });
  // @ts-expect-error unknown query parameter
  await rest.get('/api/v1/pods', { query: { labelselector: 'app=web' } });
  // @ts-expect-error a flag is true or absent
  await rest.get('/readyz', { query: { verbose: false } });
}

/** Invalid request bodies. */
export async function wrongBodies(rest: RESTClient<paths>): Promise<void> {
  // @ts-expect-error a body is required
  await rest.put(map, { path });
  // @ts-expect-error data is a string
  await rest.put(map, { path, body: { data: { a: 1 } } });
  // @ts-expect-error another kind
  await rest.put(map, { path, body: { kind: 'Secret' } });
  // @ts-expect-error not a JSON patch
  await rest.patch(map, { path, contentType: 'application/json-patch+json', body: { data: {} } });
  const contentType = 'application/json-patch+json';
  // @ts-expect-error unknown operation
  await rest.patch(map, { path, contentType, body: [{ op: 'set', path: '/data' }] });
  // @ts-expect-error unknown patch type
  await rest.patch(map, { path, contentType: 'application/json', body: {} });
}

/** Members that a response does not have. */
export async function wrongResponses(rest: RESTClient<paths>): Promise<unknown> {
  const version = await rest.get('/version/');
  const read = await rest.get(map, { path });
  // @ts-expect-error unknown fields
  return [version.gitversion, read.spec];
}
