/** The command `kgen simulate`. */
import { writeFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import type { Console, Progress, SimulateArguments } from 'kgen/commands';
import { type ReportFormat, simulationReport } from '../report/report.ts';
import type { SimulateOptions, SimulationReport } from '../simulate/options.ts';
import { simulate } from '../simulate/simulate.ts';
import { SimulationError } from '../simulate/story.ts';
import { isRecord, loadModule, operatorIn } from './module.ts';
import { refused, statuses } from './status.ts';

/** Runs the command. Returns the exit status. */
export async function simulateCommand(
  parsed: SimulateArguments,
  console: Console,
  progress: Progress,
): Promise<number> {
  try {
    const exports = await loadModule(console.cwd, parsed.file);
    const operator = operatorIn(exports, parsed.file, parsed.export);
    const options = optionsOf(exports['simulation'], parsed);
    const result = await resultOf(() =>
      simulate(operator, {
        ...options,
        onSeed: ({ done, total }) => progress.show('simulating', done, total),
        onReduce: ({ seed, check, done, total }) =>
          progress.show(`seed ${seed} violates ${check}, reducing its schedule`, done, total),
      }),
    );
    progress.end();
    console.stdout.write(simulationReport(result, 'text'));
    for (const file of parsed.report ?? []) {
      writeFileSync(resolve(console.cwd, file), simulationReport(result, formatOf(file)));
      console.stderr.write(`wrote ${file}\n`);
    }
    return result instanceof SimulationError ? statuses.failed : statuses.passed;
  } catch (error) {
    progress.end();
    return refused(error, console);
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
function optionsOf(exported: unknown, parsed: SimulateArguments): SimulateOptions {
  const { seed, seeds, objects, steps, crds } = parsed;
  const chosen = seed === undefined ? seeds : [seed];
  // The command line takes precedence over the variable.
  if (chosen !== undefined) delete process.env['KGEN_SEED'];
  return {
    ...(isRecord(exported) ? exported : {}),
    ...(crds === undefined ? {} : { crds }),
    ...(chosen === undefined ? {} : { seeds: chosen }),
    ...(objects === undefined ? {} : { objectsPerSeed: objects }),
    ...(steps === undefined ? {} : { stepsPerSeed: steps }),
  };
}

function formatOf(file: string): ReportFormat {
  const extension = extname(file);
  return extension === '.html' ? 'html' : extension === '.json' ? 'json' : 'text';
}
