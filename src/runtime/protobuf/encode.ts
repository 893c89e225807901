/** Encoder of whole objects. */
import { magic } from './envelope.ts';
import type { TypeNames } from './errors/decode-context.ts';
import type { KindCodec } from './types.ts';
import { Writer } from './wire/writer.ts';

/** One writer for all objects, so that the engine keeps the compiled write functions. */
const shared: Writer = new Writer();
let inUse = false;

/**
 * Returns the bytes of an object in its envelope, as in requests and responses.
 * @throws {TypeError} a member that the codec does not know, a value that its field cannot hold, or another
 * `apiVersion` or `kind`. The message names the field.
 */
export function encodeMessage(codec: KindCodec, object: object, names: TypeNames): Uint8Array {
  // A `toJSON` method or a getter of the object may encode another object.
  if (inUse) return encode(new Writer(), codec, object, names);
  inUse = true;
  try {
    return encode(shared, codec, object, names);
  } finally {
    // Releases an object that cannot be written.
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
  // The last fields come first: contentType and contentEncoding are empty.
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
