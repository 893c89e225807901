/** Simulation of `kgen simulate` in several processes. */
import { availableParallelism } from 'node:os';
import { failedSeeds, type ReportDocument } from '../../report/document.ts';
import { countedReport } from '../../report/tally.ts';
import { distinctFailures } from '../../simulate/run/failures.ts';
import type { SimulationRun } from '../ran-seeds.ts';
import {
  type Assignment,
  assigned,
  assignmentOf,
  ended,
  jobsFor,
  knownFailures,
  type Outcome,
  outcomeOf,
  type Task,
} from './assignment.ts';
import { Pool, type PoolProcess } from './pool.ts';
import type { ExploredMessage, WorkerMessage } from './worker.ts';

/** A process has ended before its seeds. */
export class EndedProcessError extends Error {
  override readonly name = 'EndedProcessError';
}

/**
 * Runs the seeds in several processes. The first one loads the module, whose seeds decide how many follow.
 * @throws {EndedProcessError} if a process ends
 * @throws the reason of the signal, once it aborts
 * @throws {Error} if the module or its options are invalid
 */
export function runJobs(run: SimulationRun): Promise<ReportDocument> {
  return new Jobs(run).result();
}

class Jobs {
  readonly #run: SimulationRun;
  readonly #pool: Pool;
  readonly #tasks = new Map<PoolProcess, Task | undefined>();
  #hasLoaded = false;
  #explored: ExploredMessage | undefined;
  #state: Assignment | undefined;
  #resolve: (document: ReportDocument) => void = () => undefined;
  #reject: (reason: unknown) => void = () => undefined;

  constructor(run: SimulationRun) {
    this.#run = run;
    const { parsed, console } = run;
    this.#pool = new Pool({ parsed, cwd: console.cwd }, console, {
      onMessage: (from, message) => this.#receive(from, message),
      onEnd: (from, how) => this.#reject(new EndedProcessError(`${this.#nameOf(from)} ${how}`)),
    });
  }

  async result(): Promise<ReportDocument> {
    const { signal } = this.#run;
    const result = new Promise<ReportDocument>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    signal.addEventListener('abort', () => this.#reject(signal.reason), { once: true });
    if (signal.aborted) this.#reject(signal.reason);
    else this.#pool.add();
    try {
      return await result;
    } finally {
      for (const each of this.#state === undefined ? [] : knownFailures(this.#state))
        this.#run.ran.failed(each);
      await this.#pool.stop();
    }
  }

  #receive(from: PoolProcess, message: WorkerMessage): void {
    const { ran } = this.#run;
    switch (message.type) {
      case 'loaded':
        this.#grow(message.seeds);
        break;
      case 'explored':
        this.#begin(from, message);
        break;
      case 'seed':
        ran.ran(message.seed, message.hasPassed);
        break;
      case 'reducing':
        ran.reduces(message);
        break;
      case 'failed':
        this.#resolve({ formatVersion: 1, passed: false, ...message.failure });
        break;
      case 'refused':
        this.#reject(new Error(message.message));
        break;
      default:
        this.#tasks.set(from, undefined);
        this.#state = this.#state && ended(this.#state, message);
        this.#assign();
    }
  }

  /** Starts the other processes. */
  #grow(seeds: number): void {
    if (this.#hasLoaded) return;
    this.#hasLoaded = true;
    const count = jobsFor(this.#run.parsed.jobs, availableParallelism(), seeds);
    for (let index = 1; index < count; index += 1) this.#pool.add();
  }

  /** All processes find the same before their seeds: it counts once. */
  #begin(from: PoolProcess, message: ExploredMessage): void {
    if (this.#state === undefined) this.#run.ran.begin(message.seeds);
    this.#explored ??= message;
    this.#state ??= assignmentOf(message);
    this.#tasks.set(from, undefined);
    this.#assign();
  }

  #assign(): void {
    if (this.#state === undefined || this.#explored === undefined) return;
    const outcome = outcomeOf(this.#state);
    if (outcome !== undefined) this.#resolve(documentOfOutcome(outcome, this.#explored));
    for (const [process, current] of this.#tasks) {
      if (current !== undefined) continue;
      const [state, task] = assigned(this.#state);
      this.#state = state;
      if (task === undefined) return;
      this.#tasks.set(process, task);
      process.start(task);
    }
  }

  /** Returns a process with its work, as the begin of a sentence. */
  #nameOf(process: PoolProcess): string {
    const { parsed } = this.#run;
    const task = this.#tasks.get(process);
    const seeds = this.#explored?.seeds ?? [];
    if (task === undefined)
      return `${parsed.file}: a process that ${this.#tasks.has(process) ? 'waits' : 'loads the module'}`;
    if (task.do === 'endure') return `${parsed.file}: the process that searches leaks`;
    const list =
      task.do === 'run' ? seeds.slice(task.from, task.to) : seeds.slice(task.index, task.index + 1);
    return `${parsed.file}: the process of the seeds ${list.join(', ')}`;
  }
}

function documentOfOutcome(outcome: Outcome, { seeds, facts }: ExploredMessage): ReportDocument {
  if (outcome.type === 'failed') return { formatVersion: 1, passed: false, ...outcome.failure };
  const failures = distinctFailures(outcome.failures).map(({ error, seeds }) => ({ ...error, seeds }));
  const passed = seeds.length - failedSeeds(failures);
  const report = { seeds: passed, ...countedReport(outcome.tally, facts) };
  if (failures.length === 0) return { formatVersion: 1, passed: true, ...report };
  return { formatVersion: 1, passed: false, ...report, failures };
}
