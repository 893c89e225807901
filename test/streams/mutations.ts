/** Mutations of valid bytes, cheap enough for a million of them. */
import { campaign, mulberry32 } from '../support/random.ts';

/** A parser under test. */
export interface Parser<State> {
  readonly first: State;
  /** Parses a chunk. */
  step(state: State, chunk: Uint8Array): ParserStep<State>;
}

/** Result of one chunk. */
export interface ParserStep<State> {
  readonly state: State;
  /** Bytes of content in the events. */
  readonly content: number;
  /** Whether the state is bounded, and the result is consistent. */
  readonly isOk: boolean;
  /** Whether nothing is parsed after this chunk. */
  readonly isEnd: boolean;
}

/**
 * Changes one to four bytes of one of the inputs in each round, and parses the result in random chunks. The
 * steps must be OK and return at most as much content as they receive.
 */
export function expectBounded<State>(
  name: string,
  rounds: number,
  inputs: readonly Buffer[],
  parser: Parser<State>,
): void {
  const buffers = inputs.map((input) => Buffer.from(input));
  for (const seed of campaign(name, { rounds })) {
    const next = mulberry32(seed);
    const int = (below: number): number => Math.floor(next() * below);
    const chosen = int(inputs.length);
    const [input, bytes] = [inputs[chosen], buffers[chosen]];
    if (input === undefined || bytes === undefined) return;
    bytes.set(input);
    for (let changes = int(4); changes >= 0; changes -= 1) bytes[int(bytes.length)] = int(256);
    const most = 1 + int(bytes.length);
    let state = parser.first;
    let content = 0;
    for (let start = 0; start < bytes.length; ) {
      const end = start + 1 + int(most);
      const step = parser.step(state, bytes.subarray(start, end));
      content += step.content;
      if (!step.isOk || content > bytes.length)
        throw new Error(`${name}, seed ${seed}: the bytes ${start} to ${end} of ${bytes.toString('hex')}`);
      if (step.isEnd) break;
      state = step.state;
      start = end;
    }
  }
}
