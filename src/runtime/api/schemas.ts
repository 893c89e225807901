/** Published schemas of resources, as generated code contains them. */

/** A value of a schema: JSON, in which integers beyond 2^53 are bigints. */
export type SchemaValue = string | number | bigint | boolean | null | readonly SchemaValue[] | SchemaDocument;

/**
 * A JSON schema as an API server publishes it, with the extensions of Kubernetes (`x-kubernetes-*`) and
 * without descriptions. The value of `$ref` is the full name of a definition, such as
 * `io.k8s.api.core.v1.Pod`.
 */
export interface SchemaDocument {
  readonly [keyword: string]: SchemaValue;
}

/** Schemas of one group version. */
export interface SchemaModule {
  /**
   * Schemas by full name: of built-in kinds and the types that they refer to, and the whole schema of each
   * custom resource, such as `com.example.cache.v1.RedisCluster`.
   */
  readonly definitions: Readonly<Record<string, SchemaDocument>>;
  /** Full name of the definition of each kind. */
  readonly kinds: Readonly<Record<string, string>>;
  /**
   * Loaders of the other modules whose definitions this one refers to, by group and version: `meta/v1`,
   * `core/v1`.
   */
  readonly imports: Readonly<Record<string, LoadSchemas>>;
}

/** Loads the schemas of a group version, the same ones each time. */
export type LoadSchemas = () => Promise<SchemaModule>;
