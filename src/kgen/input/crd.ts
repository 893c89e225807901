import type { CrdInput, JsonObject, JsonPath } from './crd-input.ts';

/** `names` of a CRD. Every text is checked: safe as a path part, but not always a TypeScript identifier. */
export interface CrdNames {
  /** A letter, then letters, digits and dashes, as the API server demands. */
  readonly kind: string;
  /** Kind + `List` where the CRD names none. */
  readonly listKind: string;
  readonly plural: string;
  /** The kind in lower case where the CRD names none. */
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** Whether objects live in namespaces. */
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
  /** JSON path of the number that scaling sets, as written: `.spec.replicas`. */
  readonly specReplicasPath: string;
}

/** Which subresources a version has. */
export interface CrdSubresources {
  readonly status: boolean;
  readonly scale?: CrdScale;
}

/** One version, in the same shape for apiextensions v1 and v1beta1. */
export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning?: string;
  /** The `openAPIV3Schema`; absent where the CRD has none. */
  readonly schema?: JsonObject;
  /** Path of `schema` (or of the version, where there is no schema) from the root of the CRD, for `input.position`. */
  readonly schemaPath: JsonPath;
  readonly subresources: CrdSubresources;
  readonly printerColumns: readonly CrdPrinterColumn[];
  /** JSON paths, as written: `.spec.color`. */
  readonly selectableFields: readonly string[];
}

/** A checked and normalised CustomResourceDefinition. */
export interface CrdDefinition {
  /** `metadata.name`: plural + `.` + group. */
  readonly name: string;
  readonly group: string;
  readonly names: CrdNames;
  readonly scope: CrdScope;
  /** In the order of the CRD; at least one; names are unique. */
  readonly versions: readonly CrdVersion[];
  readonly input: CrdInput;
}
