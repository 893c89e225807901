/** `kgen init --client`: a configuration file with each setting explained. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { error, type InputProblem } from '../../common/problems.ts';
import { configNames, type Format } from '../../config/names.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';
import type { InitArguments } from './definitions/init.ts';

/** Writes a new configuration file and returns the exit status. */
export async function runInitClient(
  { format = runnableFormat(), force }: Pick<InitArguments, 'format' | 'force'>,
  console: Console,
): Promise<number> {
  const { cwd, stdout, stderr } = console;
  const name = `kgen.config.${format}`;
  const others = configNames.filter((one) => one !== name && existsSync(join(cwd, one)));
  const problem =
    (force ? undefined : otherFile(others)) ??
    (await write(join(cwd, name), name, format, force)) ??
    remove(cwd, others);
  if (problem !== undefined) {
    stderr.write(problemLines([problem], stderr.paint));
    return exitCodes.problems;
  }
  stderr.write(problemLines(await warnings(cwd, name), stderr.paint));
  stdout.write(nextSteps(name, format, others));
  return exitCodes.ok;
}

/** Returns TypeScript if this version of Node strips types. */
export function runnableFormat(features: object = process.features): Format {
  return Reflect.get(features, 'typescript') ? 'ts' : 'js';
}

/** Of two configuration files, only the first one would be read. */
function otherFile([other]: readonly string[]): InputProblem | undefined {
  if (other === undefined) return undefined;
  return error(
    `${other} already exists, and kgen reads one configuration file: edit it, or replace it with --force`,
  );
}

function remove(cwd: string, names: readonly string[]): InputProblem | undefined {
  for (const name of names) {
    try {
      rmSync(join(cwd, name));
    } catch (cause) {
      return fault(cause, name, 'cannot be removed');
    }
  }
  return undefined;
}

function fault(cause: unknown, name: string, what: string): InputProblem {
  const { code } = cause as NodeJS.ErrnoException; // seam: errors of node:fs have a code
  if (code === undefined) throw cause;
  const why =
    code === 'EEXIST'
      ? 'the file already exists: edit it, or replace it with --force'
      : `the file ${what} (${code}): check the path and the permissions of the folder`;
  return error(why, { file: name });
}

async function write(
  path: string,
  name: string,
  format: Format,
  force: boolean,
): Promise<InputProblem | undefined> {
  const { configText } = await import('../../config/template.ts'); // Loaded on demand, so that --help and --version are fast.
  try {
    writeFileSync(path, configText(format), { flag: force ? 'w' : 'wx' });
    return undefined;
  } catch (cause) {
    return fault(cause, name, 'cannot be written');
  }
}

/** Returns reasons why this version of Node cannot read the file in this folder, such as its format. */
async function warnings(cwd: string, name: string): Promise<readonly InputProblem[]> {
  const { loadConfig } = await import('../../config/load.ts');
  const { problems } = await loadConfig(cwd, name);
  return problems.map((problem) => ({ ...problem, severity: 'warning' }));
}

function nextSteps(name: string, format: Format, replaced: readonly string[]): string {
  const inPlace = replaced.length === 0 ? '' : `, in place of ${replaced.join(' and ')}`;
  const help =
    format === 'json'
      ? 'JSON has no comments: kgen --help lists the settings, which are its options in camel case.\n'
      : '';
  return `${name} is written${inPlace}. Next:
  1. set \`input\` to your CRDs, or replace it with \`fromCluster\` or \`openapi\`
  2. run kgen
  3. install @kgen/runtime, which the generated code imports
${help}`;
}
