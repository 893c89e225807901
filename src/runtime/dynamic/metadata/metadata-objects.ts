import type { KubernetesList, Status } from '../../api/meta.ts';
import type {
  BookmarkOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  IterateOptions,
  ListOptions,
  WaitOptions,
  WatchOptions,
} from '../../api/options.ts';
import type { FieldSelection, Selected, SelectFields } from '../../api/selected.ts';
import type { Stored } from '../../api/types.ts';
import type { ListIteration, PagedIteration } from '../../api/verbs/read.ts';
import type { BookmarkEvent, WatchEvent } from '../../api/watch-events.ts';
import { ObjectClient } from '../../client/object-client.ts';
import { Pages } from '../../client/reading/pages.ts';
import { operationOf } from '../../client/requests/build-request.ts';
import type { ResourceIdentity } from '../../client/requests/paths.ts';
import type { PatchRequestOptions } from '../../client/requests/verb-requests.ts';
import type { RESTClient } from '../../rest/client.ts';
import { isStatus } from '../../rest/response/is-status.ts';
import { mapped } from '../map-async-iterable.ts';
import { asMetadata, inNamespace } from '../target.ts';
import { requirePatchType } from '../validate-request.ts';
import {
  type MetadataResourceAccess,
  type MetadataResourceClient,
  type PartialObjectMetadata,
  type PartialObjectMetadataList,
  partialListOf,
  partialOf,
} from './metadata.ts';

type MetadataSelection = FieldSelection<PartialObjectMetadata>;
type SelectedMetadata<S> = Selected<PartialObjectMetadata, S>;
type Metadata = Stored<PartialObjectMetadata>;
type Event = WatchEvent<PartialObjectMetadata> | BookmarkEvent;

/** The metadata of objects. Requests ask for metadata only, and other members of responses are dropped. */
export class MetadataObjects
  extends ObjectClient<PartialObjectMetadata, PartialObjectMetadataList>
  implements MetadataResourceClient
{
  override async get(name: string, options?: GetOptions): Promise<Metadata> {
    return partialOf(await super.get(name, options));
  }

  override list<const S extends MetadataSelection>(
    options: ListOptions & SelectFields<S>,
  ): Promise<KubernetesList<Stored<SelectedMetadata<S>>>>;
  override list(options?: ListOptions): Promise<PartialObjectMetadataList>;
  override async list(options?: ListOptions): Promise<unknown> {
    return partialListOf(await super.list(options));
  }

  override iterate<const S extends MetadataSelection>(
    options: IterateOptions & SelectFields<S>,
  ): ListIteration<SelectedMetadata<S>>;
  override iterate(options?: IterateOptions): ListIteration<PartialObjectMetadata>;
  override iterate(options: IterateOptions = {}): PagedIteration<unknown> {
    const operation = operationOf(this.target, { verb: 'list' });
    return new Pages<PartialObjectMetadata>((page) => this.list(page), options, operation);
  }

  override watch<const S extends MetadataSelection>(
    options: WatchOptions & BookmarkOptions & SelectFields<S>,
  ): AsyncIterable<WatchEvent<SelectedMetadata<S>> | BookmarkEvent>;
  override watch<const S extends MetadataSelection>(
    options: WatchOptions & SelectFields<S>,
  ): AsyncIterable<WatchEvent<SelectedMetadata<S>>>;
  override watch(options: WatchOptions & BookmarkOptions): AsyncIterable<Event>;
  override watch(options?: WatchOptions): AsyncIterable<WatchEvent<PartialObjectMetadata>>;
  override watch(options: WatchOptions & Partial<BookmarkOptions> = {}): AsyncIterable<unknown> {
    return mapped<Event, Event>(super.watch(options), partialEvent);
  }

  override async patch(name: string, body: unknown, options?: PatchRequestOptions): Promise<Metadata> {
    return partialOf(await super.patch(name, body, requirePatchType(options)));
  }

  override async delete(name: string, options?: DeleteOptions): Promise<Metadata | Status> {
    const response = await super.delete(name, options);
    return isStatus(response) ? response : partialOf(response);
  }

  override waitFor<S extends Metadata | undefined>(
    name: string,
    predicate: (object: Metadata | undefined) => object is S,
    options?: WaitOptions,
  ): Promise<S>;
  override waitFor(
    name: string,
    predicate: (object: Metadata | undefined) => boolean,
    options?: WaitOptions,
  ): Promise<Metadata | undefined>;
  override async waitFor(
    name: string,
    predicate: (object: Metadata | undefined) => boolean,
    options?: WaitOptions,
  ): Promise<Metadata | undefined> {
    const found = await super.waitFor(name, (object) => predicate(object && partialOf(object)), options);
    return found && partialOf(found);
  }

  override async deleteCollection(
    options?: DeleteCollectionOptions,
  ): Promise<PartialObjectMetadataList | Status> {
    const response = await super.deleteCollection(options);
    return isStatus(response) ? response : partialListOf(response);
  }
}

function partialEvent(event: Event): Event {
  return event.type === 'BOOKMARK' ? event : { ...event, object: partialOf(event.object) };
}

/** The metadata of a resource, in all namespaces or in one. */
export class MetadataAccess extends MetadataObjects implements MetadataResourceAccess {
  constructor(rest: RESTClient, resource: ResourceIdentity) {
    super(rest, asMetadata({ resource }));
  }

  namespace(namespace: string): MetadataResourceClient {
    return new MetadataObjects(this.rest, asMetadata(inNamespace(this.target.resource, namespace)));
  }
}
