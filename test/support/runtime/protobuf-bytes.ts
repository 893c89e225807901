/** Encoder of protobuf as servers send it, for tests: independent of the decoder. */

/** Returns a length-delimited field. */
export function field(number: number, value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

/** Returns a varint: seven bits per byte, the lowest first. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = BigInt(value); ; rest >>= 7n) {
    if (rest < 128n) return Buffer.of(...bytes, Number(rest));
    bytes.push(Number(rest & 127n) + 128);
  }
}

export const message = (...fields: Uint8Array[]): Buffer => Buffer.concat(fields);

/** Returns an object in the envelope with its apiVersion and kind. */
export function enveloped(apiVersion: string, kind: string, object: Uint8Array): Buffer {
  const type = message(field(1, apiVersion), field(2, kind));
  return message(Buffer.from('k8s\0'), field(1, type), field(2, object), field(3, ''), field(4, ''));
}

/** Returns a message with metadata only. */
export function metadataBytes(meta: {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Manager of fields. */
  readonly manager?: string;
}): Buffer {
  const { name = '', namespace = '', uid = '', resourceVersion = '', annotations = {}, manager } = meta;
  const entries = Object.entries(annotations).map(([key, value]) =>
    field(12, message(field(1, key), field(2, value))),
  );
  const managers = manager === undefined ? [] : [field(17, field(1, manager))];
  return message(
    field(1, name),
    field(3, namespace),
    field(5, uid),
    field(6, resourceVersion),
    ...entries,
    ...managers,
  );
}

/** Returns a list with its metadata and items. */
export function listBytes(resourceVersion: string, items: readonly Uint8Array[], token = ''): Buffer {
  const metadata = message(field(1, ''), field(2, resourceVersion), field(3, token));
  return message(field(1, metadata), ...items.map((item) => field(2, item)));
}

/** Returns a frame of a watch, preceded by its length. */
export function frameBytes(type: string, object: Uint8Array): Buffer {
  const event = message(field(1, type), field(2, field(1, object)));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  return message(length, event);
}

/** Yields the bytes in pieces of these sizes, in turn. */
export function* inPieces(bytes: Buffer, size: () => number): Generator<Buffer, void> {
  for (let at = 0; at < bytes.length; ) {
    const end = at + Math.max(1, size());
    yield bytes.subarray(at, end);
    at = end;
  }
}
