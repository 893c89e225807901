/** Distinguished Encoding Rules of ASN.1, as far as certificates need them. */

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
};

type Part = Uint8Array;

export const sequence = (parts: readonly Part[]): Buffer => element(tags.sequence, parts);

/** Returns an element with a tag and the concatenation of its contents. */
function element(tag: number, contents: readonly Part[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(body.length)]), body]);
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const bytes = base256(length);
  return [0x80 | bytes.length, ...bytes];
}

function base256(value: number): readonly number[] {
  return value < 0x100 ? [value] : [...base256(Math.floor(value / 0x100)), value % 0x100];
}
export const set = (parts: readonly Part[]): Buffer => element(tags.set, parts);
export const octetString = (content: Part): Buffer => element(tags.octetString, [content]);
export const utf8String = (value: string): Buffer => element(tags.utf8String, [Buffer.from(value, 'utf8')]);
export const yes = (): Buffer => element(tags.boolean, [Buffer.from([0xff])]);

/** Returns a non-negative integer of big-endian bytes. */
export function integer(bytes: Part): Buffer {
  const isNegative = (bytes[0] ?? 0) >= 0x80;
  return element(tags.integer, isNegative ? [Buffer.from([0]), bytes] : [bytes]);
}

/** Returns bits; the last `unused` bits of the last byte do not count. */
export function bitString(content: Part, unused: number = 0): Buffer {
  return element(tags.bitString, [Buffer.from([unused]), content]);
}

/** Returns an object identifier such as `2.5.4.3`. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(tags.objectId, [Buffer.from([first * 40 + second, ...rest.flatMap(base128)])]);
}

function base128(value: number): readonly number[] {
  const low = value & 0x7f;
  return value < 0x80 ? [low] : [...base128(value >>> 7).map((byte) => byte | 0x80), low];
}

/** Returns an element with a context-specific tag: constructed of elements, or the bytes of a primitive. */
export function context(number: number, content: Part, isConstructed: boolean = true): Buffer {
  return element((isConstructed ? 0xa0 : 0x80) | number, [content]);
}

/** Returns a time in whole seconds. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '');
  const isShort = date.getUTCFullYear() < 2050;
  return element(isShort ? tags.utcTime : tags.generalizedTime, [
    Buffer.from(isShort ? digits.slice(2) : digits, 'ascii'),
  ]);
}

/** Returns the elements, with their tags, of which a constructed element consists. It must be valid. */
export function elementsOf(der: Buffer): readonly Buffer[] {
  const elements: Buffer[] = [];
  const whole = boundsOf(der, 0);
  for (let at = whole.content; at < whole.end; ) {
    const { end } = boundsOf(der, at);
    elements.push(der.subarray(at, end));
    at = end;
  }
  return elements;
}

/** Returns the content of an element, without its tag. It must be valid. */
export function contentOf(der: Buffer): Buffer {
  const { content, end } = boundsOf(der, 0);
  return der.subarray(content, end);
}

/** Returns the bytes of an object identifier in hexadecimal digits. */
export function identifierOf(der: Buffer): string {
  return contentOf(der).toString('hex');
}

/** Returns where the content of the element at a place begins and ends. */
function boundsOf(der: Buffer, at: number): { readonly content: number; readonly end: number } {
  const first = der.readUInt8(at + 1);
  const size = first < 0x80 ? 0 : first - 0x80;
  const content = at + 2 + size;
  return { content, end: content + (size === 0 ? first : der.readUIntBE(at + 2, size)) };
}
