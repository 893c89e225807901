/** Objects of which only the metadata is asked for. */
import type { KubernetesList, ObjectMeta } from '../meta.ts';
import type { Stored } from '../types.ts';
import type { Get, List, WaitFor, Watch } from '../verbs/read.ts';
import type { Delete, DeleteCollection } from '../verbs/write.ts';
import type { StatedPatch } from './verbs.ts';

/**
 * The metadata of an object, and nothing else of it. What the object itself is, its apiVersion and kind, is not in it:
 * that is for the client to remember that asked.
 */
export interface PartialObjectMetadata {
  /** `meta.k8s.io/v1` */
  apiVersion: string;
  /** `PartialObjectMetadata` */
  kind: string;
  metadata: ObjectMeta;
}

/** A list of metadata. */
export interface PartialObjectMetadataList extends KubernetesList<Stored<PartialObjectMetadata>> {}

/** The verbs of any resource for which its metadata is enough. */
export interface MetadataResourceClient
  extends Get<PartialObjectMetadata>,
    List<PartialObjectMetadata, PartialObjectMetadataList, string>,
    Watch<PartialObjectMetadata, string>,
    WaitFor<PartialObjectMetadata>,
    StatedPatch<PartialObjectMetadata>,
    Delete<PartialObjectMetadata>,
    DeleteCollection<PartialObjectMetadataList, string> {}

/**
 * A resource that is known by its name alone. As it is it stands for all namespaces, of which only `list`, `iterate`
 * and `watch` can be asked, or for a resource that is not in namespaces, which has every verb.
 * Other verbs of a resource that is known to live in namespaces reject with `TypeError`.
 */
export interface MetadataResourceAccess extends MetadataResourceClient {
  /**
   * The objects of one namespace.
   * @throws {TypeError} an empty name, one that no namespace can have, or a resource that is known to have no namespaces
   */
  namespace(namespace: string): MetadataResourceClient;
}

function isPartial(object: PartialObjectMetadata): boolean {
  // The wire: it may be of any type.
  const of: unknown = object.apiVersion;
  return object.kind === 'PartialObjectMetadata' && typeof of === 'string' && of.startsWith('meta.k8s.io/');
}

const apiVersion = 'meta.k8s.io/v1';

/** The metadata of what came: servers that do not know the form give whole objects. */
export function partialOf(object: Stored<PartialObjectMetadata>): Stored<PartialObjectMetadata> {
  if (isPartial(object)) return object;
  return { apiVersion, kind: 'PartialObjectMetadata', metadata: object.metadata };
}

/** The same of a list. */
export function partialListOf(list: PartialObjectMetadataList): PartialObjectMetadataList {
  if (list.kind === 'PartialObjectMetadataList') return list;
  const items = list.items.map(partialOf);
  return { apiVersion, kind: 'PartialObjectMetadataList', metadata: list.metadata, items };
}
