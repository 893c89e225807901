/** Number of random inputs, and their seed. */
import { rounds } from '../support/seeds.ts';

/** Seed of all random choices: `KGEN_SEED`, or 1. */
export const seed: number = Number(process.env['KGEN_SEED'] ?? 1);

/** Random objects of each kind: `KGEN_PROTOBUF_OBJECTS`, or 50. */
export const objects: number = Number(process.env['KGEN_PROTOBUF_OBJECTS'] ?? 50);

/** Total number of damaged inputs: `KGEN_PROTOBUF_INPUTS`, or 200,000; 20,000 in `npm test`. */
export const inputs: number = Number(process.env['KGEN_PROTOBUF_INPUTS'] ?? rounds(200_000, 20_000));

/** Prints the settings with which a run can be repeated. */
export function announce(name: string): void {
  console.log(`${name}: KGEN_SEED=${seed} KGEN_PROTOBUF_OBJECTS=${objects} KGEN_PROTOBUF_INPUTS=${inputs}`);
}
