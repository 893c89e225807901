/** The type of a CustomResourceDefinition to install. */

/**
 * A CustomResourceDefinition as generated code contains it, without status. It is assignable to the type of
 * `@kgen/kubernetes`, and to manifests.
 */
export interface CustomResourceDefinition {
  apiVersion: 'apiextensions.k8s.io/v1';
  kind: 'CustomResourceDefinition';
  metadata: {
    /** The plural, a dot and the group. */
    name: string;
    annotations?: { [key: string]: string };
    labels?: { [key: string]: string };
  };
  spec: {
    conversion?: DefinitionConversion;
    group: string;
    names: {
      categories?: string[];
      kind: string;
      listKind: string;
      plural: string;
      shortNames?: string[];
      singular: string;
    };
    scope: 'Cluster' | 'Namespaced';
    versions: DefinitionVersion[];
  };
}

/** Conversion between the versions of a definition. */
export interface DefinitionConversion {
  strategy: string;
  webhook?: {
    clientConfig?: {
      caBundle?: string;
      service?: { name: string; namespace: string; path?: string; port?: number };
      url?: string;
    };
    conversionReviewVersions: string[];
  };
}

/** One version of a definition. */
export interface DefinitionVersion {
  additionalPrinterColumns?: {
    description?: string;
    format?: string;
    jsonPath: string;
    name: string;
    priority?: number;
    type: string;
  }[];
  deprecated?: boolean;
  deprecationWarning?: string;
  name: string;
  schema: { openAPIV3Schema: DefinitionSchema };
  selectableFields?: { jsonPath: string }[];
  served: boolean;
  storage: boolean;
  subresources?: {
    scale?: { labelSelectorPath?: string; specReplicasPath: string; statusReplicasPath: string };
    // biome-ignore lint/complexity/noBannedTypes: the type of @kgen/kubernetes for an object without members
    status?: {};
  };
}

/** Structural schema of a version. */
export interface DefinitionSchema {
  additionalProperties?: DefinitionSchema | boolean;
  allOf?: DefinitionSchema[];
  anyOf?: DefinitionSchema[];
  default?: unknown;
  enum?: unknown[];
  exclusiveMaximum?: boolean;
  exclusiveMinimum?: boolean;
  format?: string;
  items?: DefinitionSchema;
  maxItems?: number;
  maxLength?: number;
  maxProperties?: number;
  maximum?: number;
  minItems?: number;
  minLength?: number;
  minProperties?: number;
  minimum?: number;
  multipleOf?: number;
  not?: DefinitionSchema;
  nullable?: boolean;
  oneOf?: DefinitionSchema[];
  pattern?: string;
  properties?: { [key: string]: DefinitionSchema };
  required?: string[];
  type?: string;
  'x-kubernetes-embedded-resource'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-map-type'?: string;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-validations'?: {
    fieldPath?: string;
    message?: string;
    messageExpression?: string;
    optionalOldSelf?: boolean;
    reason?: string;
    rule: string;
  }[];
}
