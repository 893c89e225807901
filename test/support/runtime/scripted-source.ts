import type { KubernetesList, KubernetesObject } from '../../../src/runtime/api/meta.ts';
import type { Stored } from '../../../src/runtime/api/types.ts';
import type { ListParams, ListWatch, WatchParams } from '../../../src/runtime/watch/source.ts';
import { ByteStream } from './byte-stream.ts';

/** Kind of the objects in tests. */
export interface Thing extends KubernetesObject {
  readonly spec?: { readonly size: number };
  readonly status?: unknown;
}

export type SourceCall =
  | { readonly verb: 'list'; readonly params: ListParams; readonly signal: AbortSignal }
  | { readonly verb: 'watch'; readonly params: WatchParams; readonly signal: AbortSignal };

/** Response to a request: a list, a stream, a failure, or none. */
export type SourceResponse = KubernetesList<Stored<Thing>> | ByteStream | Error | 'never';

/** Source with scripted responses, one per request; further requests never settle. */
export class ScriptedSource implements ListWatch<Thing> {
  readonly target = { resource: 'things', namespace: 'shop' } as const;
  readonly requested: SourceCall[] = [];
  readonly #responses: SourceResponse[];

  constructor(...responses: SourceResponse[]) {
    this.#responses = responses;
  }

  /** Requests so far, in short form: `list limit=500`. */
  get log(): string[] {
    return this.requested.map(({ verb, params }) => {
      const shown = Object.entries(params).filter(([name]) => name !== 'timeoutSeconds');
      return [verb, ...shown.map(([name, value]) => `${name}=${value}`)].join(' ');
    });
  }

  async list(params: ListParams, signal: AbortSignal): Promise<KubernetesList<Stored<Thing>>> {
    this.requested.push({ verb: 'list', params, signal });
    const response = await this.#response(signal);
    if (response instanceof ByteStream) throw new Error('the script has a stream for a LIST');
    return response;
  }

  async watch(params: WatchParams, signal: AbortSignal) {
    this.requested.push({ verb: 'watch', params, signal });
    const response = await this.#response(signal);
    if (!(response instanceof ByteStream)) throw new Error('the script has a list for a WATCH');
    return response.response;
  }

  async #response(signal: AbortSignal): Promise<Exclude<SourceResponse, Error | 'never'>> {
    const response = this.#responses.shift() ?? 'never';
    if (response instanceof Error) throw response;
    if (response !== 'never') return response;
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }
}

/** Returns an object as a server sends it. */
export function thing(
  name: string,
  resourceVersion: number,
  metadata: Partial<Stored<Thing>['metadata']> = {},
): Stored<Thing> {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: {
      name,
      namespace: 'shop',
      uid: `uid-${name}`,
      resourceVersion: String(resourceVersion),
      creationTimestamp: '2024-01-31T12:00:00Z',
      ...metadata,
    },
  };
}

export function listOf(
  resourceVersion: number,
  items: readonly Stored<Thing>[],
  token?: string,
): KubernetesList<Stored<Thing>> {
  return {
    apiVersion: 'example.com/v1',
    kind: 'ThingList',
    metadata: { resourceVersion: String(resourceVersion), ...(token !== undefined && { continue: token }) },
    items: [...items],
  };
}
