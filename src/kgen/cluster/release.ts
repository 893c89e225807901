/** Reads the published API of a release of Kubernetes from its repository. */

import { Cache, defaultCacheFolder } from '../common/cache/cache.ts';
import { sha256 } from '../common/cache/cache-entry.ts';
import { apiVersionOf } from '../common/names.ts';
import { type Checked, error, type InputProblem } from '../common/problems.ts';
import type { JsonValue } from '../input/crd/crd-input.ts';
import { DownloadError, downloadUrl, type FetchFunction } from '../input/sources/url.ts';
import { recognise, type Saved } from '../openapi/documents/recognise.ts';
import { describeSaved } from '../openapi/load.ts';
import type { GroupVersionKind, Loaded } from '../openapi/types.ts';
import { unwritable } from './content.ts';
import { inParallel } from './in-parallel.ts';

/** Selects a release and parts of its API. */
export interface ReleaseOptions {
  /** `1.33`, whose first patch release is read, or `1.33.4`; a leading `v` is accepted. */
  readonly release: string;
  /** Whether documents that belong to no group version are needed too, for `paths.ts`. */
  readonly needsDocuments: boolean;
  /** Returns whether output is generated for a kind, which decides on warnings. */
  readonly isIncluded: (kind: GroupVersionKind) => boolean;
  /** Default: the global `fetch`. */
  readonly fetch?: FetchFunction | undefined;
  /** Default: `$XDG_CACHE_HOME/kgen`, or `~/.cache/kgen`. */
  readonly cacheFolder?: string | undefined;
}

/** Responses of discovery in the repository: of the core group, and of all others in two forms. */
const discoveryFiles = {
  core: 'discovery/api__v1.json',
  groups: 'discovery/aggregated_v2.json',
  olderGroups: 'discovery/aggregated_v2beta1.json',
};

/** Keys of documents of OpenAPI v3 that belong to no group. A release may lack some of them. */
const otherKeys = ['api', 'apis', 'logs', 'version', '.well-known/openid-configuration', 'openid/v1/jwks'];

/**
 * Loads the built-in API of a release, alpha versions included. The documents are those of a server with all
 * APIs, without enums. Files of a release never change, so that a second run sends no request. Returns an
 * error and no API if a file cannot be read.
 */
export async function loadRelease(options: ReleaseOptions): Promise<Checked<Loaded>> {
  const { release, isIncluded, cacheFolder = defaultCacheFolder(process.env) } = options;
  const [major, minor, patch = '0'] = release.replace(/^v/, '').split('.');
  const tag = `v${major}.${minor}.${patch}`;
  const files = new ReleaseFiles(tag, cacheFolder, options.fetch);
  try {
    const saved = await readSaved(files, options.needsDocuments);
    const problems = [...unwritable(cacheFolder, await files.cache.settle())];
    return describeSaved(saved, { isIncluded, kubernetesVersion: tag, sources: saved.length }, problems);
  } catch (cause) {
    if (!(cause instanceof DownloadError)) throw cause;
    return { value: { crds: [], documents: [], sources: 0, skipped: 0 }, problems: [unread(tag, cause)] };
  } finally {
    await files.cache.settle();
  }
}

function unread(tag: string, { message, status }: DownloadError): InputProblem {
  if (status === 404)
    return error(
      `Kubernetes has no release ${tag} with a published API (1.27 and later have one): correct --kubernetes`,
    );
  return error(
    `the API of Kubernetes ${tag} cannot be read: ${message}; behind a proxy set NODE_USE_ENV_PROXY=1, and without a network give saved documents with --openapi`,
  );
}

async function readSaved(files: ReleaseFiles, needsDocuments: boolean): Promise<readonly Saved[]> {
  const { core, groups: newer, olderGroups } = discoveryFiles;
  const ofGroups = (await files.read(newer, 'discovery')) ?? (await files.read(olderGroups, 'discovery'));
  const ofCore = await files.read(core, 'discovery');
  if (ofGroups?.is !== 'discovery' || ofCore?.is !== 'discovery')
    throw new DownloadError('the release has no discovery document', 404);
  const versions = [...ofCore.read.value, ...ofGroups.read.value];
  const served = versions.map(({ group, version }) =>
    group === '' ? `api/${version}` : `apis/${group}/${version}`,
  );
  const groups = versions.flatMap(({ group }) => (group === '' ? [] : [`apis/${group}`]));
  const others = needsDocuments ? [...otherKeys, ...new Set(groups)] : [];
  const documents = await inParallel([...served, ...others], (key) =>
    files.read(`openapi-spec/v3/${key.replaceAll('/', '__')}_openapi.json`, 'document'),
  );
  const missing = versions.filter((_, index) => documents[index] === undefined).map(apiVersionOf);
  if (missing.length > 0) throw new DownloadError(`the release has no document of ${missing.join(', ')}`);
  return [ofCore, ofGroups, ...documents.filter((document) => document !== undefined)];
}

/** Files of a release, from the cache or the repository. */
class ReleaseFiles {
  readonly cache: Cache;
  readonly #home: string;
  readonly #fetch: FetchFunction | undefined;

  constructor(tag: string, cacheFolder: string, fetch: FetchFunction | undefined) {
    this.#home = `https://raw.githubusercontent.com/kubernetes/kubernetes/${tag}/api/`;
    this.#fetch = fetch;
    this.cache = new Cache(cacheFolder, this.#home);
  }

  /**
   * Reads a file, which is cached only if it has the expected content. Returns `undefined` if the release has
   * no such file.
   * @throws {DownloadError} for every other failure
   */
  async read(path: string, is: Saved['is']): Promise<Saved | undefined> {
    const cached = await this.cache.read(path);
    const body = cached?.body ?? (await this.#download(path));
    if (body === undefined) return undefined;
    const saved = parsed(body, this.#home + path);
    if (saved?.is !== is)
      throw new DownloadError(`${this.#home}${path} is not the expected document: does a proxy respond?`);
    if (cached === undefined)
      this.cache.write(path, { tag: '', type: 'application/json', body, hash: sha256(body) });
    return saved;
  }

  async #download(path: string): Promise<Uint8Array | undefined> {
    try {
      return await downloadUrl(this.#home + path, this.#fetch);
    } catch (cause) {
      if (cause instanceof DownloadError && cause.status === 404) return undefined;
      throw cause;
    }
  }
}

function parsed(body: Uint8Array, file: string): Saved | undefined {
  try {
    // seam: JSON.parse returns JSON values
    return recognise(JSON.parse(Buffer.from(body).toString('utf8')) as JsonValue, file);
  } catch {
    return undefined;
  }
}
