import type { KubernetesObject } from '../api/meta.ts';
import type { ApplyOptions, GetOptions, WriteOptions } from '../api/options.ts';
import type { Intent, Stored, WithName } from '../api/types.ts';
import { ObjectClient } from '../client/object-client.ts';
import { lazily } from '../client/reading/lazily.ts';
import type { ResourceIdentity } from '../client/requests/paths.ts';
import * as requests from '../client/requests/verb-requests.ts';
import { NamedSubresource } from '../client/subresource-client.ts';
import { onDemand } from '../common/on-demand.ts';
import type { RESTClient } from '../rest/client.ts';
import type { Table, TableEvent, TableOptions, TableWatchOptions } from './tables/table.ts';
import { inNamespace } from './target.ts';
import type { SubresourceBody, Unstructured, UnstructuredList } from './unstructured.ts';
import { checkApplicable, checkNamespace, requirePatchType } from './validate-request.ts';
import type { DynamicResourceAccess, DynamicResourceClient, UnstructuredSubresource } from './verbs.ts';

const tables = onDemand(() => import('./tables/table.ts'));
const tableWatches = onDemand(() => import('./tables/table-watch.ts'));

/** A subresource whose patches require an explicit type. */
class Subresource extends NamedSubresource<SubresourceBody> {
  override async patch(
    name: string,
    body: unknown,
    options?: requests.PatchRequestOptions,
  ): Promise<SubresourceBody> {
    return super.patch(name, body, requirePatchType(options));
  }
}

/** Objects of any kind, in one namespace or cluster-scoped. */
export class DynamicObjects<T extends KubernetesObject = Unstructured>
  extends ObjectClient<T, UnstructuredList<T>>
  implements DynamicResourceClient<T>
{
  override async create(object: T, options?: WriteOptions<'All' | undefined>): Promise<Stored<T>> {
    return super.create(checkNamespace(object, this.target), options);
  }

  override async update(object: WithName<T>, options?: WriteOptions<'All' | undefined>): Promise<Stored<T>> {
    return super.update(checkNamespace(object, this.target), options);
  }

  override async patch(
    name: string,
    body: unknown,
    options?: requests.PatchRequestOptions,
  ): Promise<Stored<T>> {
    return super.patch(name, body, requirePatchType(options));
  }

  override async apply(
    object: WithName<T> | Intent<T>,
    options?: ApplyOptions<'All' | undefined>,
  ): Promise<Stored<T>> {
    return this.#apply(object, options);
  }

  async getStatus(name: string, options?: GetOptions): Promise<Stored<T>> {
    return this.send(requests.getRequest(this.target, name, options, 'status'));
  }

  async updateStatus(object: WithName<T>, options?: WriteOptions<'All' | undefined>): Promise<Stored<T>> {
    return this.send(
      requests.updateRequest(this.target, checkNamespace(object, this.target), options, 'status'),
    );
  }

  async patchStatus(name: string, body: unknown, options?: requests.PatchRequestOptions): Promise<Stored<T>> {
    return this.send(requests.patchRequest(this.target, name, body, requirePatchType(options), 'status'));
  }

  async applyStatus(
    object: WithName<T> | Intent<T>,
    options?: ApplyOptions<'All' | undefined>,
  ): Promise<Stored<T>> {
    return this.#apply(object, options, 'status');
  }

  subresource(name: string): UnstructuredSubresource {
    return new Subresource(this.rest, this.target, name);
  }

  async table(options?: TableOptions): Promise<Table> {
    const { fetchTable, tableRequest } = await tables();
    return fetchTable(this.rest, tableRequest(this.target, options));
  }

  async getTable(name: string, options?: GetOptions & Pick<TableOptions, 'includeObject'>): Promise<Table> {
    const { fetchTable, rowRequest } = await tables();
    return fetchTable(this.rest, rowRequest(this.target, name, options));
  }

  watchTable(options: TableWatchOptions = {}): AsyncIterable<TableEvent> {
    return lazily(async () => {
      const { watchTable } = await tableWatches();
      return watchTable(this.rest, this.target, options);
    });
  }

  #apply(
    object: WithName<T> | Intent<T>,
    options?: ApplyOptions<'All' | undefined>,
    subresource?: string,
  ): Promise<Stored<T>> {
    const intent = checkApplicable(checkNamespace(object, this.target));
    return this.send(requests.applyRequest(this.target, intent, options, subresource));
  }
}

/** A resource of any kind, in all namespaces or in one. */
export class DynamicAccess<T extends KubernetesObject = Unstructured>
  extends DynamicObjects<T>
  implements DynamicResourceAccess<T>
{
  constructor(rest: RESTClient, resource: ResourceIdentity) {
    super(rest, { resource });
  }

  namespace(namespace: string): DynamicResourceClient<T> {
    return new DynamicObjects(this.rest, inNamespace(this.target.resource, namespace));
  }
}
