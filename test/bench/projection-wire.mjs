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

/** Returns the fields of a message of numbers, strings and messages, each with its tag and with its value. */
export function fieldsOf(bytes) {
  const fields = [];
  for (let at = 0; at < bytes.length; ) {
    const [tag, start] = readVarint(bytes, at);
    const [length, next] = readVarint(bytes, start);
    const end = tag % 8 === 0 ? next : next + length;
    const value = bytes.subarray(tag % 8 === 0 ? start : next, end);
    fields.push({ number: Math.floor(tag / 8), whole: bytes.subarray(at, end), value });
    at = end;
  }
  return fields;
}

/** Returns a message with another value of one field of strings. */
export function withField(bytes, number, value) {
  const parts = fieldsOf(bytes).map((one) => (one.number === number ? field(number, value) : one.whole));
  return Buffer.concat(parts);
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
