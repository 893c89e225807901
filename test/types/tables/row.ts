/** A feature of schemas, and what its type must and must not take. */
export interface Row {
  readonly feature: string;
  /** Schema of a required property. */
  readonly schema: unknown;
  /** The type as a person would write it, where that is short. Must be the very same type. */
  readonly type?: string;
  /** Expressions that must compile as a value. */
  readonly accepts: readonly string[];
  /** Expressions that must not. Empty only where any value will do. */
  readonly rejects: readonly string[];
}

/** A feature of the schema of a whole object: expressions are objects of the kind `Thing`. */
export interface RootRow extends Omit<Row, 'schema' | 'type'> {
  /** The `openAPIV3Schema`; `undefined` where the version has none. */
  readonly root: unknown;
  readonly scope?: 'Namespaced' | 'Cluster';
}
