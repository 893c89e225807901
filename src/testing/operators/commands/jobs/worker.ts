/**
 * Program of a process that runs seeds of a simulation. It receives its command line and then one task after
 * the other, and ends with the channel, however the process at its other end has ended.
 */
import { messageOf } from '@kgen/schema/values/thrown';
import type { SimulateArguments } from 'kgen/commands';
import { contentOf, type FailureContent } from '../../report/document.ts';
import type { OperatorFacts, Tally } from '../../report/tally.ts';
import type { Simulation } from '../../simulate/run/simulation.ts';
import type { ReductionProgress } from '../../simulate/schedule/shrink.ts';
import { seedsOf, withSimulation } from '../../simulate/simulate.ts';
import { SimulationError } from '../../simulate/story.ts';
import { loadSimulation } from '../simulate-options.ts';
import type { FailingSeed, Task, TaskResult } from './assignment.ts';

/** First message to the process. */
export interface WorkerStart {
  readonly parsed: SimulateArguments;
  readonly cwd: string;
}

/** Messages of the process. */
export type WorkerMessage =
  /** The module is loaded. */
  | { readonly type: 'loaded'; readonly seeds: number }
  | ExploredMessage
  | { readonly type: 'seed'; readonly seed: number; readonly hasPassed: boolean }
  | ({ readonly type: 'reducing' } & ReductionProgress)
  | TaskResult
  /** A failure that does not depend on seeds. */
  | { readonly type: 'failed'; readonly failure: FailureContent }
  /** An error for which the operator is not the reason. */
  | { readonly type: 'refused'; readonly message: string };

/** The process is ready for tasks. */
export interface ExploredMessage {
  readonly type: 'explored';
  readonly seeds: readonly number[];
  readonly checksLeaks: boolean;
  readonly isContinuing: boolean;
  readonly facts: OperatorFacts;
  readonly tally: Tally;
}

process.on('disconnect', () => process.exit());
// A terminal sends signals to all of its processes: the other one decides.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

// seam: messages are those of the pool.
process.once('message', (start) => void work(start as WorkerStart));

async function work({ parsed, cwd }: WorkerStart): Promise<void> {
  try {
    const { operator, options } = await loadSimulation(cwd, parsed);
    send({ type: 'loaded', seeds: options.schedule === undefined ? seedsOf(options).length : 1 });
    const isContinuing = parsed.continue === true || options.onFailure !== undefined;
    const onReduce = (progress: ReductionProgress): void => send({ type: 'reducing', ...progress });
    await withSimulation(operator, { ...options, onReduce }, async (simulation) => {
      const facts = await simulation.explore();
      const { seeds, checksLeaks } = simulation;
      const tasks = receivedTasks();
      send({ type: 'explored', seeds, checksLeaks, isContinuing, facts, tally: simulation.take() });
      for await (const task of tasks) send(await resultOf(simulation, task, isContinuing));
    });
  } catch (error) {
    if (error instanceof SimulationError) send({ type: 'failed', failure: contentOf(error) });
    else send({ type: 'refused', message: messageOf(error) });
  }
}

function send(message: WorkerMessage): void {
  // The other process may have closed the channel, which this one learns a moment later.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/** Returns the tasks in the order of their messages. */
async function* receivedTasks(): AsyncGenerator<Task, never> {
  for (;;) {
    // seam: messages are those of the pool.
    yield await new Promise<Task>((resolve) => process.once('message', (task) => resolve(task as Task)));
  }
}

async function resultOf(simulation: Simulation, task: Task, isContinuing: boolean): Promise<TaskResult> {
  switch (task.do) {
    case 'run':
      return runSeeds(simulation, task, isContinuing);
    case 'reduce': {
      const { index, kind } = task;
      const failure = contentOf(await simulation.reduce(simulation.seeds[index] ?? 0, kind));
      return { type: 'reduced', index, failure, tally: simulation.take() };
    }
    case 'endure': {
      const leak = await simulation.endure();
      return { type: 'endured', failure: leak && contentOf(leak), tally: simulation.take() };
    }
  }
}

async function runSeeds(
  simulation: Simulation,
  { from, to }: Extract<Task, { readonly do: 'run' }>,
  isContinuing: boolean,
): Promise<TaskResult> {
  const failing: FailingSeed[] = [];
  for (let index = from; index < to && (isContinuing || failing.length === 0); index += 1) {
    const seed = simulation.seeds[index] ?? 0;
    const kind = await simulation.examine(seed);
    if (kind !== undefined) failing.push({ index, kind });
    send({ type: 'seed', seed, hasPassed: kind === undefined });
  }
  return { type: 'ran', from, to, failing, tally: simulation.take() };
}
