/** The command `kgen simulate`. */
import { writeFileSync } from 'node:fs';
import { url as inspectorUrl } from 'node:inspector';
import { availableParallelism, constants } from 'node:os';
import { extname, resolve } from 'node:path';
import type { Console, Progress, SimulateArguments } from 'kgen/commands';
import { documentText, type ReportFormat } from '../report/report.ts';
import { commandOf } from '../report/view.ts';
import { jobsFor } from './jobs/assignment.ts';
import { EndedProcessError, runJobs } from './jobs/run-jobs.ts';
import { RanSeeds, type SimulationRun } from './ran-seeds.ts';
import { refused, statuses } from './status.ts';

/** Runs the command. Returns the exit status. */
export async function simulateCommand(
  parsed: SimulateArguments,
  console: Console,
  progress: Progress,
): Promise<number> {
  const interruption = interruptionOf(console);
  const ran = new RanSeeds(progress);
  const run: SimulationRun = { parsed, console, ran, signal: interruption.signal };
  try {
    const document = needsOneProcess(parsed)
      ? await (await import('./run-here.ts')).runHere(run)
      : await runJobs(run);
    progress.end();
    console.stdout.write(documentText(document, 'text'));
    for (const file of parsed.report ?? []) {
      writeFileSync(resolve(console.cwd, file), documentText(document, formatOf(file), commandOf(parsed)));
      console.stderr.write(`wrote ${file}\n`);
    }
    return document.passed ? statuses.passed : statuses.failed;
  } catch (error) {
    progress.end();
    const hasEnded = error instanceof EndedProcessError;
    if (!interruption.signal.aborted && !hasEnded) return refused(error, console);
    console.stdout.write(ran.text());
    if (!hasEnded) return interruption.status();
    refused(error, console);
    return statuses.failed;
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

/** One schedule, few seeds, and debuggers, which are attached to this process. */
function needsOneProcess({ jobs, seed, schedule, from, seeds }: SimulateArguments): boolean {
  if (seed !== undefined || schedule !== undefined || inspectorUrl() !== undefined) return true;
  // The command line takes precedence over the variable.
  const hasVariable = Boolean(process.env['KGEN_SEED']) && from === undefined && seeds === undefined;
  return hasVariable || jobsFor(jobs, availableParallelism(), seeds ?? Number.POSITIVE_INFINITY) === 1;
}

function formatOf(file: string): ReportFormat {
  const extension = extname(file);
  return extension === '.html' ? 'html' : extension === '.json' ? 'json' : 'text';
}
