/** Options of samples. */
export interface SampleOptions {
  /** Number from which all random values are derived. Default: 1. */
  readonly seed?: number;
  /** `metadata.namespace` of the samples of a namespaced resource. Default: none. */
  readonly namespace?: string;
  /**
   * Whether samples have a status. Default: only if the status is not a subresource, because a server ignores
   * it in the body of a create request otherwise.
   */
  readonly status?: boolean;
  /** Maximum number of validations in the search for one sample. Default: 400. */
  readonly budget?: number;
}

/** Samples, and the options and rules for which no sample was found. */
export interface SampleSet<S> {
  readonly samples: readonly S[];
  readonly unmet: readonly Unmet[];
}

/** A valid object that covers options of its schema which no earlier sample covers. */
export interface Sample<T> {
  readonly object: T;
  /**
   * Options of the schema that the object covers: `spec.policy: "Always"`, `spec.ports[].port: maximum
   * 65535`, `spec.users: absent`.
   */
  readonly covers: readonly string[];
}

/** An object that breaks one rule of its schema. */
export interface InvalidSample<T> {
  readonly object: T;
  /** Path in the form of the causes of a server's response: `spec.ports[0].port`. */
  readonly path: string;
  /** Keyword of the schema: `required`, `maximum`, `x-kubernetes-validations`. */
  readonly rule: string;
  /** Substring of the message with which the server rejects the object. */
  readonly message: string;
}

/** An option or a rule that no sample was found for within the budget. */
export interface Unmet {
  /** Path in the schema: `spec.ports[].port`. */
  readonly path: string;
  /** Option or rule: `maximum 65535`, `"Always"`, or a CEL expression. */
  readonly goal: string;
  /** First violation in the best attempt. */
  readonly reason: string;
}
