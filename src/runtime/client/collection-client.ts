import type { KubernetesList, KubernetesObject } from '../meta.ts';
import type { Bookmarks, IterateOptions, ListOptions, WatchOptions } from '../options.ts';
import type { RESTClient } from '../rest/client.ts';
import type { Stored } from '../types.ts';
import type { AllNamespaces } from '../verbs/crud.ts';
import type { ListIteration } from '../verbs/read.ts';
import type { BookmarkEvent, WatchEvent } from '../watch/events.ts';
import { decodeList } from './decode.ts';
import { lazily } from './lazily.ts';
import { Pages } from './pages.ts';
import type { Target } from './request.ts';
import { listRequest } from './requests.ts';

/** What can be asked of a collection, in one namespace or in all. */
export class CollectionClient<T extends KubernetesObject, L extends KubernetesList<unknown>>
  implements AllNamespaces<T, L, string>
{
  protected readonly rest: RESTClient;
  protected readonly target: Target;

  constructor(rest: RESTClient, target: Target) {
    this.rest = rest;
    this.target = target;
  }

  async list(options?: ListOptions): Promise<L> {
    const request = listRequest(this.target, options);
    return decodeList<L>(await this.rest.request(request), this.target.resource, request.operation);
  }

  iterate(options: IterateOptions = {}): ListIteration<T> {
    const { rest, target } = this;
    return new Pages<T>(async (page) => {
      const request = listRequest(target, page);
      const answer = await rest.request(request);
      return decodeList<KubernetesList<Stored<T>>>(answer, target.resource, request.operation);
    }, options);
  }

  watch(options: WatchOptions & Bookmarks): AsyncIterable<WatchEvent<T> | BookmarkEvent>;
  watch(options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  watch(options: WatchOptions & Partial<Bookmarks> = {}): AsyncIterable<WatchEvent<T> | BookmarkEvent> {
    return lazily(async () => {
      const { watchCollection } = await import('./watching.ts');
      return watchCollection<T>(this.rest, this.target, options);
    });
  }
}
