/** Interface of the rules of a built-in kind. */
import type { FieldError } from '@kgen/runtime/objects';
import type { JsonObject } from '@kgen/schema/values/json';
import type { Store } from '../../../store/store.ts';
import type { Check } from './checks.ts';

/** Metadata that updates of the status do not change, in kinds of newer APIs. */
export const restoredMetadata: readonly string[] = [
  'annotations',
  'deletionTimestamp',
  'finalizers',
  'labels',
  'ownerReferences',
];

/** Input of rules besides the object: other objects, and randomness for names and addresses. */
export interface Cluster {
  readonly store: Store;
  /** Returns a random number in [0, 1). */
  readonly random: () => number;
  /** Returns the time in the format of Kubernetes. */
  readonly now: () => string;
  readonly user: { readonly name: string; readonly groups: readonly string[] };
  readonly dryRun: boolean;
}

/** A write that is validated. */
export interface KindWrite {
  readonly value: JsonObject;
  /** `undefined` for a create. */
  readonly old: JsonObject | undefined;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** The version of the request. The value is in the stored form. */
  readonly apiVersion: string;
}

/** Behaviour of one built-in kind. Absent members have the generic behaviour. */
export interface KindRules {
  /** Returns the problem of a name. Default: names are DNS subdomains. */
  readonly name?: (name: string) => string | undefined;
  /** Whether the metadata of a new object is validated only if the rest of it is valid. */
  readonly metadataLast?: boolean;
  /** Whether the object has a `metadata.generation`, which counts changes outside of metadata and status. */
  readonly generation?: boolean;
  /** Members besides `status` that a change of which does not count as a new generation. */
  readonly ungenerated?: readonly string[];
  /** Whether a write counts as a new generation even if it changes nothing. */
  readonly counts?: (value: JsonObject) => boolean;
  /** Member of the metadata of which a change counts as a new generation, too. */
  readonly counted?: 'annotations' | 'labels';
  /**
   * Moves members that are written and never read to those that are stored. An applied configuration is
   * merged before: its manager owns the members that it writes.
   */
  readonly writeOnly?: (value: JsonObject) => JsonObject;
  /** Fills in the defaults of the API version. The object is complete apart from them. */
  readonly defaults?: (value: JsonObject) => JsonObject;
  /** Applies admission plugins that are enabled by default. @throws {Failure} 403 */
  readonly admit?: (value: JsonObject, old: JsonObject | undefined, cluster: Cluster) => JsonObject;
  /** Prepares an object for its creation, after its status was reset. */
  readonly create?: (value: JsonObject, cluster: Cluster) => JsonObject;
  /** Prepares an update of the object itself, whose status is that of `old`. */
  readonly update?: (value: JsonObject, old: JsonObject, cluster: Cluster) => JsonObject;
  /** Prepares an update through a subresource other than `status`. */
  readonly updatePart?: (
    value: JsonObject,
    old: JsonObject,
    subresource: string,
    cluster: Cluster,
  ) => JsonObject;
  /** Members of the metadata that an update of the status does not change. */
  readonly statusKeeps?: readonly string[];
  /** Paths below the object that writes of the subresource reset, so that writers do not own them. */
  readonly resets?: (subresource: string) => readonly (readonly string[])[];
  /** Changes the status before an update of it is validated. */
  readonly updateStatus?: (value: JsonObject, old: JsonObject, cluster: Cluster) => JsonObject;
  /** Validates creates, and the object itself in updates. */
  readonly check?: Check;
  /** Validates the status in updates of it. */
  readonly checkStatus?: Check;
  /** Validates changes of the status. */
  readonly checkStatusUpdate?: (write: KindWrite & { readonly old: JsonObject }) => readonly FieldError[];
  /** Validates what depends on the request. */
  readonly checkWrite?: (write: KindWrite) => readonly FieldError[];
  /** Validates changes. */
  readonly checkUpdate?: (write: KindWrite & { readonly old: JsonObject }) => readonly FieldError[];
  /** Validates that need other objects. */
  readonly checkCluster?: (write: KindWrite, cluster: Cluster) => readonly FieldError[];
  /** Returns warnings about the object, which do not prevent the write. */
  readonly warnings?: (value: JsonObject, old: JsonObject | undefined) => readonly string[];
  /** Releases what the creation allocated, such as the addresses of a service. */
  readonly removed?: (value: JsonObject, cluster: Cluster) => void;
  /** Called after the object was written. */
  readonly written?: (value: JsonObject, cluster: Cluster) => void;
  /** Whether clients write the status with the object: kinds without a status subresource. */
  readonly keepsStatus?: boolean;
  /** Whether a PUT creates an object that does not exist. */
  readonly createOnUpdate?: boolean;
  /** Whether an update may omit `metadata.resourceVersion`. Default: true. */
  readonly unconditionalUpdate?: boolean;
}
