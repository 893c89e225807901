/** A CRD as the model reads it, independent of its API version. */
import type { CrdInput, JsonObject, JsonPath } from './crd-input.ts';

/** `names` of a CRD. Each is validated as a part of a path, but may not be a TypeScript identifier. */
export interface CrdNames {
  /** A letter, followed by letters, digits and dashes, as required by the API server. */
  readonly kind: string;
  /** Default: the kind with the suffix `List`. */
  readonly listKind: string;
  readonly plural: string;
  /** Default: the kind in lower case. */
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** Whether objects are namespaced or cluster-scoped. */
export type CrdScope = 'Cluster' | 'Namespaced';

/** One column of `kubectl get`. */
export interface CrdPrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly description?: string;
}

/** The scale subresource. */
export interface CrdScale {
  /** JSON path of the number of replicas, as written: `.spec.replicas`. */
  readonly specReplicasPath: string;
}

/** Subresources of a version. */
export interface CrdSubresources {
  readonly status: boolean;
  readonly scale?: CrdScale;
}

/** One version, in the same form for apiextensions v1 and v1beta1. */
export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning?: string;
  /** The `openAPIV3Schema`. Absent if the CRD has none. */
  readonly schema?: JsonObject;
  /**
   * Path of `schema` (or of the version, if there is no schema) from the root of the CRD, for
   * `input.position`.
   */
  readonly schemaPath: JsonPath;
  /** Document of the version, if it is not that of the definition. */
  readonly input?: CrdInput;
  readonly subresources: CrdSubresources;
  readonly printerColumns: readonly CrdPrinterColumn[];
  /** JSON paths, as written: `.spec.color`. */
  readonly selectableFields: readonly string[];
}

/** A validated and normalised CustomResourceDefinition. */
export interface CrdDefinition {
  /** `metadata.name`: the plural, a dot and the group. */
  readonly name: string;
  readonly group: string;
  readonly names: CrdNames;
  readonly scope: CrdScope;
  /** In the order of the CRD, and of its documents. At least one; names are unique. */
  readonly versions: readonly CrdVersion[];
  readonly input: CrdInput;
  /** Set if it was rebuilt from OpenAPI documents, which lack deprecation and printer columns. */
  readonly isRebuilt?: true;
}
