/** Damaged bytes either decode to an object that can be encoded and decoded again, or throw a DecodeError. */
import { setImmediate } from 'node:timers/promises';
import { isDecodeError } from '@kgen/runtime';
import { expect } from 'vitest';
import { type Random, randomOf } from '../support/random.ts';
import { type Codec, codecOfAll } from './codec.ts';
import { difference } from './difference.ts';
import { allSeeds } from './seeds.ts';
import { announce, seed } from './settings.ts';

/** Number of inputs by outcome. */
interface Ends {
  /** Unexpected outcomes with their inputs; only the first few. */
  readonly problems: string[];
  /** Rejected with a DecodeError. */
  refused: number;
  /** Decoded, encoded and decoded again. */
  written: number;
  /** Decoded, but not representable in protobuf: an invalid quantity, for example. */
  unwritable: number;
}

/** Returns damaged bytes from two valid inputs. */
export type Damage = (bytes: Buffer, other: Buffer, random: Random) => Buffer;

/** Maximum number of recorded problems. */
const mostProblems = 20;

/** Runs a number of inputs. Each is derived from the seed and its index. */
export async function campaign(name: string, rounds: number, damage: Damage): Promise<Ends> {
  announce(name);
  const codec = await codecOfAll();
  const seeds = await allSeeds();
  const ends: Ends = { problems: [], refused: 0, written: 0, unwritable: 0 };
  // Half of the inputs end in an error, whose stack trace would take longer than all other work.
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
    // Without a pause the test runner considers the worker unresponsive.
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
  // JSON.stringify writes -0 as 0.
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

/** Reads a value; a DecodeError may also be thrown by its first property read. */
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

/** Verifies that nothing failed, and that every outcome occurred. */
export function expectAllEnds({ problems, refused, written, unwritable }: Ends): void {
  expect(problems).toEqual([]);
  const all = refused + written + unwritable;
  expect(refused / all).toBeGreaterThan(0.05);
  expect(written / all).toBeGreaterThan(0.05);
}
