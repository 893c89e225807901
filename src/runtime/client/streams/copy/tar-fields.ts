/** Fields of the headers of tar archives. */

/** Bytes of a header, to a multiple of which contents are padded. */
export const blockBytes = 512;

/** Returns the text of a field, which a NUL may end. */
export function textAt(block: Buffer, start: number, length: number): string {
  return block.toString('utf8', start, start + length).replace(/\0.*/s, '');
}

/** Returns an octal number, or a binary one as GNU tar writes large ones; `undefined` if it is invalid. */
export function numberAt(block: Buffer, start: number, length: number): number | undefined {
  if ((block[start] ?? 0) === 0x80) {
    const value = block.readUIntBE(start + length - 6, 6);
    return block.subarray(start + 1, start + length - 6).every((byte) => byte === 0) ? value : undefined;
  }
  const text = textAt(block, start, length).trim();
  return /^[0-7]*$/.test(text) ? Number.parseInt(text || '0', 8) : undefined;
}

/** Returns a decimal number of an extended header; `undefined` if it is invalid. */
export function decimalOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
