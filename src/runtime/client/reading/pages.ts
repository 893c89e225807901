import { DecodeError, isApiError } from '../../api/errors.ts';
import { isExpired } from '../../api/failure-reasons.ts';
import type { KubernetesList } from '../../api/meta.ts';
import type { RequestOperation } from '../../api/operation.ts';
import type { IterateOptions, ListOptions } from '../../api/options.ts';
import type { Stored } from '../../api/types.ts';
import type { ListIteration } from '../../api/verbs/read.ts';
import { onDemand } from '../../common/on-demand.ts';

const emptyPages = onDemand(() => import('../../watch/empty-pages.ts'));

/** Fetches one page. */
export type FetchPage<T> = (options: ListOptions) => Promise<KubernetesList<Stored<T>>>;

const defaultPageSize = 500;

/**
 * List that is fetched page by page. Each iteration starts from the beginning. A page is fetched when its
 * first item is requested, so leaving the loop early sends no unnecessary request.
 */
export class Pages<T> implements ListIteration<T> {
  readonly #fetch: FetchPage<T>;
  readonly #options: IterateOptions;
  readonly #operation: RequestOperation;
  #consistent = true;
  #resourceVersion: string | undefined;

  constructor(fetch: FetchPage<T>, options: IterateOptions, operation: RequestOperation) {
    this.#fetch = fetch;
    this.#options = options;
    this.#operation = operation;
  }

  get consistent(): boolean {
    return this.#consistent;
  }

  get resourceVersion(): string | undefined {
    return this.#resourceVersion;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Stored<T>, void, undefined> {
    this.#consistent = true;
    this.#resourceVersion = undefined;
    const tokens = new Set<string>();
    let token: string | undefined;
    let empty = 0;
    do {
      const page: KubernetesList<Stored<T>> = await this.#page(token);
      this.#resourceVersion = page.metadata.resourceVersion ?? this.#resourceVersion;
      for (const item of page.items) {
        this.#options.signal?.throwIfAborted();
        yield item;
      }
      token = page.metadata.continue || undefined;
      if (token !== undefined && tokens.has(token)) {
        const reason = 'the server repeats the same page of the list';
        throw new DecodeError(reason, this.#operation);
      }
      empty = page.items.length > 0 ? 0 : empty + 1;
      if (token && empty > 0) (await emptyPages()).checkEmptyPages(empty, this.#operation);
      if (token !== undefined) tokens.add(token);
    } while (token !== undefined);
  }

  /** Pages after the first are requested without a resourceVersion, because their token contains it. */
  async #page(token: string | undefined): Promise<KubernetesList<Stored<T>>> {
    const { pageSize, resourceVersion, resourceVersionMatch, ...shared } = this.#options;
    const limit = pageSize ?? defaultPageSize;
    if (token === undefined) return this.#fetch({ ...shared, limit, resourceVersion, resourceVersionMatch });
    try {
      return await this.#fetch({ ...shared, limit, continue: token });
    } catch (error) {
      const offered = offeredToken(error);
      if (offered === undefined) throw error;
      this.#consistent = false;
      return this.#fetch({ ...shared, limit, continue: offered });
    }
  }
}

/**
 * Returns the continue token in the error of an expired list, with which the list continues in a newer state.
 */
export function offeredToken(error: unknown): string | undefined {
  return isApiError(error) && isExpired(error) ? error.status.metadata?.continue || undefined : undefined;
}
