/** Objects that a server accepts, one of each kind, as functions of their place. */

/** Name, namespace and unique values of a sample. */
export interface Place {
  /** Name of the object: a unique DNS label. */
  readonly name: string;
  /** Namespace of the object; cluster-scoped kinds may refer to it. */
  readonly namespace: string;
  /** An IP address that no other object has. */
  readonly address: string;
  /** An IP range that no other object has. */
  readonly range: string;
  /** A CA certificate in PEM. */
  readonly authority: string;
}

/** Returns an object without `apiVersion`, `kind`, `metadata.name` and `metadata.namespace`. */
export type Sample = (place: Place) => {
  /** Replaces or extends name and namespace. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
};

/** By apiVersion and kind, as in `apps/v1/Deployment`. */
export type Samples = Readonly<Record<string, Sample>>;
