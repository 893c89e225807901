// As much of protobuf as is needed to move the items of a list from one envelope into another.

function varint(value) {
  const bytes = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.of(...bytes, rest);
}

/** Encodes a string, or a message of less than 2^53 bytes. */
export function field(number, value) {
  const bytes = Buffer.from(value);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

/** Encodes an object as Kubernetes does. */
export function envelope(apiVersion, kind, object) {
  const type = Buffer.concat([field(1, apiVersion), field(2, kind)]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, object), field(3, ''), field(4, '')]);
}

/** Returns the fields of a message that consists of strings and messages, with their tags. */
export function fieldsOf(bytes) {
  const fields = [];
  for (let at = 0; at < bytes.length; ) {
    const [length, value] = readVarint(bytes, at + 1);
    fields.push({
      number: bytes[at] >> 3,
      whole: bytes.subarray(at, value + length),
      value: bytes.subarray(value, value + length),
    });
    at = value + length;
  }
  return fields;
}

function readVarint(bytes, start) {
  let value = 0;
  let at = start;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at];
    at += 1;
    value += (byte & 127) * factor;
    if (byte < 128) return [value, at];
  }
}
