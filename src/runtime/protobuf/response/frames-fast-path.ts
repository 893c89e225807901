/** Fast path for frames and envelopes in the encoding of API servers, of which a watch has very many. */

/**
 * Tags of the first two fields of an event, of its content, and of an envelope: strings, bytes and messages.
 */
const firstTag = 0x0a;
const secondMs = 0x12;

/** Types of events. */
const types: readonly string[] = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'];

/** Last bytes of an envelope: empty contentEncoding and contentType. */
const ending: readonly number[] = [0x1a, 0, 0x22, 0];
const longestLength = 5;

const character = String.fromCharCode;

/**
 * Returns the first bytes of envelopes of a kind, each as a character. Returns `undefined` for names that are
 * long or not ASCII, which do not occur.
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

/** Positions in bytes of the expected encoding. Valid until the next call. */
export class FastFrame {
  /** Type of the event. */
  type = '';
  /** Start and end of the content. */
  start = 0;
  end = 0;

  /** Returns whether the bytes are an event with a type and any object. */
  isEvent(bytes: Uint8Array): boolean {
    const length = bytes[1] ?? 0;
    const type =
      bytes[0] === firstTag
        ? types.find((name) => name.length === length && isAt(name, bytes, 2))
        : undefined;
    if (type === undefined) return false;
    this.type = type;
    this.end = bytes.length;
    return this.#enter(bytes, 2 + length, secondMs) && this.#enter(bytes, this.start, firstTag);
  }

  /**
   * Returns whether the bytes of the event's object start with these bytes, each a character, followed by a
   * message and the end of an envelope.
   */
  isObject(bytes: Uint8Array, head: string): boolean {
    const { start } = this;
    this.end -= ending.length;
    if (start + head.length >= this.end || !isAt(head, bytes, start)) return false;
    for (let index = 0; index < ending.length; index += 1) {
      if (bytes[this.end + index] !== ending[index]) return false;
    }
    return this.#enter(bytes, start + head.length, secondMs);
  }

  /** Returns whether there is a field with this tag whose value extends to the end. */
  #enter(bytes: Uint8Array, at: number, tag: number): boolean {
    if (bytes[at] !== tag) return false;
    let length = 0;
    for (let index = 0; index < longestLength; index += 1) {
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

function isAt(text: string, bytes: Uint8Array, start: number): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[start + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}
