/** Plays sequences on two servers, and reduces those with different responses to the necessary steps. */
import { isDeepStrictEqual } from 'node:util';
import type { ClusterConfig } from '@kgen/runtime';
import type { TestServer } from '@kgen/testserver';
import { definitions } from './custom-kinds.ts';
import { type Outcome, play } from './play.ts';
import { memoryPort, type Port, realPort } from './port.ts';
import { printStep, type Step } from './step.ts';

/** Sequences that are played at the same time. */
const concurrency = 16;

/** A difference between two servers. */
export interface Difference {
  readonly seed: number;
  /** The fewest steps that show it, of which the last one has different responses. */
  readonly steps: readonly string[];
  readonly memory: unknown;
  readonly real: unknown;
}

/** A server in memory and a real one. */
export class Pair {
  readonly #memory: Port;
  readonly #real: Port;
  #namespaces = 0;

  private constructor(memory: Port, real: Port) {
    this.#memory = memory;
    this.#real = real;
  }

  /** Connects to both and creates the definitions. */
  static async start(server: TestServer, config: ClusterConfig): Promise<Pair> {
    const pair = new Pair(memoryPort(server), realPort(config));
    for (const port of [pair.#memory, pair.#real]) {
      const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      await play(
        port,
        definitions.map((body) => ({ method: 'POST', path, body, settles: true })),
        'default',
      );
      await port.settle();
      await port.settle();
    }
    return pair;
  }

  /** Plays the sequences of seeds and returns the differences. */
  async differences(
    seeds: readonly number[],
    stepsOf: (seed: number) => readonly Step[],
  ): Promise<readonly Difference[]> {
    const found: Difference[] = [];
    const rest = [...seeds];
    const worker = async (): Promise<void> => {
      for (let seed = rest.shift(); seed !== undefined; seed = rest.shift()) {
        const steps = stepsOf(seed);
        if ((await this.#firstDifference(steps)) === undefined) continue;
        // Under load the events of a watch may be late.
        const index = await this.#firstDifference(steps);
        if (index !== undefined) found.push(await this.#reduced(seed, steps.slice(0, index + 1)));
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    return found.sort((a, b) => a.seed - b.seed);
  }

  /** Sends requests that do not depend on each other, and returns those with different responses. */
  async differing(steps: readonly Step[]): Promise<readonly Omit<Difference, 'seed'>[]> {
    const [memory, real] = await this.#outcomes(steps);
    return steps.flatMap((step, index) =>
      isDeepStrictEqual(memory[index], real[index])
        ? []
        : [{ steps: [printStep(step)], memory: memory[index], real: real[index] }],
    );
  }

  close(): void {
    this.#real.close();
  }

  async #firstDifference(steps: readonly Step[]): Promise<number | undefined> {
    const [memory, real] = await this.#outcomes(steps);
    const index = steps.findIndex((_, each) => !isDeepStrictEqual(memory[each], real[each]));
    return index < 0 ? undefined : index;
  }

  async #outcomes(steps: readonly Step[]): Promise<readonly [memory: Outcome[][], real: Outcome[][]]> {
    this.#namespaces += 1;
    const name = `seq-${this.#namespaces}`;
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    const all: readonly Step[] = [{ method: 'POST', path: '/api/v1/namespaces', body: namespace }, ...steps];
    const memory = await play(this.#memory, all, name);
    const real = await play(this.#real, all, name);
    return [memory.slice(1), real.slice(1)];
  }

  /** Removes steps, one after the other, without which the last responses still differ. */
  async #reduced(seed: number, steps: readonly Step[]): Promise<Difference> {
    let left = steps;
    for (let index = steps.length - 2; index >= 0; index -= 1) {
      const fewer = left.filter((_, each) => each !== index);
      if ((await this.#firstDifference(fewer)) === fewer.length - 1) left = fewer;
    }
    const [memory, real] = await this.#outcomes(left);
    return { seed, steps: left.map(printStep), memory: memory.at(-1)?.at(-1), real: real.at(-1)?.at(-1) };
  }
}
