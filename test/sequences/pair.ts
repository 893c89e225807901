/** Plays sequences on two servers, and reduces those with different responses to the necessary steps. */
import { dirname } from 'node:path/posix';
import { isDeepStrictEqual } from 'node:util';
import type { ClusterConfig } from '@kgen/runtime';
import type { TestServer } from '@kgen/testserver';
import { array, text } from '../../src/schema/values/json.ts';
import { definitions } from './custom-kinds.ts';
import { definition } from './definition-steps.ts';
import { type Outcome, play } from './play.ts';
import { memoryPort, type Port, realPort } from './port.ts';
import { printStep, type Step } from './step.ts';
import { permissions } from './users.ts';

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

/** A seed with its sequence. */
export type Played = readonly [seed: number, steps: readonly Step[]];

/** Receives the differences of a search. */
export interface Findings {
  /** Whether a further difference of a class is reduced to its necessary steps. */
  readonly isReduced: (name: string) => boolean;
  readonly found: (name: string, difference: Difference) => void;
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
        [...definitions.map((body): Step => ({ method: 'POST', path, body, settles: true })), ...permissions],
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
    const rest = seeds.map((seed): Played => [seed, stepsOf(seed)]);
    await this.search(() => rest.shift(), {
      isReduced: () => true,
      found: (_, difference) => found.push(difference),
    });
    return found.sort((a, b) => a.seed - b.seed);
  }

  /** Plays sequences until the source of them ends. */
  async search(next: () => Played | undefined, { isReduced, found }: Findings): Promise<void> {
    const worker = async (): Promise<void> => {
      for (let played = next(); played !== undefined; played = next()) {
        const [seed, steps] = played;
        if ((await this.#firstDifference(steps)) === undefined) continue;
        // Under load the events of a watch may be late.
        const index = await this.#firstDifference(steps);
        if (index === undefined) continue;
        const shown = steps.slice(0, index + 1);
        const name = await this.#className(shown);
        if (isReduced(name)) found(name, await this.#reduced(seed, shown));
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
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
    for (const port of [this.#memory, this.#real]) await play(port, removals(steps), name);
    return [memory.slice(1), real.slice(1)];
  }

  /** Names the kind of the last request and the members that differ in its responses. */
  async #className(steps: readonly Step[]): Promise<string> {
    const [memory, real] = await this.#outcomes(steps);
    const { method, path, type = '' } = steps.at(-1) ?? { method: 'GET', path: '' };
    const place = path
      .replace(/^\/(?:api|apis\/[^/]+)\/[^/]+\//, '')
      .replace(/^namespaces\/[^/]+\/(?=[a-z]{3})/, '')
      .replace(/\/[^/]+/, '/*');
    return classOf(`${method} ${place} ${type.replace('application/', '')}`, last(memory), last(real));
  }

  /** Removes steps, one after the other, without which the last responses still differ. */
  async #reduced(seed: number, steps: readonly Step[]): Promise<Difference> {
    let left = steps;
    for (let index = steps.length - 2; index >= 0; index -= 1) {
      const fewer = left.filter((_, each) => each !== index);
      if ((await this.#firstDifference(fewer)) === fewer.length - 1) left = fewer;
    }
    const [memory, real] = await this.#outcomes(left);
    return { seed, steps: left.map(printStep), memory: last(memory), real: last(real) };
  }
}

/** Removes the objects of a sequence, so that the servers of a long search remain small. */
function removals(steps: readonly Step[]): readonly Step[] {
  const collections = new Set(steps.flatMap(({ method, path }) => (method === 'POST' ? [path] : [])));
  const namespace = '/api/v1/namespaces/{ns}';
  const query = { labelSelector: 'run={ns}' };
  return [
    ...[...collections].map(
      (path): Step => ({ method: 'DELETE', path, ...(path.includes('/namespaces/') ? {} : { query }) }),
    ),
    ...(collections.has(dirname(definition)) ? [{ method: 'DELETE', path: definition } as const] : []),
    { method: 'DELETE', path: namespace },
    {
      method: 'PUT',
      path: `${namespace}/finalize`,
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{ns}' }, spec: { finalizers: [] } },
    },
  ];
}

function last(outcomes: readonly (readonly Outcome[])[]): Outcome | undefined {
  return outcomes.at(-1)?.at(-1);
}

/** A different status is named by the causes of the failure, others by the members. */
function classOf(request: string, memory: Outcome | undefined, real: Outcome | undefined): string {
  if (memory === undefined || real === undefined) return `${request} without a response`;
  if (memory.status === real.status)
    return [request, ...new Set(differing(memory, real, ''))].slice(0, 5).join(' ');
  const [, place = ''] = request.split(' ');
  const failed = real.status > memory.status ? real : memory;
  const causes = array(failed.body, 'details', 'causes').map(
    (cause) => `${text(cause, 'field')} ${text(cause, 'message')}`,
  );
  const reasons = causes.length === 0 ? [text(failed.body, 'message')] : causes;
  const named = reasons.map((reason) =>
    reason
      .replaceAll(/\[\d+\]/g, '[]')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/"[^"]*"/g, '…'),
  );
  const statuses = real.status === 422 ? 'refused with 422' : `${memory.status} | ${real.status}`;
  const resource = place.replace(/\/\*$/, '');
  return `${resource} ${statuses} ${[...new Set(named)].slice(0, 3).join('; ').slice(0, 200)}`;
}

/** Returns the members of two values that differ, with the values of those that are short. */
function differing(memory: unknown, real: unknown, path: string): readonly string[] {
  if (isDeepStrictEqual(memory, real)) return [];
  if (!isNested(memory) || !isNested(real))
    return [`${path.replaceAll(/\.\d+/g, '[]')}: ${short(memory)} | ${short(real)}`];
  return [...new Set([...Object.keys(memory), ...Object.keys(real)])].flatMap((key) =>
    differing(memory[key], real[key], `${path}.${key}`),
  );
}

function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function short(value: unknown): string {
  const printed = (JSON.stringify(value) ?? 'none').replaceAll(/\d+/g, 'N');
  return printed.length < 90 ? printed : `${printed.slice(0, 40)}…${printed.slice(-40)}`;
}
