/** `kgen init` and `kgen create`. */
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { error, hasErrors, type InputProblem } from '../../../common/problems.ts';
import { createApi, createWebhook, initProject } from '../../../project/create.ts';
import { createExternalApi } from '../../../project/external.ts';
import { type ProjectResult, readProject } from '../../../project/project.ts';
import {
  type PackageManager,
  type ProjectManager,
  packageManagers,
  projectNameOf,
} from '../../../project/record.ts';
import { managerOf } from '../../../project/templates/package-managers.ts';
import type { Console } from '../../console.ts';
import { exitCodes } from '../../exit.ts';
import { problemLines } from '../../lines.ts';
import type { CreateArguments } from '../definitions/create.ts';
import type { InitArguments } from '../definitions/init.ts';

/** Writes a project and returns the exit status. */
export function runInit(parsed: InitArguments, console: Console): Promise<number> {
  return init(parsed, console, (packages) => [`${packages} install`, creationStep({ packages })]);
}

/** Returns the step that adds the first kind. */
export function creationStep(manager: ProjectManager): string {
  return `${managerOf(manager).exec} kgen create api --group GROUP --version v1alpha1 --kind KIND`;
}

/**
 * Writes a project and returns the exit status.
 * @param next returns the steps to print after a new project is written
 */
export async function init(
  parsed: Omit<InitArguments, 'command' | 'isClient' | 'force'>,
  console: Console,
  next: (packages: PackageManager) => readonly string[],
): Promise<number> {
  const existing = readProject(console.cwd).value?.facts;
  const { name = existing?.name ?? projectNameOf(basename(console.cwd)), parts, mode } = parsed;
  const domain =
    parsed.domain ??
    existing?.domain ??
    (await inputFor(console, 'Domain of the API groups, such as example.com: '));
  if (domain === undefined) {
    const what =
      'a project needs the domain of its API groups: give --domain example.com, or --client for a configuration file only';
    return refuse([error(what)], console);
  }
  // The package manager that runs kgen is that of a new project only.
  const packages = existing === undefined ? packageManagerOf(parsed) : parsed.packages;
  const options = { name, domain, parts, mode, cwd: console.cwd };
  const result = initProject({ ...options, ...(packages !== undefined && managerVersion(packages)) });
  if (existing !== undefined) return report(result, [], parsed, console);
  const hasRepository = result.ok && mode === 'write' && initRepository(console.cwd);
  const status = report(result, next(packageManagerOf(parsed)), parsed, console);
  if (hasRepository) console.stdout.write('The folder is a git repository now, without a commit.\n');
  return status;
}

/** Makes a folder a git repository; returns false if it is part of one, or git is not installed. */
function initRepository(cwd: string): boolean {
  const git = (...args: readonly string[]): boolean =>
    spawnSync('git', args, { cwd, stdio: 'ignore' }).status === 0;
  return !git('rev-parse', '--git-dir') && git('init', '--quiet');
}

/** Returns the package manager of a project: the requested one, or the one that runs this program. */
export function packageManagerOf({ packages }: Pick<InitArguments, 'packages'>): PackageManager {
  // Such as `pnpm/10.0.0 npm/? node/v24`.
  const agent = process.env['npm_config_user_agent'] ?? '';
  return packages ?? packageManagers.find((name) => agent.startsWith(`${name}/`)) ?? 'npm';
}

/** Returns a package manager with its version, if that runs this program or is installed. */
function managerVersion(packages: PackageManager): ProjectManager {
  const agent = process.env['npm_config_user_agent'] ?? '';
  // npm reads no version.
  if (packages === 'npm') return { packages };
  const [, running] = /^\w+\/(\S+)/.exec(agent.startsWith(`${packages}/`) ? agent : '') ?? [];
  if (running !== undefined) return { packages, packagesVersion: running };
  const { stdout } = spawnSync(`${packages} --version`, { shell: true, encoding: 'utf8' });
  return { packages, packagesVersion: stdout.trim() };
}

/** Adds a kind, a version or webhooks to a project, and returns the exit status. */
export async function runCreate(parsed: CreateArguments, console: Console): Promise<number> {
  const result = await created(parsed, console.cwd);
  const edited = result.changes.find(({ path }) => /^(api|src\/(webhooks|controllers))\//.test(path))?.path;
  const edit = edited === undefined ? [] : [`edit ${edited}`];
  const { run, exec } = managerOf(readProject(console.cwd).value?.facts ?? {});
  return report(result, [...edit, `${exec} kgen`, `${run} test`], parsed, console);
}

async function created(parsed: CreateArguments, cwd: string): Promise<ProjectResult> {
  if (parsed.part === 'external') return createExternalApi({ ...parsed, cwd });
  const { command: _, part, ...options } = parsed;
  return part === 'webhook' ? createWebhook({ ...options, cwd }) : createApi({ ...options, cwd });
}

/** Returns the response to a question; `undefined` without a terminal, or at the end of the input. */
export async function inputFor({ stdin, stderr }: Console, question: string): Promise<string | undefined> {
  if (!stderr.isTerminal || !('isTTY' in stdin && stdin.isTTY === true)) return undefined;
  stderr.write(question);
  const lines = createInterface({ input: stdin });
  try {
    for await (const line of lines) return line.trim();
    return undefined;
  } finally {
    lines.close();
  }
}

/** Prints the changes of a project and the next steps, and returns the exit status. */
export function report(
  result: ProjectResult,
  next: readonly string[],
  { mode }: Pick<InitArguments, 'mode'>,
  { stdout, stderr }: Console,
): number {
  const { changes, kept, problems, ok } = result;
  stderr.write(problemLines(problems, stderr.paint));
  if (!ok) return exitCodes.problems;
  const steps = next.map((step, index) => `  ${index + 1}. ${step}`);
  const lines = [
    ...changes.map(
      ({ kind, path, from }) => `${kind.padEnd(8)} ${from === undefined ? '' : `${from} -> `}${path}`,
    ),
    ...kept.map((path) => `${'kept'.padEnd(8)} ${path}`),
    ...(changes.length === 0 ? ['Nothing changes.'] : []),
    ...(mode === 'dry-run' ? ['Nothing was written.'] : steps.length > 0 ? ['Next:', ...steps] : []),
  ];
  stdout.write(`${lines.join('\n')}\n`);
  return hasErrors(problems) ? exitCodes.problems : exitCodes.ok;
}

/** Prints problems and returns the exit status. */
export function refuse(
  problems: readonly InputProblem[],
  { stderr }: Console,
  status: number = exitCodes.usage,
): number {
  stderr.write(problemLines(problems, stderr.paint));
  return status;
}
