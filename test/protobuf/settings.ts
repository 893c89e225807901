/** How much is tried at random, and where it starts. */
import { rounds } from '../support/seeds.ts';

/** Everything random follows from it: `KGEN_SEED`, or 1. */
export const seed: number = Number(process.env['KGEN_SEED'] ?? 1);

/** Random objects of each kind: `KGEN_PROTOBUF_OBJECTS`, or 50. */
export const objects: number = Number(process.env['KGEN_PROTOBUF_OBJECTS'] ?? 50);

/** Damaged inputs in all: `KGEN_PROTOBUF_INPUTS`, or a million; 20,000 in `npm test`. */
export const inputs: number = Number(process.env['KGEN_PROTOBUF_INPUTS'] ?? rounds(1_000_000, 20_000));

/** Says what to repeat a run with. */
export function announce(name: string): void {
  console.log(`${name}: KGEN_SEED=${seed} KGEN_PROTOBUF_OBJECTS=${objects} KGEN_PROTOBUF_INPUTS=${inputs}`);
}
