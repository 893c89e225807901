/** Two runs side by side: equal events are in one row, the others in the order of their times. */
import type { ViewEvent } from '../../format.ts';
import { eventText } from './texts.ts';

/** One row: an event of one run or of both. */
export interface AlignedRow {
  readonly one?: ViewEvent;
  readonly other?: ViewEvent;
}

/** Rows of two runs. */
export interface Alignment {
  readonly rows: readonly AlignedRow[];
  /** Index of the first row in which the runs differ; -1 if they do not. */
  readonly difference: number;
}

/** Maximum number of pairs of events that are compared: about 50 ms. */
const mostPairs = 4_000_000;

/** Aligns the events of two runs. */
export function aligned(one: readonly ViewEvent[], other: readonly ViewEvent[]): Alignment {
  const [keys, otherKeys] = [one.map(keyOf), other.map(keyOf)];
  const pairs =
    one.length * other.length <= mostPairs ? commonPairs(keys, otherKeys) : equalBegin(keys, otherKeys);
  const rows: AlignedRow[] = [];
  let [left, right] = [0, 0];
  for (const [end, otherEnd] of [...pairs, [one.length, other.length] as const]) {
    for (const row of merged(one.slice(left, end), other.slice(right, otherEnd))) rows.push(row);
    const [event, otherEvent] = [one[end], other[otherEnd]];
    if (event !== undefined && otherEvent !== undefined) rows.push({ one: event, other: otherEvent });
    [left, right] = [end + 1, otherEnd + 1];
  }
  return { rows, difference: rows.findIndex(isDifference) };
}

/** Steps and notes are those of the schedule: runs differ in their effects. */
function isDifference({ one, other }: AlignedRow): boolean {
  if (one !== undefined && other !== undefined) return false;
  const event = one ?? other;
  return event?.kind === 'change' || (event?.kind === 'request' && event.isWrite);
}

/** Names that a server generates differ between runs. */
const generated = /-[bcdfghjklmnpqrstvwxz2456789]{5}(?![\w-])/g;

function keyOf(event: ViewEvent): string {
  if (!('target' in event)) return `${event.kind} ${eventText(event)}`;
  const { group, resource, namespace, name } = event.target;
  const target = `${group} ${resource} ${namespace} ${name.replaceAll(generated, '-*')}`;
  if (event.kind === 'change') return `${event.change} ${target}`;
  const { verb, subresource, result, status = '' } = event;
  return `request ${verb} ${target} ${subresource} ${result} ${status}`;
}

type Pair = readonly [one: number, other: number];

/** Returns the longest common subsequence, as pairs of indices. */
function commonPairs(one: readonly string[], other: readonly string[]): readonly Pair[] {
  const width = other.length + 1;
  const lengths = new Uint32Array((one.length + 1) * width);
  const lengthAt = (left: number, right: number): number => lengths[left * width + right] ?? 0;
  for (let left = one.length - 1; left >= 0; left -= 1)
    for (let right = other.length - 1; right >= 0; right -= 1)
      lengths[left * width + right] =
        one[left] === other[right]
          ? lengthAt(left + 1, right + 1) + 1
          : Math.max(lengthAt(left + 1, right), lengthAt(left, right + 1));
  const pairs: Pair[] = [];
  let [left, right] = [0, 0];
  while (left < one.length && right < other.length) {
    if (one[left] === other[right]) pairs.push([left++, right++]);
    else if (lengthAt(left + 1, right) >= lengthAt(left, right + 1)) left += 1;
    else right += 1;
  }
  return pairs;
}

function equalBegin(one: readonly string[], other: readonly string[]): readonly Pair[] {
  const end = one.findIndex((key, index) => key !== other[index]);
  return one.slice(0, end < 0 ? one.length : end).map((_, index) => [index, index]);
}

/** Returns the events of two runs in the order of their times. */
function merged(one: readonly ViewEvent[], other: readonly ViewEvent[]): readonly AlignedRow[] {
  const rows = [
    ...one.map((event) => ({ at: event.at, row: { one: event } })),
    ...other.map((event) => ({ at: event.at, row: { other: event } })),
  ];
  return rows.sort((a, b) => a.at - b.at).map(({ row }) => row);
}
