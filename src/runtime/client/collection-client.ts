import type { KubernetesList, KubernetesObject } from '../api/meta.ts';
import type { BookmarkOptions, IterateOptions, ListOptions, WatchOptions } from '../api/options.ts';
import type { AnySelection, FieldSelection, Selected, SelectFields } from '../api/selected.ts';
import type { Stored } from '../api/types.ts';
import type { AllNamespaces } from '../api/verbs/crud.ts';
import type { ListIteration, PagedIteration } from '../api/verbs/read.ts';
import type { BookmarkEvent, WatchEvent } from '../api/watch-events.ts';
import { onDemand } from '../common/on-demand.ts';
import type { RESTClient } from '../rest/client.ts';
import { decodeLongList } from './reading/decode.ts';
import { lazily } from './reading/lazily.ts';
import { type FetchPage, Pages } from './reading/pages.ts';
import { operationOf, type RequestTarget } from './requests/build-request.ts';
import { listRequest } from './requests/verb-requests.ts';

const watching = onDemand(() => import('./reading/watching.ts'));
const selecting = onDemand(() => import('./reading/selected-source.ts'));

/** Client of a collection, in one namespace or in all. */
export class CollectionClient<T extends KubernetesObject, L extends KubernetesList<unknown>>
  implements AllNamespaces<T, L, string>
{
  protected readonly rest: RESTClient;
  protected readonly target: RequestTarget;

  constructor(rest: RESTClient, target: RequestTarget) {
    this.rest = rest;
    this.target = target;
  }

  list<const S extends FieldSelection<T>>(
    options: ListOptions & SelectFields<S>,
  ): Promise<KubernetesList<Stored<Selected<T, S>>>>;
  list(options?: ListOptions): Promise<L>;
  async list(options: ListOptions & Partial<SelectFields<AnySelection>> = {}): Promise<unknown> {
    if (options.select !== undefined) return this.#selected(options, options.select);
    const request = listRequest(this.target, options);
    return decodeLongList<L>(await this.rest.request(request), this.target.resource, request.operation);
  }

  iterate<const S extends FieldSelection<T>>(
    options: IterateOptions & SelectFields<S>,
  ): ListIteration<Selected<T, S>>;
  iterate(options?: IterateOptions): ListIteration<T>;
  iterate({
    select,
    ...options
  }: IterateOptions & Partial<SelectFields<AnySelection>> = {}): PagedIteration<unknown> {
    const { rest, target } = this;
    const operation = operationOf(target, { verb: 'list' });
    const fetch: FetchPage<T> = async (page) => {
      if (select !== undefined) return this.#selected(page, select);
      const response = await rest.request(listRequest(target, page));
      return decodeLongList<KubernetesList<Stored<T>>>(response, target.resource, operation);
    };
    return new Pages(fetch, options, operation);
  }

  watch<const S extends FieldSelection<T>>(
    options: WatchOptions & BookmarkOptions & SelectFields<S>,
  ): AsyncIterable<WatchEvent<Selected<T, S>> | BookmarkEvent>;
  watch<const S extends FieldSelection<T>>(
    options: WatchOptions & SelectFields<S>,
  ): AsyncIterable<WatchEvent<Selected<T, S>>>;
  watch(options: WatchOptions & BookmarkOptions): AsyncIterable<WatchEvent<T> | BookmarkEvent>;
  watch(options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  watch(
    options: WatchOptions & Partial<BookmarkOptions> & Partial<SelectFields<AnySelection>> = {},
  ): AsyncIterable<unknown> {
    return lazily(async () => {
      const { watchCollection } = await watching();
      return watchCollection<T>(this.rest, this.target, options);
    });
  }

  async #selected(options: ListOptions, select: AnySelection): Promise<KubernetesList<Stored<T>>> {
    const { selectedList } = await selecting();
    return selectedList<T>(this.rest, this.target, options, select);
  }
}
