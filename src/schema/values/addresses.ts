/** IP addresses and CIDR blocks in the notation of Go's net/netip. */
import { messageOf } from './thrown.ts';

/** An address as its bytes: 4 or 16. */
export type Address = readonly number[];

/** Thrown for an invalid address, with the message of Go. */
export class AddressError extends Error {}

/**
 * Parses an address.
 * @throws {AddressError}
 */
export function parseAddress(text: string): Address {
  for (const char of text) {
    if (char === '.') return parseV4(text);
    if (char === ':') return parseV6(text);
    if (char === '%') throw parseError(text, 'missing IPv6 address');
  }
  throw parseError(text, 'unable to parse IP');
}

/** Returns an address, or `undefined` if the string is not an address without a zone. */
export function addressOf(text: string): Address | undefined {
  try {
    return parseAddress(text);
  } catch {
    return undefined;
  }
}

function parseError(text: string, message: string, at?: string): AddressError {
  const where = at === undefined ? '' : ` (at ${JSON.stringify(at)})`;
  return new AddressError(`ParseAddr(${JSON.stringify(text)}): ${message}${where}`);
}

function parseV4(text: string, whole: string = text): Address {
  const fields: number[] = [];
  let [value, digits] = [0, 0];
  for (const [index, char] of [...text].entries()) {
    if (/\d/.test(char)) {
      if (digits === 1 && value === 0) throw parseError(whole, 'IPv4 field has octet with leading zero');
      value = value * 10 + Number(char);
      digits += 1;
      if (value > 255) throw parseError(whole, 'IPv4 field has value >255');
    } else if (char === '.') {
      if (index === 0 || index === text.length - 1 || text[index - 1] === '.')
        throw parseError(whole, 'IPv4 field must have at least one digit', text.slice(index));
      if (fields.length === 3) throw parseError(whole, 'IPv4 address too long');
      fields.push(value);
      [value, digits] = [0, 0];
    } else throw parseError(whole, 'unexpected character', text.slice(index));
  }
  if (fields.length < 3) throw parseError(whole, 'IPv4 address too short');
  return [...fields, value];
}

function parseV6(text: string): Address {
  const zone = text.indexOf('%');
  if (zone >= 0) {
    if (zone === text.length - 1) throw parseError(text, 'zone must be a non-empty string');
    parseV6(text.slice(0, zone));
    throw new ZoneError();
  }
  const [head = '', tail, ...more] = text.split('::');
  if (more.length > 0) throw parseError(text, 'multiple :: in address');
  const left = groupsOf(head, text, tail === undefined);
  const right = tail === undefined ? [] : groupsOf(tail, text, true);
  const size = left.length + right.length;
  if (tail === undefined && size < 16) throw parseError(text, 'address string too short');
  if (size > 16 || (tail !== undefined && size > 14))
    throw parseError(
      text,
      size > 16 ? 'trailing garbage after address' : 'the :: must expand to at least one field of zeros',
    );
  return [...left, ...Array.from({ length: 16 - size }, () => 0), ...right];
}

/** An address with a zone, which callers do not accept. */
export class ZoneError extends Error {}

function groupsOf(part: string, whole: string, mayEndInV4: boolean): readonly number[] {
  if (part === '') return [];
  const groups = part.split(':');
  return groups.flatMap((group, index) => {
    if (mayEndInV4 && index === groups.length - 1 && group.includes('.')) return parseV4(group, whole);
    if (group === '')
      throw parseError(whole, 'each colon-separated field must have at least one digit', `:${part}`);
    if (!/^[0-9a-fA-F]+$/.test(group)) throw parseError(whole, 'unexpected character', group);
    if (group.length > 4) throw parseError(whole, 'each group must have 4 or less digits', group);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}

/** Returns an address in its canonical notation. */
export function printAddress(address: Address): string {
  if (address.length === 4) return address.join('.');
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((address[2 * index] ?? 0) << 8) | (address[2 * index + 1] ?? 0)).toString(16),
  );
  const { start, length } = longestZeros(groups);
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

function longestZeros(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let best = { start: -1, length: 0 };
  for (let start = 0; start < groups.length; start += 1) {
    let length = 0;
    while (groups[start + length] === '0') length += 1;
    if (length > best.length) best = { start, length };
  }
  return best;
}

/** Returns whether an IPv6 address contains an IPv4 address, as `::ffff:1.2.3.4`. */
export function isMapped(address: Address): boolean {
  return (
    address.length === 16 &&
    address.slice(0, 10).every((byte) => byte === 0) &&
    address[10] === 255 &&
    address[11] === 255
  );
}

/** A block of addresses. */
export interface Block {
  readonly address: Address;
  readonly bits: number;
}

/**
 * Parses a block such as `10.0.0.0/8`.
 * @throws {AddressError}
 */
export function parseBlock(text: string): Block {
  const failed = (message: string): AddressError =>
    new AddressError(`netip.ParsePrefix(${JSON.stringify(text)}): ${message}`);
  const slash = text.lastIndexOf('/');
  if (slash < 0) throw failed("no '/'");
  const bits = text.slice(slash + 1);
  const address = addressInBlock(text.slice(0, slash), failed);
  if (bits.length > 1 && !/^[1-9]/.test(bits)) throw failed(`bad bits after slash: ${JSON.stringify(bits)}`);
  if (!/^\d+$/.test(bits)) throw failed(`bad bits after slash: ${JSON.stringify(bits)}`);
  if (Number(bits) > address.length * 8) throw failed('prefix length out of range');
  return { address, bits: Number(bits) };
}

function addressInBlock(text: string, failed: (message: string) => AddressError): Address {
  try {
    return parseAddress(text);
  } catch (error) {
    if (error instanceof ZoneError) throw failed('IPv6 zones cannot be present in a prefix');
    throw failed(messageOf(error));
  }
}

/** Returns an address without the bits after the first ones. */
export function masked(address: Address, bits: number): Address {
  return address.map((byte, index) => {
    const kept = Math.min(Math.max(bits - index * 8, 0), 8);
    return byte & (0xff00 >> kept) & 0xff;
  });
}

/** Returns whether a block contains an address. */
export function containsAddress({ address, bits }: Block, other: Address): boolean {
  if (address.length !== other.length) return false;
  const [a, b] = [masked(address, bits), masked(other, bits)];
  return a.every((byte, index) => byte === b[index]);
}
