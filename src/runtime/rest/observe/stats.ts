/** Counters of a client. */

/** A kind for which the server has fields that this program does not know. */
export interface NewerKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** The first unknown field: its number, and its path in the object. */
  readonly field: string;
}

/** Counters of protobuf requests and responses. */
export interface ProtobufStats {
  /** Successful protobuf responses, including those that were re-requested. A watch counts once. */
  readonly responses: number;
  /** Request bodies that were sent as protobuf and accepted. */
  readonly bodies: number;
  /** Requests that were repeated with less protobuf, and objects that were fetched as JSON after a write. */
  readonly repeated: number;
  /** Kinds that this client requests as JSON because the server has fields that the program does not know. */
  readonly newer: readonly NewerKind[];
}

/** Counters of a REST client since its creation. */
export interface RESTClientStats {
  /** Counters of protobuf requests; `undefined` before the first request that may be protobuf. */
  readonly protobuf: ProtobufStats | undefined;
}
