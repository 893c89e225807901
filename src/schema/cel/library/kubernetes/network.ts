/** IP and CIDR libraries of Kubernetes. */

import {
  type Address,
  AddressError,
  type Block,
  containsAddress,
  isMapped,
  masked,
  parseAddress,
  parseBlock,
  printAddress,
  ZoneError,
} from '../../../values/addresses.ts';
import { bool, int, opaqueOf, string } from '../../check/types.ts';
import { type Functions, member, type Overload, overload } from '../../environment.ts';
import { EvaluationError, noSuchOverload, Opaque, type Value } from '../../values/value.ts';
import { text } from '../strings.ts';

const ipType = opaqueOf('net.IP');
const cidrType = opaqueOf('net.CIDR');

class Ip extends Opaque {
  readonly typeName = 'net.IP';
  readonly address: Address;

  constructor(address: Address) {
    super();
    this.address = address;
  }

  equals(other: Opaque): boolean {
    return other instanceof Ip && printAddress(this.address) === printAddress(other.address);
  }

  override get size(): number {
    return this.address.length;
  }
}

class Cidr extends Opaque {
  readonly typeName = 'net.CIDR';
  readonly block: Block;

  constructor(block: Block) {
    super();
    this.block = block;
  }

  equals(other: Opaque): boolean {
    return other instanceof Cidr && printBlock(this.block) === printBlock(other.block);
  }

  override get size(): number {
    return Math.ceil(this.block.bits / 8);
  }
}

function printBlock({ address, bits }: Block): string {
  return `${printAddress(address)}/${bits}`;
}

const parseFailure = 'network address parse error during conversion from string';

/** Returns whether a conversion succeeds. */
export function succeeds(convert: () => unknown): boolean {
  try {
    convert();
    return true;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}

const predicates: readonly (readonly [string, string, (address: Address) => boolean])[] = [
  ['isUnspecified', 'ip_is_unspecified', isUnspecified],
  ['isLoopback', 'ip_is_loopback', isLoopback],
  ['isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast],
  ['isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast],
  ['isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast],
];

function isLoopback(address: Address): boolean {
  if (address.length === 4) return address[0] === 127;
  return printAddress(address) === '::1';
}

function isUnspecified(address: Address): boolean {
  return address.every((byte) => byte === 0);
}

function isLinkLocalUnicast([first = 0, second = 0, ...rest]: Address): boolean {
  return rest.length === 2 ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80;
}

function isLinkLocalMulticast([first = 0, second = 0, third = 0, ...rest]: Address): boolean {
  return rest.length === 1
    ? first === 224 && second === 0 && third === 0
    : first === 0xff && (second & 0x0f) === 2;
}

function isGlobalUnicast(address: Address): boolean {
  const isBroadcast = address.length === 4 && address.every((byte) => byte === 255);
  return !(
    isUnspecified(address) ||
    isBroadcast ||
    isLoopback(address) ||
    isMulticast(address) ||
    isLinkLocalUnicast(address)
  );
}

function isMulticast([first = 0, , , , ...rest]: Address): boolean {
  return rest.length === 0 ? first >= 224 && first < 240 : first === 0xff;
}

/** Functions of addresses and blocks. */
export const network: Functions = new Map<string, readonly Overload[]>([
  [
    'ip',
    [
      overload('string_to_ip', [string], ipType, ([a]) => parseIp(text(a))),
      member('cidr_ip', [cidrType], ipType, ([a]) => new Ip(blockOf(a).address)),
    ],
  ],
  ['isIP', [overload('is_ip', [string], bool, ([a]) => succeeds(() => parseIp(text(a))))]],
  ['family', [member('ip_family', [ipType], int, ([a]) => (ipOf(a).length === 4 ? 4n : 6n))]],
  [
    'ip.isCanonical',
    [
      overload(
        'ip_is_canonical',
        [string],
        bool,
        ([a]) => printAddress(parseIp(text(a)).address) === text(a),
      ),
    ],
  ],
  ...predicates.map(([name, id, test]): [string, readonly Overload[]] => [
    name,
    [member(id, [ipType], bool, ([a]) => test(ipOf(a)))],
  ]),
  ['cidr', [overload('string_to_cidr', [string], cidrType, ([a]) => parseCidr(text(a)))]],
  ['isCIDR', [overload('is_cidr', [string], bool, ([a]) => succeeds(() => parseCidr(text(a))))]],
  [
    'containsIP',
    [
      member('cidr_contains_ip_string', [cidrType, string], bool, ([a, b]) =>
        containsAddress(
          blockOf(a),
          orNoOverload(() => parseIp(text(b)).address),
        ),
      ),
      member('cidr_contains_ip_ip', [cidrType, ipType], bool, ([a, b]) =>
        containsAddress(blockOf(a), ipOf(b)),
      ),
    ],
  ],
  [
    'containsCIDR',
    [
      member('cidr_contains_cidr_string', [cidrType, string], bool, ([a, b]) =>
        containsBlock(blockOf(a), parseCidr(text(b)).block),
      ),
      member('cidr_contains_cidr', [cidrType, cidrType], bool, ([a, b]) =>
        containsBlock(blockOf(a), blockOf(b)),
      ),
    ],
  ],
  ['prefixLength', [member('cidr_prefix_length', [cidrType], int, ([a]) => BigInt(blockOf(a).bits))]],
  [
    'masked',
    [
      member('cidr_masked', [cidrType], cidrType, ([a]) => {
        const { address, bits } = blockOf(a);
        return new Cidr({ address: masked(address, bits), bits });
      }),
    ],
  ],
  [
    'string',
    [
      overload('ip_to_string', [ipType], string, ([a]) => printAddress(ipOf(a))),
      overload('cidr_to_string', [cidrType], string, ([a]) => printBlock(blockOf(a))),
    ],
  ],
]);

function parseIp(source: string): Ip {
  const quoted = JSON.stringify(source);
  try {
    const address = parseAddress(source);
    if (isMapped(address)) throw new EvaluationError(`IPv4-mapped IPv6 address ${quoted} is not allowed`);
    return new Ip(address);
  } catch (error) {
    if (error instanceof ZoneError)
      throw new EvaluationError(`IP address ${quoted} with zone value is not allowed`);
    if (!(error instanceof AddressError)) throw error;
    throw new EvaluationError(
      `IP Address ${quoted} parse error during conversion from string: ${error.message}`,
    );
  }
}

function parseCidr(source: string): Cidr {
  try {
    const block = parseBlock(source);
    if (!isMapped(block.address)) return new Cidr(block);
    throw new EvaluationError(
      `${parseFailure}: IPv4-mapped IPv6 address ${JSON.stringify(source)} is not allowed`,
    );
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    throw new EvaluationError(`${parseFailure}: ${parseFailure}: ${error.message}`);
  }
}

function ipOf(value: Value | undefined): Address {
  if (!(value instanceof Ip)) throw noSuchOverload();
  return value.address;
}

function blockOf(value: Value | undefined): Block {
  if (!(value instanceof Cidr)) throw noSuchOverload();
  return value.block;
}

/** `containsIP` reports an invalid string as an argument of the wrong type. */
function orNoOverload<T>(convert: () => T): T {
  try {
    return convert();
  } catch (error) {
    throw error instanceof EvaluationError ? noSuchOverload() : error;
  }
}

function containsBlock(outer: Block, inner: Block): boolean {
  return outer.bits <= inner.bits && containsAddress(outer, inner.address);
}
