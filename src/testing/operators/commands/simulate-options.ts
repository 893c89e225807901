/** Options of the command `kgen simulate`. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { SimulateArguments } from 'kgen/commands';
import type { SimulateOptions } from '../simulate/options.ts';
import type { Operator } from '../simulate/process/operator.ts';
import { seedRange } from '../simulate/simulate.ts';
import { isRecord, loadModule, operatorIn } from './module.ts';

/**
 * Loads an operator, and the options of its simulation.
 * @throws {Error} if the module is invalid
 */
export async function loadSimulation(
  cwd: string,
  parsed: SimulateArguments,
): Promise<{ readonly operator: Operator; readonly options: SimulateOptions }> {
  const exports = await loadModule(cwd, parsed.file);
  const operator = operatorIn(exports, parsed.file, parsed.export);
  return { operator, options: optionsOf(exports['simulation'], cwd, parsed) };
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
