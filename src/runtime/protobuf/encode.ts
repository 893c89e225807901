/** Whole objects, from values to bytes. */
import { magic } from './envelope.ts';
import type { TypeNames } from './subject.ts';
import type { KindCodec } from './types.ts';
import { Writer } from './writer.ts';

/** One for all objects: the functions that write are compiled for what they have seen. */
const shared: Writer = new Writer();
let inUse = false;

/**
 * The bytes of an object in its envelope, as the server takes and gives them.
 * @throws {TypeError} a member that the codec does not know, or a value that its field cannot hold; `apiVersion` or `kind`
 *   are others than those of the codec. The message names the field.
 */
export function encodeMessage(codec: KindCodec, object: object, names: TypeNames): Uint8Array {
  // A `toJSON` or a getter within the object may encode another one.
  if (inUse) return encode(new Writer(), codec, object, names);
  inUse = true;
  try {
    return encode(shared, codec, object, names);
  } finally {
    // An object that cannot be written is not held, either.
    shared.reset();
    inUse = false;
  }
}

function encode(
  writer: Writer,
  { write }: KindCodec,
  object: object,
  { apiVersion, kind }: TypeNames,
): Uint8Array {
  // The last field first: contentType and contentEncoding are empty.
  writer.string(34, '');
  writer.string(26, '');
  const end = writer.length;
  writer.root(object, write, { apiVersion, kind });
  writer.close(18, end);
  const afterObject = writer.length;
  writer.string(18, kind);
  writer.string(10, apiVersion);
  writer.close(10, afterObject);
  writer.bytesOf(magic);
  return writer.finish();
}
