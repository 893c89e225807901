/** Slots of a ring: a fixed number of parts of all keys. Pure. */

import { createHash } from 'node:crypto';
import type { ReconcileKey } from '../runs/key.ts';

/** Number of slots. Part of the protocol: it is equal for all members of a ring. */
export const slotCount = 256;

/** Set of slots: bit i is slot i. */
export type SlotSet = bigint;

/** The empty set. */
export const noSlots: SlotSet = 0n;
/** The set of all slots. */
export const allSlots: SlotSet = (1n << BigInt(slotCount)) - 1n;

/**
 * Part of a key that determines which replica reconciles it: each object by its `name`, or all objects of a
 * `namespace` together.
 */
export type ShardField = 'name' | 'namespace';

/**
 * Returns the slot of a key: for `name` the hash of cluster, namespace and name; for `namespace` the eight
 * highest bits of the hash of the namespace, so that a slot is a range of `shardSelector`.
 */
export function slotOf({ cluster, namespace, name }: ReconcileKey, field: ShardField): number {
  if (field === 'namespace') return fnv1a64(namespace).high >>> 24;
  const { high, low } = fnv1a64(`${cluster ?? ''}/${namespace}/${name}`);
  return mixed(high ^ low) >>> 24;
}

/** Two halves of a 64-bit number. */
export interface Halves {
  readonly high: number;
  readonly low: number;
}

/** Returns the 64-bit FNV-1a hash of a string in UTF-8. */
export function fnv1a64(text: string): Halves {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of Buffer.from(text)) {
    const changed = (low ^ byte) >>> 0;
    // The prime is 2^40 + 0x1b3.
    const product = changed * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 2 ** 32) + (changed << 8)) >>> 0;
    low = product >>> 0;
  }
  return { high, low };
}

/** Spreads the hash over the highest bits, on which the last bytes of a string have little effect. */
function mixed(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Returns the set of one slot. */
export function slotSet(slot: number): SlotSet {
  return 1n << BigInt(slot);
}

/** Returns whether a set contains a slot. */
export function hasSlot(slots: SlotSet, slot: number): boolean {
  return ((slots >> BigInt(slot)) & 1n) === 1n;
}

/** Returns the slots of the first set that are not in the second one. */
export function without(slots: SlotSet, removed: SlotSet): SlotSet {
  return slots & (allSlots ^ removed);
}

/** Returns the slots of a set in ascending order. */
export function slotsIn(slots: SlotSet): readonly number[] {
  const digits = slots.toString(2);
  return [...digits].reverse().flatMap((digit, slot) => (digit === '1' ? [slot] : []));
}

/** Returns a set as a hexadecimal number. */
export function slotText(slots: SlotSet): string {
  return slots.toString(16);
}

/** Returns the set of a hexadecimal number; all slots for anything else, which is safe. */
export function slotsOfText(text: unknown): SlotSet {
  if (typeof text !== 'string' || !/^[0-9a-f]{1,64}$/.test(text)) return allSlots;
  return BigInt(`0x${text}`);
}

/**
 * Returns the slots that rendezvous hashing assigns to one of the members: each slot belongs to the member
 * with the highest weight, so that a member that joins or leaves moves its own slots only.
 */
export function assignedSlots(identity: string, members: readonly string[]): SlotSet {
  const others = members
    .filter((member) => member !== identity)
    .map((member) => [member, weightsOf(member)] as const);
  const own = weightsOf(identity);
  let slots = noSlots;
  for (let slot = 0; slot < slotCount; slot += 1) {
    if (others.every(([other, weights]) => isHeavier(own, identity, weights, other, slot)))
      slots |= slotSet(slot);
  }
  return slots;
}

function isHeavier(
  own: Uint32Array,
  identity: string,
  others: Uint32Array,
  other: string,
  slot: number,
): boolean {
  const difference = (own[slot] ?? 0) - (others[slot] ?? 0);
  return difference === 0 ? identity > other : difference > 0;
}

const weights = new Map<string, Uint32Array>();
/** Number of members whose weights are kept. */
const keptWeights = 1000;

function weightsOf(identity: string): Uint32Array {
  const known = weights.get(identity);
  if (known !== undefined) return known;
  if (weights.size >= keptWeights) weights.clear();
  const computed = Uint32Array.from({ length: slotCount }, (_, slot) =>
    createHash('sha256').update(`${slot}/${identity}`).digest().readUInt32BE(),
  );
  weights.set(identity, computed);
  return computed;
}

/**
 * Returns the `shardSelector` that selects the objects whose namespace is in the slots. Adjacent slots are
 * one range. No selector is empty: for no slots it is a range of one hash.
 * @see https://github.com/kubernetes/enhancements/issues/5866
 */
export function namespaceSelector(slots: SlotSet): string {
  const ranges: { readonly start: number; end: number }[] = [];
  for (const slot of slotsIn(slots)) {
    const last = ranges.at(-1);
    if (last?.end === slot) last.end = slot + 1;
    else ranges.push({ start: slot, end: slot + 1 });
  }
  if (ranges.length === 0) return rangeText(bound(0), `0x${'0'.repeat(15)}1`);
  return ranges.map(({ start, end }) => rangeText(bound(start), bound(end))).join(' || ');
}

function rangeText(start: string, end: string): string {
  return `shardRange(object.metadata.namespace, '${start}', '${end}')`;
}

/** The upper bound of all hashes has 17 digits. */
function bound(slot: number): string {
  return `0x${slot.toString(16).padStart(2, '0')}${'0'.repeat(14)}`;
}
