/**
 * Types and values with which an author declares a custom resource in TypeScript. `kgen manifests` reads such
 * modules without running them, unless a version has a schema: `api` and `version` return their argument.
 */
import type { ObjectMeta } from '@kgen/runtime/gen/v1';

export type { Condition, LabelSelector, ObjectMeta } from '@kgen/runtime/gen/v1';

declare const kubernetesType: unique symbol;

/** A value with the name of its Kubernetes type, which plain values of that type need not have. */
type Named<Value, Name extends string> = Value & { readonly [kubernetesType]?: Name };

/** An integer between -2^31 and 2^31-1: `type: integer`, `format: int32`. */
export type Int32 = Named<number, 'int32'>;

/** An integer of 64 bits: `type: integer`, `format: int64`. Numbers are exact up to 2^53. */
export type Int64 = Named<number, 'int64'>;

/** A number with a fraction: `type: number`, `format: double`. */
export type Double = Named<number, 'double'>;

/** An integer, or a string such as `25%`: `x-kubernetes-int-or-string`. */
export type IntOrString = Named<number | string, 'int-or-string'>;

/** A quantity such as `512Mi` or `0.5`: `x-kubernetes-int-or-string` with the pattern of quantities. */
export type Quantity = Named<number | string, 'quantity'>;

/** A duration as Go prints it, such as `1m30s`: a string. */
export type Duration = Named<string, 'duration'>;

/** A time of RFC 3339, such as `2026-01-02T15:04:05Z`: `format: date-time`. */
export type Timestamp = Named<string, 'date-time'>;

/** Bytes in base64: `format: byte`. */
export type Base64 = Named<string, 'byte'>;

/** An object with any members, which servers keep: `x-kubernetes-preserve-unknown-fields`. */
export type JsonObject = Named<{ readonly [key: string]: unknown }, 'json-object'>;

/** A whole object of any kind: `x-kubernetes-embedded-resource`. */
export type EmbeddedResource = Named<
  {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata?: ObjectMeta;
    readonly [key: string]: unknown;
  },
  'embedded-resource'
>;

/**
 * A custom resource: interfaces of kinds extend it. A status makes `status` a subresource.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/
 */
export interface CustomResource<Spec, Status = never> {
  readonly metadata?: ObjectMeta;
  readonly spec: Spec;
  readonly status?: Status;
}

/** Steps into a type after which no more paths are completed, so that recursive types end. */
type Depth = [never, 0, 1, 2, 3, 4, 5, 6, 7];

type Scalar = string | number | bigint | boolean;

type Member<T, Steps extends number, Last> = T extends Last
  ? never
  : T extends readonly (infer Item)[]
    ? `[${string}]${Below<Item, Depth[Steps], Last>}`
    : Below<T, Steps, Last>;

type Below<T, Steps extends number, Last> = [Steps] extends [never]
  ? ''
  : T extends Scalar
    ? ''
    : T extends readonly unknown[]
      ? Member<T, Steps, Last>
      : T extends object
        ? '' | `.${PathsIn<T, Depth[Steps], Last>}`
        : '';

type PathsIn<T, Steps extends number, Last> = [Steps] extends [never]
  ? never
  : {
      [Key in keyof T & string]-?: string extends Key
        ? string
        : `${Key}${'' | Below<NonNullable<T[Key]>, Steps, Last>}`;
    }[keyof T & string];

/** Paths of the fields of an object: `spec.replicas`, `status.conditions[Ready].status`. */
export type FieldPath<T> = PathsIn<T, 7, never>;

type ScalarPathsIn<T, Value, Steps extends number> = [Steps] extends [never]
  ? never
  : {
      [Key in keyof T & string]-?: string extends Key
        ? string
        : NonNullable<T[Key]> extends Value
          ? Key
          : NonNullable<T[Key]> extends readonly unknown[]
            ? never
            : NonNullable<T[Key]> extends object
              ? `${Key}.${ScalarPathsIn<NonNullable<T[Key]>, Value, Depth[Steps]>}`
              : never;
    }[keyof T & string];

/** Paths of the fields outside of lists whose values have a type: `spec.replicas`. */
export type ScalarPath<T, Value = Scalar> = ScalarPathsIn<T, Value, 7>;

/** A JSONPath as definitions contain it, which is not checked: `.status.selector`. */
export type JsonPathText = `.${string}`;

/**
 * A column of `kubectl get`.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#additional-printer-columns
 */
export type Column<T> = ColumnFacts & (PathColumn<T> | JsonPathColumn);

/** Facts about a column. */
export interface ColumnFacts {
  /** Title of the column. */
  readonly name: string;
  /** Format of the values, such as `int32`, `date` or `password`. */
  readonly format?: string;
  /** Explanation of the column. */
  readonly description?: string;
  /** Columns with a priority above 0 are printed with `-o wide` only. Default: 0. */
  readonly priority?: number;
}

/** Type of the values of a column. */
export type ColumnType = 'integer' | 'number' | 'string' | 'boolean' | 'date';

/** A column with a field of the type. */
export interface PathColumn<T> {
  /**
   * Path of the field. `status.conditions[Ready].status` selects the item of a list by its list map key;
   * `[0]` selects an item by its position. `metadata.creationTimestamp` is the time of creation.
   */
  readonly path: FieldPath<T> | 'metadata.creationTimestamp';
  /** Default: derived from the field. */
  readonly type?: ColumnType;
}

/** A column whose values no path of the type leads to. */
export interface JsonPathColumn {
  /** JSONPath of kubectl, which is not checked: `.spec.hosts[*].name`. */
  readonly jsonPath: string;
  readonly type: ColumnType;
}

/**
 * The scale subresource.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#scale-subresource
 */
export interface ScaleFields<T> {
  /** Path of the desired replicas, below `spec`. */
  readonly replicas: ScalarPath<T, number> | JsonPathText;
  /** Path of the observed replicas, below `status`. */
  readonly statusReplicas: ScalarPath<T, number> | JsonPathText;
  /** Path of the label selector as a string, which horizontal autoscalers need. */
  readonly selector?: ScalarPath<T, string> | JsonPathText;
}

/** Facts about one version of a custom resource. */
export interface VersionFacts<T> {
  /** Whether objects are stored in this version. Required for one version if there are several. */
  readonly storage?: boolean;
  /** Whether the version is served. Default: true. */
  readonly served?: boolean;
  /** Deprecates the version. A string is the warning that clients receive: at most 256 characters. */
  readonly deprecated?: string | boolean;
  readonly columns?: readonly Column<T>[];
  readonly scale?: ScaleFields<T>;
  /** Paths of the fields that field selectors accept: at most 8, none of them in lists. */
  readonly selectable?: readonly (ScalarPath<T, string | number | boolean> | JsonPathText)[];
  /** Whether the status is a subresource. Default: true if the type has a status. */
  readonly status?: boolean;
}

/** A version as `version` declares it. */
export interface Version {
  readonly facts: object;
  /** Absent if a type describes the objects. */
  readonly schema?: JsonSchemaSource<unknown>;
}

/** Conversion between the versions of a custom resource by a webhook. */
export type WebhookConversion = ConversionFacts & (ServiceConversion | UrlConversion);

/** Facts about a conversion by a webhook. */
export interface ConversionFacts {
  /** Versions of ConversionReview that the webhook supports, best first. Default: `v1`. */
  readonly reviewVersions?: readonly string[];
}

/** A webhook behind a service. */
export interface ServiceConversion {
  readonly service: {
    readonly name: string;
    readonly namespace: string;
    /** Default: `/convert`. An empty one is left out. */
    readonly path?: string;
    /** Default: 443. */
    readonly port?: number;
  };
}

/** A webhook outside of the cluster. */
export interface UrlConversion {
  /** Address with its path, which begins with `https://`, without a query. */
  readonly url: `https://${string}`;
}

/** A custom resource with its versions. */
export interface CustomResourceApi {
  /** API group: a DNS subdomain with a dot. */
  readonly group: string;
  readonly kind: string;
  /** Default: derived from the kind. */
  readonly plural?: string;
  /** Default: the kind in lower case. */
  readonly singular?: string;
  /** Default: the kind with the suffix `List`. */
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Default: `Namespaced`. */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** Labels of the definition. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Annotations of the definition. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Default: no conversion, which suits versions with equal fields. */
  readonly conversion?: WebhookConversion;
  /** By name: `v1`, `v1beta1`. */
  readonly versions: Readonly<Record<string, Version>>;
}

/** Declares a custom resource. Its module exports the result by default. */
export function api<const Api extends CustomResourceApi>(declaration: Api): Api {
  return declaration;
}

/**
 * A schema of a library of validators, such as Zod or ArkType, which describes itself as JSON Schema.
 * https://standardschema.dev/json-schema
 */
export interface JsonSchemaSource<Value> {
  readonly '~standard': {
    readonly types?: { readonly input: Value } | undefined;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Readonly<Record<string, unknown>>;
    };
  };
}

/** Declares a version with the type of its objects: `version<RedisCluster>()({ storage: true })`. */
export function version<T>(): (facts?: VersionFacts<T>) => Version;
/**
 * Declares a version with the schema of its objects: `version(redisCluster)({ storage: true })`. To read the
 * schema, `kgen manifests` runs the module.
 */
export function version<T>(schema: JsonSchemaSource<T>): (facts?: VersionFacts<T>) => Version;
export function version<T>(schema?: JsonSchemaSource<T>): (facts?: VersionFacts<T>) => Version {
  return (facts = {}) => ({ facts, ...(schema !== undefined && { schema }) });
}
