/** `kgen new`: a folder with a project, whose packages are installed. */
import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { error, type InputProblem } from '../../../common/problems.ts';
import { managerOf } from '../../../project/templates/package-managers.ts';
import { guarded } from '../../../write/write.ts';
import type { Console } from '../../console.ts';
import { exitCodes } from '../../exit.ts';
import type { NewArguments } from '../definitions/new.ts';
import { creationStep, init, inputFor, packageManagerOf, refuse } from './project.ts';

/** Makes a project and returns the exit status. */
export async function runNew(parsed: NewArguments, console: Console): Promise<number> {
  const folder = parsed.folder ?? (await inputFor(console, 'Folder of the project, such as my-operator: '));
  if (folder === undefined)
    return refuse([error('a project needs a folder: give its name, such as my-operator')], console);
  const cwd = resolve(console.cwd, folder);
  const place = { path: cwd, shown: folder, remedy: 'choose another one' };
  const { value: occupied, problems } = guarded<readonly InputProblem[]>(place, [], () =>
    occupationOf(cwd, folder),
  );
  if (problems.length + occupied.length > 0) return refuse([...problems, ...occupied], console);
  const status = await init({ name: basename(cwd), ...parsed }, { ...console, cwd }, () => []);
  if (status !== exitCodes.ok || parsed.mode === 'dry-run') return status;
  const packages = packageManagerOf(parsed);
  const shown = relative(console.cwd, cwd);
  if (parsed.install && !isInstalled(packages, cwd)) {
    const what = `the project is complete, but ${packages} install has failed: correct its problem, and run ${packages} install in ${shown || '.'}`;
    return refuse([error(what)], console, exitCodes.problems);
  }
  const steps = [
    ...(shown === '' ? [] : [`cd ${shown}`]),
    ...(parsed.install ? [] : [`${packages} install`]),
    creationStep({ packages }),
    `${managerOf({ packages }).exec} kgen dev`,
  ];
  console.stdout.write(`Next:\n${steps.map((step, index) => `  ${index + 1}. ${step}\n`).join('')}`);
  return exitCodes.ok;
}

/** Returns the reason why a project cannot be made in a folder; a repository may exist in it. */
function occupationOf(cwd: string, shown: string): readonly InputProblem[] {
  const found = lstatSync(cwd, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [error('it is not a folder: choose another name', { file: shown })];
  const names = readdirSync(cwd).filter((name) => name !== '.git');
  if (names.length === 0) return [];
  const some = names.length > 3 ? [...names.slice(0, 3), '…'] : names;
  const what = `the folder is not empty: it contains ${some.join(', ')}; choose another one, or run kgen init in it, which keeps its files`;
  return [error(what, { file: shown })];
}

function isInstalled(packages: string, cwd: string): boolean {
  // Package managers are scripts on Windows, which a shell starts.
  return spawnSync(`${packages} install`, { cwd, shell: true, stdio: 'inherit' }).status === 0;
}
