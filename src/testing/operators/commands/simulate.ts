/** The command `kgen simulate`. */
import { existsSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, extname, resolve } from 'node:path';
import type { Console, Progress, SimulateArguments } from 'kgen/commands';
import { failuresText, type ReportFormat, simulationReport } from '../report/report.ts';
import type { SimulateOptions, SimulationReport } from '../simulate/options.ts';
import { distinctFailures, type SeedFailure } from '../simulate/run/failures.ts';
import { seedRange, seedsOf, simulate } from '../simulate/simulate.ts';
import { SimulationError } from '../simulate/story.ts';
import { isRecord, loadModule, operatorIn } from './module.ts';
import { refused, statuses } from './status.ts';

/** Runs the command. Returns the exit status. */
export async function simulateCommand(
  parsed: SimulateArguments,
  console: Console,
  progress: Progress,
): Promise<number> {
  const interruption = interruptionOf(console);
  let ran: RanSeeds | undefined;
  try {
    const exports = await loadModule(console.cwd, parsed.file);
    const operator = operatorIn(exports, parsed.file, parsed.export);
    const options = optionsOf(exports['simulation'], console.cwd, parsed);
    const seeds = seedsOf(options);
    ran = new RanSeeds(seeds, progress);
    const { signal } = interruption;
    const listeners = ran.listeners(parsed.continue === true);
    const result = await resultOf(() => simulate(operator, { ...options, seeds, signal, ...listeners }));
    progress.end();
    console.stdout.write(simulationReport(result, 'text'));
    for (const file of parsed.report ?? []) {
      writeFileSync(resolve(console.cwd, file), simulationReport(result, formatOf(file)));
      console.stderr.write(`wrote ${file}\n`);
    }
    const isPassed = !(result instanceof SimulationError) && result.failures.length === 0;
    return isPassed ? statuses.passed : statuses.failed;
  } catch (error) {
    progress.end();
    if (!interruption.signal.aborted) return refused(error, console);
    console.stdout.write(ran?.text() ?? 'interrupted before the first seed\n');
    return interruption.status();
  }
}

/** Returns a signal that aborts when the process is to end; a second signal ends it at once. */
function interruptionOf({ onSignal }: Console): {
  readonly signal: AbortSignal;
  readonly status: () => number;
} {
  const stop = new AbortController();
  let status: number = statuses.failed;
  onSignal?.((signal) => {
    if (stop.signal.aborted) process.exit(status);
    status = 128 + constants.signals[signal];
    stop.abort();
  });
  return { signal: stop.signal, status: () => status };
}

/** Seeds of a simulation, of which some have run. */
class RanSeeds {
  readonly #seeds: readonly number[];
  readonly #progress: Progress;
  readonly #done = new Set<number>();
  readonly #failures: SeedFailure[] = [];

  constructor(seeds: readonly number[], progress: Progress) {
    this.#seeds = seeds;
    this.#progress = progress;
  }

  /** @param isContinuing whether the simulation continues after failures */
  listeners(isContinuing: boolean): Pick<SimulateOptions, 'onSeed' | 'onReduce' | 'onFailure'> {
    const listeners: Pick<SimulateOptions, 'onSeed' | 'onReduce'> = {
      onSeed: ({ seed }) => this.#ran(seed),
      onReduce: ({ seed, check, done, total }) =>
        this.#progress.show(`seed ${seed} violates ${check}, reducing its schedule`, done, total),
    };
    if (!isContinuing) return listeners;
    const onFailure: SimulateOptions['onFailure'] = (failure) => {
      this.#failures.push(failure);
      this.#ran(failure.seed);
    };
    return { ...listeners, onFailure };
  }

  #ran(seed: number): void {
    this.#done.add(seed);
    this.#progress.show('simulating', this.#done.size, this.#seeds.length);
  }

  /** Returns the result so far, and the options with which the remaining seeds run. */
  text(): string {
    const left = this.#seeds.slice(this.#seeds.findIndex((seed) => !this.#done.has(seed)));
    const [next = 0] = left;
    const isRange = left.every((seed, index) => seed === next + index);
    const rest = isRange ? `--from ${next} --seeds ${left.length}` : `the seeds ${left.join(', ')}`;
    const failures = distinctFailures(this.#failures);
    const found = failures.length === 0 ? 'without a failure\n' : `with ${failuresText(failures)}`;
    const stories = failures.map(({ error }) => `${error.message}\n\n`).join('');
    return `${stories}interrupted after ${this.#done.size} of ${this.#seeds.length} seeds, ${found}continue with ${rest}\n`;
  }
}

async function resultOf(run: () => Promise<SimulationReport>): Promise<SimulationReport | SimulationError> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof SimulationError) return error;
    throw error;
  }
}

/** Returns the options of a simulation: those of the command line over those that the module exports. */
function optionsOf(exported: unknown, cwd: string, parsed: SimulateArguments): SimulateOptions {
  const { file, seed, schedule, objects, steps, crds } = parsed;
  const chosen = seed === undefined ? chosenSeeds(exported, parsed) : [seed];
  // The command line takes precedence over the variable.
  if (chosen !== undefined) delete process.env['KGEN_SEED'];
  return {
    saveSchedules: 'schedules',
    ...(isRecord(exported) ? sourcesOf(exported, dirname(resolve(cwd, file))) : {}),
    ...(schedule === undefined ? {} : { schedule }),
    ...(crds === undefined ? {} : { crds }),
    ...(chosen === undefined ? {} : { seeds: chosen }),
    ...(objects === undefined ? {} : { objectsPerSeed: objects }),
    ...(steps === undefined ? {} : { stepsPerSeed: steps }),
  };
}

/** Options whose strings are paths, or contain paths. */
const sourceOptions = ['crds', 'objects', 'as', 'manifests'] as const;

/** Returns options whose relative paths begin at the folder of their module, if they exist there. */
function sourcesOf<T extends Readonly<Record<string, unknown>>>(options: T, folder: string): T {
  const placed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(placed);
    if (isRecord(value) && 'manifests' in value) return sourcesOf(value, folder);
    if (typeof value !== 'string') return value;
    // The part of a pattern before its first special character.
    const [fixed = ''] = /^[^*?[{]*/.exec(value) ?? [];
    return existsSync(resolve(folder, fixed)) ? resolve(folder, value) : value;
  };
  const own = sourceOptions.filter((name) => Object.hasOwn(options, name));
  return { ...options, ...Object.fromEntries(own.map((name) => [name, placed(options[name])])) };
}

/** Returns a range, if the command line has its begin or its length. */
function chosenSeeds(exported: unknown, { from, seeds }: SimulateArguments): readonly number[] | undefined {
  if (from === undefined && seeds === undefined) return undefined;
  const known = isRecord(exported) ? exported['seeds'] : undefined;
  const length = seeds ?? (typeof known === 'number' ? known : undefined);
  return seedRange(from, length);
}

function formatOf(file: string): ReportFormat {
  const extension = extname(file);
  return extension === '.html' ? 'html' : extension === '.json' ? 'json' : 'text';
}
