import type { JsonValue } from '../input/crd-input.ts';
import { isObject, own } from '../input/json.ts';
import { type GroupVersion, parseApiVersion } from '../openapi/discovery-names.ts';
import { type Checked, error, quoteAll, warning } from '../problems.ts';
import { byText } from '../words.ts';

/** A document that the index of OpenAPI v3 names. */
export interface IndexEntry {
  /** `/openapi/v3/apis/apps/v1`. */
  readonly path: string;
  /** What the server calls its present content. Absent where the address has no hash. */
  readonly hash?: string;
  /** Absent for documents of something else, such as `/version`. */
  readonly groupVersion?: GroupVersion;
}

const root = '/openapi/v3';

/**
 * Reads the index, sorted by path. Addresses are the server's word: those that are not plainly below `/openapi/v3` of
 * the same server are left out, with one warning.
 */
export function readIndexEntries(value: JsonValue): Checked<readonly IndexEntry[]> {
  const paths = isObject(value) ? own(value, 'paths') : undefined;
  if (!isObject(paths)) {
    return { value: [], problems: [error('the answer is no index of OpenAPI documents', { file: root })] };
  }
  const entries: IndexEntry[] = [];
  const unfit: string[] = [];
  for (const [key, item] of Object.entries(paths)) {
    const entry = readEntry(key, isObject(item) ? own(item, 'serverRelativeURL') : undefined);
    if (entry === undefined) unfit.push(key);
    else entries.push(entry);
  }
  const what = `the index names documents with addresses that are not below ${root}, they are left out: ${quoteAll(unfit)}`;
  const problems = unfit.length === 0 ? [] : [warning(what, { file: root })];
  return { value: entries.sort((a, b) => byText(a.path, b.path)), problems };
}

function readEntry(key: string, address: JsonValue | undefined): IndexEntry | undefined {
  if (typeof address !== 'string') return undefined;
  const match = /^(\/openapi\/v3\/[-\w./]+)(?:\?hash=([-\w]{1,256}))?$/.exec(address);
  const [, path, hash] = match ?? [];
  if (path === undefined || /\/\.{0,2}(?:\/|$)/.test(path)) return undefined;
  const groupVersion = groupVersionOf(key);
  return { path, ...(hash !== undefined && { hash }), ...(groupVersion !== undefined && { groupVersion }) };
}

function groupVersionOf(key: string): GroupVersion | undefined {
  const [, name] = /^(?:api|apis)\/([^/]+(?:\/[^/]+)?)$/.exec(key) ?? [];
  const isCore = key.startsWith('api/');
  const found = name === undefined ? undefined : parseApiVersion(name);
  return found !== undefined && isCore === (found.group === '') && isWhole(key) ? found : undefined;
}

/** `apis/apps` is the document of a group, not of the version `apps` of the core group. */
function isWhole(key: string): boolean {
  return key.split('/').length === (key.startsWith('api/') ? 2 : 3);
}
