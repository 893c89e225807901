/** Index of OpenAPI v3, whose addresses are untrusted and become paths of requests. */
import { type Checked, error, quoteAll, warning } from '../common/problems.ts';
import { byText } from '../common/words.ts';
import type { JsonValue } from '../input/crd/crd-input.ts';
import { isObject, own } from '../input/json.ts';
import { type GroupVersion, parseApiVersion } from '../openapi/discovery/discovery-names.ts';

/** A document in the index of OpenAPI v3. */
export interface IndexEntry {
  /** Its key in the index: `apis/apps/v1`, `version`. */
  readonly key: string;
  /** `/openapi/v3/apis/apps/v1`. Absent if the address is not below `/openapi/v3` of the same server. */
  readonly path?: string;
  /** The server's hash of the current content. Absent if the address has none. */
  readonly hash?: string;
  /** Absent for other documents, such as `/version`. */
  readonly groupVersion?: GroupVersion;
}

const root = '/openapi/v3';

/**
 * Reads the index, sorted by key. Addresses are untrusted: documents with invalid addresses are dropped with
 * one warning, or have no `path` if they belong to a group version.
 */
export function readIndexEntries(value: JsonValue): Checked<readonly IndexEntry[]> {
  const paths = isObject(value) ? own(value, 'paths') : undefined;
  if (!isObject(paths)) {
    return {
      value: [],
      problems: [error('the response is not an index of OpenAPI documents', { file: root })],
    };
  }
  const entries = Object.entries(paths)
    .map(([key, item]) => readEntry(key, isObject(item) ? own(item, 'serverRelativeURL') : undefined))
    .sort((a, b) => byText(a.key, b.key));
  const isLost = ({ path, groupVersion }: IndexEntry): boolean =>
    path === undefined && groupVersion === undefined;
  const unfit = entries.filter(isLost).map(({ key }) => key);
  const what = `the index names documents with addresses that are not below ${root}, they are left out: ${quoteAll(unfit)}`;
  const problems = unfit.length === 0 ? [] : [warning(what, { file: root })];
  return { value: entries.filter((entry) => !isLost(entry)), problems };
}

function readEntry(key: string, address: JsonValue | undefined): IndexEntry {
  const groupVersion = groupVersionOf(key);
  return { key, ...addressOf(address), ...(groupVersion !== undefined && { groupVersion }) };
}

function addressOf(address: JsonValue | undefined): Pick<IndexEntry, 'path' | 'hash'> {
  if (typeof address !== 'string') return {};
  const match = /^(\/openapi\/v3\/[-\w./]+)(?:\?hash=([-\w]{1,256}))?$/.exec(address);
  const [, path, hash] = match ?? [];
  if (path === undefined || /\/\.{0,2}(?:\/|$)/.test(path)) return {};
  return { path, ...(hash !== undefined && { hash }) };
}

function groupVersionOf(key: string): GroupVersion | undefined {
  const [, name] = /^(?:api|apis)\/([^/]+(?:\/[^/]+)?)$/.exec(key) ?? [];
  const isCore = key.startsWith('api/');
  const found = name === undefined ? undefined : parseApiVersion(name);
  return found !== undefined && isCore === (found.group === '') && isWhole(key) ? found : undefined;
}

/** `apis/apps` is the document of a group, and not of a version `apps` of the core group. */
function isWhole(key: string): boolean {
  return key.split('/').length === (key.startsWith('api/') ? 2 : 3);
}
