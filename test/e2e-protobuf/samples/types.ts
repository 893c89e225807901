/** Objects that a server accepts, one of each kind, as functions of where they are made. */

/** Where a sample is made. */
export interface Place {
  /** Name of the object, a DNS label; nobody else uses it. */
  readonly name: string;
  /** Namespace of the object; for cluster-scoped kinds one that exists all the same. */
  readonly namespace: string;
  /** An IP address that no other object has. */
  readonly address: string;
  /** A range of addresses that no other object has. */
  readonly range: string;
  /** A certificate authority in PEM. */
  readonly authority: string;
}

/** What an object has beside `apiVersion` and `kind`, `metadata.name` and `metadata.namespace`. */
export type Sample = (place: Place) => {
  /** In place of the name and the namespace, or beside them. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
};

/** By apiVersion and kind, as in `apps/v1/Deployment`. */
export type Samples = Readonly<Record<string, Sample>>;
