import type { KubernetesList, KubernetesObject, Status } from '../api/meta.ts';
import type {
  ApplyOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  WaitOptions,
  WriteOptions,
} from '../api/options.ts';
import type { APIRequest } from '../api/transport.ts';
import type { Intent, Stored, WithName } from '../api/types.ts';
import type { Get, WaitFor } from '../api/verbs/read.ts';
import type {
  Apply,
  Create,
  CustomPatch,
  Delete,
  DeleteCollection,
  Patch,
  Update,
} from '../api/verbs/write.ts';
import { onDemand } from '../common/on-demand.ts';
import { isStatus, successStatus } from '../rest/response/is-status.ts';
import { CollectionClient } from './collection-client.ts';
import { decodeList, decodeObject, isList } from './reading/decode.ts';
import { isAbsent } from './reading/responses.ts';
import * as requests from './requests/verb-requests.ts';

const watching = onDemand(() => import('./reading/watching.ts'));

/** Client of single objects: of one namespace, or of a cluster-scoped resource. */
export class ObjectClient<T extends KubernetesObject, L extends KubernetesList<unknown>>
  extends CollectionClient<T, L>
  implements
    Get<T>,
    WaitFor<T>,
    Create<T>,
    Update<T>,
    Patch<T>,
    CustomPatch<T>,
    Apply<T>,
    Delete<T>,
    DeleteCollection<L, string>
{
  async get(name: string, options?: GetOptions): Promise<Stored<T>> {
    return this.send(requests.getRequest(this.target, name, options));
  }

  async find(name: string, options?: GetOptions): Promise<Stored<T> | undefined> {
    try {
      return await this.get(name, options);
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  waitFor<S extends Stored<T> | undefined>(
    name: string,
    predicate: (object: Stored<T> | undefined) => object is S,
    options?: WaitOptions,
  ): Promise<S>;
  waitFor(
    name: string,
    predicate: (object: Stored<T> | undefined) => boolean,
    options?: WaitOptions,
  ): Promise<Stored<T> | undefined>;
  async waitFor(
    name: string,
    predicate: (object: Stored<T> | undefined) => boolean,
    options: WaitOptions = {},
  ): Promise<Stored<T> | undefined> {
    const { waitForObject } = await watching();
    return waitForObject(this.rest, this.target, { name, predicate, options });
  }

  async create(object: T, options?: WriteOptions<'All' | undefined>): Promise<Stored<T>> {
    return this.send(requests.createRequest(this.target, object, options));
  }

  async update(object: WithName<T>, options?: WriteOptions<'All' | undefined>): Promise<Stored<T>> {
    return this.send(requests.updateRequest(this.target, object, options));
  }

  async patch(name: string, body: unknown, options?: requests.PatchRequestOptions): Promise<Stored<T>> {
    return this.send(requests.patchRequest(this.target, name, body, options));
  }

  async apply(intent: Intent<T>, options?: ApplyOptions<'All' | undefined>): Promise<Stored<T>> {
    return this.send(requests.applyRequest(this.target, intent, options));
  }

  async delete(name: string, options?: DeleteOptions): Promise<Stored<T> | Status> {
    return this.send(requests.deleteRequest(this.target, name, options));
  }

  async deleteAndWait(name: string, options: DeleteOptions & WaitOptions = {}): Promise<void> {
    const { deleteAndWait } = await watching();
    await deleteAndWait(this.rest, this.target, { name, options });
  }

  async deleteCollection(options?: DeleteCollectionOptions): Promise<L | Status> {
    const request = requests.deleteCollectionRequest(this.target, options);
    const response = await this.rest.request(request);
    const object = decodeObject<L | Status>(response, request.operation);
    if (isStatus(object)) return object;
    // The objects are deleted, also if the response is an object of another kind.
    if (!isList(object)) return successStatus();
    return decodeList<L>(response, this.target.resource, request.operation);
  }

  /** Sends a request whose response is an object. */
  protected async send<R>(request: APIRequest): Promise<R> {
    return decodeObject<R>(await this.rest.request(request), request.operation);
  }
}
