/** Addresses of sequences. */

/** Returns the first groups of the IPv6 addresses of a sequence. */
export function addressOf(namespace: string): string {
  const number = Number(/\d+$/.exec(namespace)?.[0] ?? 0);
  return `fd00:${((number >> 12) + 1).toString(16)}:${((number & 0xfff) + 1).toString(16)}:`;
}
