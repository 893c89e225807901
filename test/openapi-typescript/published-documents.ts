/** OpenAPI documents of a server, read without kgen's readers. */
import { RESTClient } from '@kgen/runtime';
import type { ControlPlane } from '@kgen/testing';
import { vi } from 'vitest';
import { type Json, type JsonObject, listOf, objectOf } from './definitions.ts';

/** Time limit within which a slow machine publishes all documents. */
const patience = { timeout: 100_000, interval: 500 };

/**
 * Returns every document of OpenAPI v3 by its path in the index, once there is one for each group version.
 */
export async function publishedBy(plane: ControlPlane): Promise<ReadonlyMap<string, JsonObject>> {
  const rest = new RESTClient(plane.config);
  try {
    return await vi.waitFor(() => allDocuments(rest), patience);
  } finally {
    await rest.close();
  }
}

async function allDocuments(rest: RESTClient): Promise<ReadonlyMap<string, JsonObject>> {
  const [{ paths }, { groups }] = [await json(rest, '/openapi/v3'), await json(rest, '/apis')];
  const versions = listOf(groups).flatMap((group) => listOf(objectOf(group)['versions']).map(objectOf));
  const expected = ['api/v1', ...versions.map(({ groupVersion }) => `apis/${String(groupVersion)}`)];
  const missing = expected.filter((path) => objectOf(paths)[path] === undefined);
  if (missing.length > 0) throw new Error(`not published: ${missing.join(', ')}`);
  const documents = Object.entries(objectOf(paths)).map(async ([name, entry]) => {
    const { pathname, searchParams } = new URL(String(objectOf(entry)['serverRelativeURL']), 'http://server');
    return [name, await json(rest, pathname, Object.fromEntries(searchParams))] as const;
  });
  return new Map(await Promise.all(documents));
}

async function json(rest: RESTClient, path: string, query: Record<string, string> = {}): Promise<JsonObject> {
  const response = await rest.get(path, { query, headers: { accept: 'application/json' } });
  // seam: a response in JSON, whose media type in the v3 index is text/plain
  return objectOf((typeof response === 'string' ? JSON.parse(response) : response) as Json);
}
