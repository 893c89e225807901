/** Simulation of `kgen simulate` in one process. */
import { contentOf, documentOf, type ReportDocument } from '../report/document.ts';
import type { SimulateOptions } from '../simulate/options.ts';
import { seedsOf, simulate } from '../simulate/simulate.ts';
import { SimulationError } from '../simulate/story.ts';
import type { SimulationRun } from './ran-seeds.ts';
import { loadSimulation } from './simulate-options.ts';

/** Runs all seeds in this process. */
export async function runHere({ parsed, console, ran, signal }: SimulationRun): Promise<ReportDocument> {
  const { operator, options } = await loadSimulation(console.cwd, parsed);
  const seeds = seedsOf(options);
  ran.begin(options.schedule === undefined ? seeds : seeds.slice(0, 1));
  const onFailure: SimulateOptions['onFailure'] = ({ seed, error }) => {
    ran.ran(seed, false);
    ran.failed({ seed, error: contentOf(error) });
  };
  const listeners = {
    onSeed: ({ seed }) => ran.ran(seed, true),
    onReduce: (reduction) => ran.reduces(reduction),
    ...(parsed.continue === true ? { onFailure } : {}),
  } satisfies SimulateOptions;
  try {
    return documentOf(await simulate(operator, { ...options, seeds, signal, ...listeners }));
  } catch (error) {
    if (error instanceof SimulationError) return documentOf(error);
    throw error;
  }
}
