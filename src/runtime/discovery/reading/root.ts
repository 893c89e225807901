/** Reads the groups of a server, and with aggregated discovery also all of their resources. */
import { isNotFound } from '../../api/failure-reasons.ts';
import type { RequestOperation } from '../../api/operation.ts';
import type { RESTClient } from '../../rest/client.ts';
import type { APIGroup } from '../types.ts';
import { acceptAggregated, isAggregated, parseAggregated } from './aggregated.ts';
import { type DiscoveryResponse, fetchDocument, getting } from './discovery-request.ts';
import { firstOfEach, parseGroups, parseVersions } from './legacy.ts';
import type { Root } from './source-types.ts';

interface Endpoint {
  readonly path: string;
  /** Parses a response that is not aggregated. */
  readonly parse: (value: unknown, operation: RequestOperation) => readonly APIGroup[];
}

const core: Endpoint = { path: '/api', parse: parseVersions };
const named: Endpoint = { path: '/apis', parse: parseGroups };

/** The last response of an endpoint with its ETag. */
interface Tagged {
  readonly etag: string;
  readonly root: Root;
}

const nothing: Root = { groups: [], lists: new Map(), failed: new Map() };

function parse(response: DiscoveryResponse, { path, parse }: Endpoint): Root {
  const operation = getting(path);
  if (isAggregated(response.contentType)) return parseAggregated(response.value, operation);
  return { ...nothing, groups: parse(response.value, operation) };
}

/** Reads both endpoints. If the server sends ETags, unchanged responses are not transferred again. */
export class RootReader {
  readonly #rest: RESTClient;
  readonly #timeoutMs: number;
  readonly #tagged: Map<string, Tagged> = new Map();

  constructor(rest: RESTClient, timeoutMs: number) {
    this.#rest = rest;
    this.#timeoutMs = timeoutMs;
  }

  /** A server without the core group has no `/api`. */
  async read(signal?: AbortSignal): Promise<Root> {
    const [first, others] = await Promise.all([
      this.#read(core, signal).catch((error: unknown) => {
        if (isNotFound(error)) return nothing;
        throw error;
      }),
      this.#read(named, signal),
    ]);
    return {
      groups: firstOfEach([...first.groups, ...others.groups]),
      lists: new Map([...others.lists, ...first.lists]),
      failed: new Map([...first.failed, ...others.failed]),
    };
  }

  async #read(endpoint: Endpoint, signal: AbortSignal | undefined): Promise<Root> {
    const { path } = endpoint;
    const last = this.#tagged.get(path);
    const question = { path, accept: acceptAggregated, etag: last?.etag };
    const response = await fetchDocument(this.#rest, { ...question, signal, timeoutMs: this.#timeoutMs });
    if (response === undefined) return last?.root ?? nothing;
    const root = parse(response, endpoint);
    if (response.etag !== undefined) this.#tagged.set(path, { etag: response.etag, root });
    return root;
  }
}
