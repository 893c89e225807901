/** CRDs of a cluster. Their objects have descriptions and rules that its OpenAPI lacks. */

import { sha256 } from '../common/cache/cache-entry.ts';
import { type Checked, type InputProblem, warning } from '../common/problems.ts';
import type { CrdDefinition } from '../input/crd/crd.ts';
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import { readDefinition } from '../input/crd/definition.ts';
import { isList, isObject, own } from '../input/json.ts';
import { jsonText, parseExactly } from './exact-json.ts';
import { inParallel } from './in-parallel.ts';
import { Unavailable } from './refusal.ts';
import type { ClusterResponse, Server } from './server.ts';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
/** If more than this number of CRDs are not cached, all are read with a few list requests. */
const manyMissing = 16;
/** Number of objects per response. */
const pageSize = '100';
/** Empty pages in a row, each with a token for another, after which the list is given up. */
const maxEmptyPages = 100;

/** A CRD in a list of metadata. */
export interface ListedCrd {
  readonly name: string;
  /** Changes whenever the definition changes. */
  readonly tag: string;
}

/**
 * Lists the CRDs without their schemas. Returns an empty list if the user lacks the permission or the server
 * has no CRDs: custom resources are then read from OpenAPI.
 */
export async function listCrds(server: Server): Promise<Checked<readonly ListedCrd[]>> {
  try {
    const { value } = await server.request({ path, accept: metadataOnly });
    return { value: itemsOf(value).flatMap((item) => readListed(item) ?? []), problems: [] };
  } catch (cause) {
    if (!(cause instanceof Unavailable)) throw cause;
    if ([403, 404, 405, 406].includes(cause.status)) return { value: [], problems: [] };
    const what = `CustomResourceDefinitions cannot be listed, their kinds are read from OpenAPI: ${cause.message}`;
    return { value: [], problems: [warning(what)] };
  }
}

function itemsOf(value: JsonValue): readonly JsonValue[] {
  const items = isObject(value) ? own(value, 'items') : undefined;
  return isList(items) ? items : [];
}

function readListed(item: JsonValue): ListedCrd | undefined {
  const metadata = isObject(item) ? own(item, 'metadata') : undefined;
  if (!isObject(metadata)) return undefined;
  const name = own(metadata, 'name');
  const uid = own(metadata, 'uid');
  if (typeof name !== 'string' || typeof uid !== 'string' || !isName(name)) return undefined;
  return { name, tag: `${uid}/${String(own(metadata, 'generation') ?? '')}` };
}

/**
 * Returns whether a string is a plural and a group: in lower case with at least one dot, so that it is safe
 * in a path.
 */
function isName(name: string): boolean {
  return (
    name.length <= 253 && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)+$/.test(name)
  );
}

/** Cached part of a CRD. */
interface Served {
  readonly name: string;
  readonly spec: JsonValue;
}

/**
 * Reads the listed CRDs: unchanged ones from the cache, the others from the server. CRDs that are not
 * established, deleted meanwhile or not readable are dropped. CRDs that kgen cannot use are dropped with a
 * warning.
 */
export async function readCrds(
  server: Server,
  listed: readonly ListedCrd[],
): Promise<Checked<readonly CrdDefinition[]>> {
  const kept = await Promise.all(listed.map((one) => recall(server, one)));
  const known = new Map(kept.flatMap((one) => (one === undefined ? [] : [[one.name, one] as const])));
  const missing = listed.filter(({ name }) => !known.has(name));
  for (const one of await fetchServed(server, missing)) known.set(one.name, one);
  const read = listed.flatMap(({ name }) => known.get(name) ?? []).map(define);
  return { value: read.flatMap(({ value }) => value), problems: read.flatMap(({ problems }) => problems) };
}

async function recall(server: Server, { name, tag }: ListedCrd): Promise<Served | undefined> {
  const response = await server.recall(keyOf(name), tag);
  return response && { name, spec: await exact(response) };
}

async function fetchServed(server: Server, missing: readonly ListedCrd[]): Promise<readonly Served[]> {
  const found = missing.length > manyMissing ? await fetchPages(server) : new Map<string, JsonObject>();
  const rest = missing.filter(({ name }) => !found.has(name));
  const single = await inParallel(rest, ({ name }) => fetchOne(server, name));
  for (const crd of single) if (crd !== undefined) found.set(nameOf(crd) ?? '', crd);
  return missing.flatMap((one) => {
    const crd = found.get(one.name);
    return crd !== undefined && isEstablished(crd) ? (keep(server, one, own(crd, 'spec') ?? null) ?? []) : [];
  });
}

/**
 * Only established CRDs are cached, because that condition may change without a new generation. Returns
 * `undefined` for a spec that is too deep to be serialised, which Kubernetes would not accept.
 */
function keep(server: Server, { name, tag }: ListedCrd, spec: JsonValue): Served | undefined {
  const text = jsonText(spec);
  if (text === undefined) return undefined;
  const body = Buffer.from(text);
  server.remember(keyOf(name), tag, body, sha256(body));
  return { name, spec };
}

/** Returns `undefined` if the CRD was deleted meanwhile or is not readable. */
async function fetchOne(server: Server, name: string): Promise<JsonObject | undefined> {
  try {
    const crd = await exact(await server.request({ path: `${path}/${name}` }));
    return isObject(crd) && nameOf(crd) === name ? crd : undefined;
  } catch (cause) {
    if (cause instanceof Unavailable) return undefined;
    throw cause;
  }
}

/** Reads all CRDs by name with a few requests. CRDs of a page that cannot be read are missing. */
async function fetchPages(server: Server): Promise<Map<string, JsonObject>> {
  const found = new Map<string, JsonObject>();
  const seen = new Set<string>();
  let empty = 0;
  for (let token: string | undefined = ''; token !== undefined && !seen.has(token); ) {
    seen.add(token);
    const page = await fetchPage(server, token);
    for (const item of itemsOf(page)) {
      const name = isObject(item) ? nameOf(item) : undefined;
      if (isObject(item) && name !== undefined) found.set(name, item);
    }
    token = continuation(page);
    empty = itemsOf(page).length > 0 ? 0 : empty + 1;
    // Missing CRDs are read one by one afterwards.
    if (empty >= maxEmptyPages) return found;
  }
  return found;
}

async function fetchPage(server: Server, token: string): Promise<JsonValue> {
  const query = [['limit', pageSize] as const, ...(token === '' ? [] : [['continue', token] as const])];
  try {
    return await exact(await server.request({ path, query }));
  } catch (cause) {
    // Missing CRDs are read one by one afterwards.
    if (cause instanceof Unavailable) return null;
    throw cause;
  }
}

function exact({ body, value }: ClusterResponse): Promise<JsonValue> {
  return parseExactly(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'), value);
}

function continuation(page: JsonValue): string | undefined {
  const metadata = isObject(page) ? own(page, 'metadata') : undefined;
  const token = isObject(metadata) ? own(metadata, 'continue') : undefined;
  return typeof token === 'string' && token !== '' ? token : undefined;
}

function nameOf(crd: JsonObject): string | undefined {
  const metadata = own(crd, 'metadata');
  const name = isObject(metadata) ? own(metadata, 'name') : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** Returns whether the server serves it: its names are accepted, and its installation is complete. */
function isEstablished(crd: JsonObject): boolean {
  const status = own(crd, 'status');
  const conditions = isObject(status) ? own(status, 'conditions') : undefined;
  return (isList(conditions) ? conditions : []).some(
    (one) => isObject(one) && own(one, 'type') === 'Established' && own(one, 'status') === 'True',
  );
}

function keyOf(name: string): string {
  return `${path}/${name}`;
}

/** Validates the CRD as if it had been read from a file. */
function define({ name, spec }: Served): Checked<readonly CrdDefinition[]> {
  const file = keyOf(name);
  const { value, problems } = readDefinition({
    isServed: true,
    value: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name },
      spec,
    },
    file,
    position: () => ({ file }),
  });
  return { value: value === undefined ? [] : [value], problems: problems.map(softened) };
}

/** The server has accepted the CRD, so an error of kgen becomes a warning and OpenAPI is used instead. */
function softened({ what, where }: InputProblem): InputProblem {
  return warning(what, where);
}
