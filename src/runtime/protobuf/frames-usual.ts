/** Frames and envelopes as servers write them, found at once: a watch has very many of them. */

/** Tags of the first two fields of an event, of what is in it, and of an envelope: texts, bytes and messages. */
const FIRST = 0x0a;
const SECOND = 0x12;

/** What may have happened to an object. */
const types: readonly string[] = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'];

/** Envelopes end so: neither an encoding nor a type of the content. */
const ending: readonly number[] = [0x1a, 0, 0x22, 0];
const LONGEST_LENGTH = 5;

function isAt(text: string, bytes: Uint8Array, start: number): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[start + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

const character = String.fromCharCode;

/**
 * What usual envelopes of that kind begin with, each byte as a character; `undefined` for names that nobody has: texts that
 * are not of ASCII, or long.
 */
export function envelopeHead(apiVersion: string, kind: string): string | undefined {
  const typeMeta = `\n${character(apiVersion.length)}${apiVersion}\x12${character(kind.length)}${kind}`;
  return typeMeta.length < 0x80 && isAscii(typeMeta)
    ? `k8s\0\n${character(typeMeta.length)}${typeMeta}`
    : undefined;
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** What is in bytes of the usual form. It stays until the next ones are looked at. */
export class UsualFrame {
  /** What happened. */
  type = '';
  /** Where what is inside begins and ends. */
  start = 0;
  end = 0;

  /** Whether the bytes are an event of a type, and an object, which may be anything. */
  isEvent(bytes: Uint8Array): boolean {
    const length = bytes[1] ?? 0;
    const type =
      bytes[0] === FIRST ? types.find((name) => name.length === length && isAt(name, bytes, 2)) : undefined;
    if (type === undefined) return false;
    this.type = type;
    this.end = bytes.length;
    return this.#enter(bytes, 2 + length, SECOND) && this.#enter(bytes, this.start, FIRST);
  }

  /**
   * Whether the bytes of the event's object begin with these ones, each a character, have a message after them, and end as
   * envelopes do.
   */
  isObject(bytes: Uint8Array, head: string): boolean {
    const { start } = this;
    this.end -= ending.length;
    if (start + head.length >= this.end || !isAt(head, bytes, start)) return false;
    for (let index = 0; index < ending.length; index += 1) {
      if (bytes[this.end + index] !== ending[index]) return false;
    }
    return this.#enter(bytes, start + head.length, SECOND);
  }

  /** Whether there is a field of that tag whose value takes all that there is. */
  #enter(bytes: Uint8Array, at: number, tag: number): boolean {
    if (bytes[at] !== tag) return false;
    let length = 0;
    for (let index = 0; index < LONGEST_LENGTH; index += 1) {
      const byte = bytes[at + 1 + index] ?? 0;
      length += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) {
        this.start = at + 2 + index;
        return this.start + length === this.end;
      }
    }
    return false;
  }
}
