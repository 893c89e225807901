/** A feature of schemas, with values that its type must accept and reject. */
export interface Row {
  readonly feature: string;
  /** Schema of a required property. */
  readonly schema: unknown;
  /** The type as written by hand, if it is short. The generated type must be identical. */
  readonly type?: string;
  /** Expressions that must compile as a value. */
  readonly accepts: readonly string[];
  /** Expressions that must not compile. Empty only if any value is accepted. */
  readonly rejects: readonly string[];
}

/** A feature of the schema of a whole object: expressions are objects of the kind `Thing`. */
export interface RootRow extends Omit<Row, 'schema' | 'type'> {
  /** The `openAPIV3Schema`; `undefined` if the version has none. */
  readonly root: unknown;
  readonly scope?: 'Namespaced' | 'Cluster';
}
