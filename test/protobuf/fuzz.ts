/** What becomes of damaged bytes: an object that can be written and read again, or a DecodeError. Nothing else. */
import { setImmediate } from 'node:timers/promises';
import { isDecodeError } from '@kgen/runtime';
import { expect } from 'vitest';
import { type Random, randomOf } from '../fuzz/random.ts';
import { type Codec, codecOfAll } from './codec.ts';
import { difference } from './same.ts';
import { allSeeds } from './seeds.ts';
import { announce, seed } from './settings.ts';

/** How many inputs ended how. */
interface Ends {
  /** What should not have happened, with the inputs; the first few of them. */
  readonly problems: string[];
  /** Refused with a DecodeError. */
  refused: number;
  /** Read, written and read again. */
  written: number;
  /** Read, but protobuf cannot say it: a quantity that is none, for example. */
  unwritable: number;
}

/** Gives damaged bytes for two that were right. */
export type Damage = (bytes: Buffer, other: Buffer, random: Random) => Buffer;

/** So many are enough to see what is wrong. */
const mostProblems = 20;

/** Tries so many inputs. Each follows from the seed and its number. */
export async function campaign(name: string, rounds: number, damage: Damage): Promise<Ends> {
  announce(name);
  const codec = await codecOfAll();
  const seeds = await allSeeds();
  const ends: Ends = { problems: [], refused: 0, written: 0, unwritable: 0 };
  // Half of the inputs end in an error: where it was made is of no interest, and takes longer than all else.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  for (let round = 0; round < rounds; round += 1) {
    const random = randomOf(seed * 1_000_003 + round);
    const bytes = damage(random.pick(seeds), random.pick(seeds), random);
    try {
      ends[endOf(codec, bytes)] += 1;
    } catch (error) {
      ends.problems.push(`input ${round}: ${String(error)}: ${bytes.toString('hex')}`);
      if (ends.problems.length === mostProblems) break;
    }
    // Without a pause the test runner takes the worker for dead.
    if (round % 20_000 === 0) await setImmediate();
  }
  Error.stackTraceLimit = stackTraceLimit;
  const { refused, written, unwritable } = ends;
  console.log(
    `${name}: ${seeds.length} seeds, ${refused} refused, ${written} written, ${unwritable} unwritable`,
  );
  return ends;
}

function endOf(codec: Codec, bytes: Buffer): 'refused' | 'written' | 'unwritable' {
  const object = readOr(codec, bytes);
  if (object === undefined) return 'refused';
  const written = writtenOr(codec, object);
  if (written === undefined) return 'unwritable';
  const found = lookedAt(() => difference(codec.decode(written), object));
  if (found === 'refused') return found;
  // JSON.stringify makes 0 of -0.
  if (found !== undefined && found.got !== found.want) {
    throw new Error(
      `read again, ${found.path} is ${JSON.stringify(found.got)}, was ${JSON.stringify(found.want)}`,
    );
  }
  return 'written';
}

function readOr(codec: Codec, bytes: Buffer): object | undefined {
  const object = lookedAt(() => codec.decode(bytes));
  return object === 'refused' ? undefined : object;
}

/** A DecodeError may also come when something is looked at first. */
function lookedAt<T>(look: () => T): T | 'refused' {
  try {
    return look();
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    return 'refused';
  }
}

function writtenOr(codec: Codec, object: object): Buffer | undefined {
  try {
    return codec.encode(object);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}

/** Nothing went wrong, and all ends were met: else nothing was tried. */
export function expectAllEnds({ problems, refused, written, unwritable }: Ends): void {
  expect(problems).toEqual([]);
  const all = refused + written + unwritable;
  expect(refused / all).toBeGreaterThan(0.05);
  expect(written / all).toBeGreaterThan(0.05);
}
