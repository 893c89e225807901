/** Strings as bytes, with the means that Node.js and browsers share. */

const encoder = new TextEncoder();

/** A byte order mark is a character of the string. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns the bytes of a string in UTF-8. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Returns the number of bytes of a string in UTF-8, without encoding it. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    if (code > 0xffff) at += 1;
    // A character beyond U+FFFF has two UTF-16 units and four bytes.
    if (code > 0x7f) length += code > 0x7ff ? 2 : 1;
  }
  return length;
}

/** Decodes UTF-8. Invalid bytes become U+FFFD. */
export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Returns two lower-case digits per byte. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Decodes base64 with padding. Other characters are ignored. */
export function base64Bytes(text: string): Uint8Array {
  const digits = text.replaceAll(/[^A-Za-z0-9+/]/g, '');
  const isIncomplete = digits.length % 4 === 1;
  const decoded = atob(isIncomplete ? digits.slice(0, -1) : digits);
  return Uint8Array.from(decoded, (char) => char.charCodeAt(0));
}

/** Returns the order of two byte strings: negative, 0 or positive. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
