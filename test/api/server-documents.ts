/** Discovery and OpenAPI documents of a server, read without kgen's readers. */
import type { RESTClient } from '@kgen/runtime';
import { itemsOf, type Json, membersOf, textOf } from './operations.ts';

/** Returns the JSON at a path, even if its media type is text/plain. */
export async function jsonOf(
  rest: RESTClient,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Json> {
  const response = await rest.get(path, { query, headers: { accept: 'application/json' } });
  // seam: a response in JSON
  return (typeof response === 'string' ? JSON.parse(response) : response) as Json;
}

/** Returns all OpenAPI v3 documents. */
export async function documentsOf(rest: RESTClient): Promise<readonly Json[]> {
  const { paths } = membersOf(await jsonOf(rest, '/openapi/v3'));
  return Promise.all(
    Object.values(membersOf(paths)).map((entry) => {
      const address = textOf(membersOf(entry)['serverRelativeURL']);
      const { pathname, searchParams } = new URL(address, 'http://server.invalid');
      return jsonOf(rest, pathname, Object.fromEntries(searchParams));
    }),
  );
}

/** Returns the paths of all group versions: `/api/v1`, `/apis/apps/v1`. */
export async function groupVersionPaths(rest: RESTClient): Promise<readonly string[]> {
  const [core, others] = await Promise.all([jsonOf(rest, '/api'), jsonOf(rest, '/apis')]);
  const versions = itemsOf(membersOf(others)['groups']).flatMap((group) =>
    itemsOf(membersOf(group)['versions']),
  );
  return [
    ...itemsOf(membersOf(core)['versions']).map((version) => `/api/${textOf(version)}`),
    ...versions.map((version) => `/apis/${textOf(membersOf(version)['groupVersion'])}`),
  ];
}

/** Time limit within which a server publishes all documents. */
export const patience = { timeout: 60_000, interval: 200 } as const;

/** Returns true if OpenAPI v3 has a document of every group version. */
export async function isPublished(rest: RESTClient): Promise<boolean> {
  const { paths } = membersOf(await jsonOf(rest, '/openapi/v3'));
  const published = new Set(Object.keys(membersOf(paths)).map((path) => `/${path}`));
  return (await groupVersionPaths(rest)).every((path) => published.has(path));
}
