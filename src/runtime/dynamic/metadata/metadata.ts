/** Objects of which only the metadata is requested. */
import type { KubernetesList, ObjectMeta } from '../../api/meta.ts';
import type { Stored } from '../../api/types.ts';
import type { Get, List, WaitFor, Watch } from '../../api/verbs/read.ts';
import type { Delete, DeleteCollection } from '../../api/verbs/write.ts';
import type { ExplicitPatch } from '../verbs.ts';

/**
 * The metadata of an object. It does not contain the apiVersion and kind of the object itself, which the
 * caller knows from its request.
 */
export interface PartialObjectMetadata {
  /** Always `meta.k8s.io/v1`. */
  apiVersion: string;
  /** Always `PartialObjectMetadata`. */
  kind: string;
  metadata: ObjectMeta;
}

/** A list of metadata. */
export interface PartialObjectMetadataList extends KubernetesList<Stored<PartialObjectMetadata>> {}

/** The verbs of any resource, with metadata as objects. */
export interface MetadataResourceClient
  extends Get<PartialObjectMetadata>,
    List<PartialObjectMetadata, PartialObjectMetadataList, string>,
    Watch<PartialObjectMetadata, string>,
    WaitFor<PartialObjectMetadata>,
    ExplicitPatch<PartialObjectMetadata>,
    Delete<PartialObjectMetadata>,
    DeleteCollection<PartialObjectMetadataList, string> {}

/**
 * A resource whose type is not generated. It stands for all namespaces, for which only `list`, `iterate` and
 * `watch` are supported, or for a cluster-scoped resource, which supports every verb. Other verbs of a
 * resource that is known to be namespaced reject with `TypeError`.
 */
export interface MetadataResourceAccess extends MetadataResourceClient {
  /**
   * Returns the client of one namespace.
   * @throws {TypeError} an empty or invalid name, or a resource that is known to be cluster-scoped
   */
  namespace(namespace: string): MetadataResourceClient;
}

const apiVersion = 'meta.k8s.io/v1';

/**
 * Returns the metadata of a response: servers that do not support the representation return whole objects.
 */
export function partialOf(object: Stored<PartialObjectMetadata>): Stored<PartialObjectMetadata> {
  if (isPartial(object)) return object;
  return { apiVersion, kind: 'PartialObjectMetadata', metadata: object.metadata };
}

/** Returns whether an object is only the metadata of one. */
export function isPartial(object: Pick<PartialObjectMetadata, 'apiVersion' | 'kind'>): boolean {
  // The value is not validated and may have any type.
  const of: unknown = object.apiVersion;
  return object.kind === 'PartialObjectMetadata' && typeof of === 'string' && of.startsWith('meta.k8s.io/');
}

/** Returns the metadata of the items of a list. */
export function partialListOf(list: PartialObjectMetadataList): PartialObjectMetadataList {
  if (list.kind === 'PartialObjectMetadataList') return list;
  const items = list.items.map(partialOf);
  return { apiVersion, kind: 'PartialObjectMetadataList', metadata: list.metadata, items };
}
