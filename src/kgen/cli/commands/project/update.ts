/** `kgen update`. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { version } from '../../../common/version.ts';
import { updateProject } from '../../../project/update/update.ts';
import type { Console } from '../../console.ts';
import { exitCodes } from '../../exit.ts';
import type { UpdateArguments } from '../definitions/update.ts';
import { runProject } from '../generate.ts';
import { report } from './project.ts';

/** Brings a project to this version and returns the exit status. */
export async function runUpdate(parsed: UpdateArguments, console: Console): Promise<number> {
  const { cwd } = console;
  const { from, ...result } = updateProject({ cwd, mode: parsed.mode });
  if (result.ok && from !== version) console.stdout.write(`kgen ${from} -> ${version}\n`);
  const conflicts = result.changes.filter((change) => change.conflicts > 0).map(({ path }) => path);
  const isInstalled = installedVersion(cwd) === version;
  const next = [
    ...(conflicts.length > 0 ? [`resolve the conflicts in ${conflicts.join(', ')}`] : []),
    ...(isInstalled ? [] : ['install the packages, such as with npm install']),
    ...(conflicts.length > 0 || !isInstalled ? ['npx kgen, which writes config and generated again'] : []),
  ];
  const code = report(result, next, parsed, console);
  if (code !== exitCodes.ok || conflicts.length > 0) return exitCodes.problems;
  if (parsed.mode === 'dry-run' || !isInstalled) return code;
  return runProject({ settings: {}, mode: 'write', print: 'text' }, console);
}

/** Returns the version of the packages of the project; `undefined` if they are not installed. */
function installedVersion(cwd: string): string | undefined {
  try {
    // seam: the manifest of a package
    const found = createRequire(join(cwd, 'package.json'))('@kgen/runtime/package.json') as {
      readonly version?: string;
    };
    return found.version;
  } catch {
    return undefined;
  }
}
