/** Ranges of the cluster IPs of services: those of the ServiceCIDRs, in IPv4. */
import { isIPv4 } from 'node:net';
import { strings, text } from '@kgen/schema/values/json';
import { conditionOf, isDeleting, nameOf } from '../../../store/object-facts.ts';
import type { Store } from '../../../store/store.ts';

/** Addresses as numbers, without the first one and the last one of a network. */
export interface AddressRange {
  readonly first: number;
  readonly last: number;
}

/** Range of the ServiceCIDR `kubernetes`. */
export const defaultRange = '10.0.0.0/24';

/** Address of the API server. */
const reserved = '10.0.0.1';

/** Returns the ranges from which addresses may be allocated: not those that are being deleted. */
export function rangesOf(store: Store): readonly AddressRange[] {
  const found = store
    .list('servicecidrs.networking.k8s.io')
    .map(([, value]) => value)
    // Other ranges are used once the first one is full.
    .toSorted((a, b) => Number(nameOf(b) === 'kubernetes') - Number(nameOf(a) === 'kubernetes'))
    .filter((value) => !isDeleting(value) && text(conditionOf(value, 'Ready'), 'status') !== 'False')
    .flatMap((value) => strings(value, 'spec', 'cidrs'));
  const all = found.length === 0 ? [defaultRange] : found;
  return all.map(rangeOf).filter((range) => range !== undefined);
}

function rangeOf(cidr: string): AddressRange | undefined {
  const [, base = '', length = ''] = /^([\d.]+)\/(\d{1,2})$/.exec(cidr) ?? [];
  const size = 2 ** (32 - Number(length));
  if (!isIPv4(base) || length === '' || size < 4) return undefined;
  const network = Math.floor(numberOf(base) / size) * size;
  return { first: network + 1, last: network + size - 2 };
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** Returns whether a range contains an address. */
export function contains(ranges: readonly AddressRange[], address: string): boolean {
  if (!isIPv4(address)) return false;
  const value = numberOf(address);
  return ranges.some(({ first, last }) => first <= value && value <= last);
}

/** Returns a free address of the first range that has one. `undefined` if all addresses are taken. */
export function freeAddress(
  ranges: readonly AddressRange[],
  taken: ReadonlySet<string>,
  random: () => number,
): string | undefined {
  const used = [...taken, reserved].filter(isIPv4).map(numberOf);
  for (const { first, last } of ranges) {
    const own = [...new Set(used.filter((value) => first <= value && value <= last))].sort((a, b) => a - b);
    const count = last - first + 1 - own.length;
    if (count <= 0) continue;
    const chosen = first + Math.floor(random() * count);
    return addressOf(own.reduce((value, each) => (each <= value ? value + 1 : value), chosen));
  }
  return undefined;
}

function addressOf(value: number): string {
  return [24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) % 256).join('.');
}
