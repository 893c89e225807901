/** What a client tells of itself. */

/** A kind of which the server has fields that this program does not know. */
export interface NewerKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** The first that was seen: its number, and where in the object. */
  readonly field: string;
}

/** How a client and its server got on in protobuf. */
export interface ProtobufStats {
  /** Answers of success that came as protobuf, also those that were asked for again. A watch is one. */
  readonly answers: number;
  /** Bodies that were sent as protobuf, and taken. */
  readonly bodies: number;
  /** Requests that were sent once more with less protobuf, and objects that were fetched as JSON after they were written. */
  readonly repeated: number;
  /** What is JSON for this client because the server is newer than the program's table of fields. */
  readonly newer: readonly NewerKind[];
}

/** What a client has done so far. */
export interface RESTClientStats {
  /** `undefined` before anything could have been protobuf. */
  readonly protobuf: ProtobufStats | undefined;
}
