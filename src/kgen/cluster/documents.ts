/** OpenAPI documents of a cluster: v3 per group version, otherwise the single document of v2. */
import { apiVersionOf } from '../common/names.ts';
import { type Checked, hasErrors, type InputProblem, warning } from '../common/problems.ts';
import { isObject, own } from '../input/json.ts';
import type { GroupVersion } from '../openapi/discovery/discovery-names.ts';
import type { ApiDocument } from '../openapi/types.ts';
import { lost, unusable } from './discover.ts';
import { inParallel } from './in-parallel.ts';
import { type IndexEntry, readIndexEntries } from './index-paths.ts';
import { hasStatus, lacksRights, Refusal, Unavailable } from './refusal.ts';
import type { ClusterResponse, Server } from './server.ts';

const indexPath = '/openapi/v3';
const wholePath = '/openapi/v2';

/** A document, or the reason why there is none. */
export interface ReadDocument {
  /** Absent for documents that do not belong to one group version. */
  readonly groupVersion?: GroupVersion;
  readonly document?: ApiDocument;
  readonly problem?: InputProblem;
}

/**
 * Returns the documents of the server. Returns an empty list if it does not support OpenAPI v3 or the user
 * lacks the permission, and also, with a warning, if the index cannot be read: OpenAPI v2 is read instead.
 */
export async function readIndex(server: Server): Promise<Checked<readonly IndexEntry[]>> {
  try {
    const { value } = await server.requestChanges({ path: indexPath });
    const index = readIndexEntries(value);
    const [first] = index.problems;
    if (first === undefined || !hasErrors(index.problems)) return index;
    return { value: [], problems: [withoutIndex(`get ${indexPath}: ${first.what}`)] };
  } catch (cause) {
    if (hasStatus(cause, 403, 404, 406)) return { value: [], problems: [] };
    if (!(cause instanceof Unavailable) || cause.status === 401) throw cause;
    return { value: [], problems: [withoutIndex(cause.message)] };
  }
}

function withoutIndex(why: string): InputProblem {
  return warning(`OpenAPI v3 cannot be read, and v2 is used instead, whose types of CRDs are wider: ${why}`);
}

/**
 * Reads documents of the index, a few at a time. A document that the server refuses removes only its own
 * group version.
 */
export async function readDocuments(
  server: Server,
  entries: readonly IndexEntry[],
  onRead: () => void,
): Promise<readonly ReadDocument[]> {
  return inParallel(entries, async (entry) => {
    const read = await readEntry(server, entry);
    onRead();
    return read;
  });
}

async function readEntry(server: Server, entry: IndexEntry): Promise<ReadDocument> {
  const { key, path, groupVersion } = entry;
  const of = groupVersion === undefined ? {} : { groupVersion };
  const missing = (problem: typeof lost, why: string): ReadDocument => {
    const left = warning(`a document is left out: ${why}`);
    return { ...of, problem: groupVersion === undefined ? left : problem(apiVersionOf(groupVersion), why) };
  };
  if (path === undefined)
    return missing(unusable, `its address in the index of documents is not below ${indexPath}`);
  try {
    const document = documentOf(path, await fetchEntry(server, path, entry.hash), 3);
    if (document === undefined)
      return missing(unusable, `get ${path}: the response is not an OpenAPI v3 document`);
    if (groupVersion === undefined) return { document };
    if (!hasPathBelow(document, key))
      return missing(unusable, `get ${path}: the document has no path of this group version`);
    return { ...of, document: { ...document, groupVersion: apiVersionOf(groupVersion) } };
  } catch (cause) {
    if (!(cause instanceof Unavailable)) throw cause;
    return missing(lost, cause.message);
  }
}

/**
 * Returns whether a document has paths below `apis/apps/v1`. A document of another API would leave all kinds
 * without types.
 */
function hasPathBelow({ value }: ApiDocument, key: string): boolean {
  const paths = own(value, 'paths');
  return isObject(paths) && Object.keys(paths).some((path) => path.startsWith(`/${key}/`));
}

async function fetchEntry(server: Server, path: string, hash: string | undefined): Promise<ClusterResponse> {
  if (hash === undefined) return server.requestChanges({ path });
  try {
    return await server.requestOnce(path, hash, { path, query: [['hash', hash]] });
  } catch (cause) {
    // The document has changed since the index was read, and the server redirects to the new one.
    if (hasStatus(cause, 301, 302, 307, 308)) return server.request({ path });
    throw cause;
  }
}

/** Reads the single document of OpenAPI v2. */
export async function readWhole(server: Server): Promise<ApiDocument> {
  try {
    const document = documentOf(wholePath, await server.requestChanges({ path: wholePath }), 2);
    if (document !== undefined) return document;
  } catch (cause) {
    if (hasStatus(cause, 403)) throw lacksRights(cause);
    if (!hasStatus(cause, 404, 406)) throw cause;
    throw new Refusal(
      `the server has neither ${indexPath} nor ${wholePath} for this user: is it a Kubernetes API, and does a proxy in between hide them?`,
    );
  }
  throw new Refusal(
    `get ${wholePath}: the response is not an OpenAPI v2 document: is there a proxy in between?`,
  );
}

/** Returns `undefined` for a response that is not a document of that dialect. */
function documentOf(
  path: string,
  { value }: ClusterResponse,
  dialect: ApiDocument['dialect'],
): ApiDocument | undefined {
  const version = isObject(value) ? own(value, dialect === 3 ? 'openapi' : 'swagger') : undefined;
  if (!isObject(value) || typeof version !== 'string' || !version.startsWith(`${dialect}.`)) return undefined;
  return { dialect, value, file: path };
}
