/** `kgen manifests`. */
import { join } from 'node:path';
import { writeJson } from '@kgen/schema/values/wire';
import { sha256 } from '../../common/cache/cache-entry.ts';
import { type Checked, error, hasErrors, type InputProblem, maxListed } from '../../common/problems.ts';
import type { ParsedConfig } from '../../config/config.ts';
import { configFile, loadConfig } from '../../config/load.ts';
import { configNames } from '../../config/names.ts';
import type { Disk } from '../../input/modules/disk.ts';
import type { DefinitionCheck } from '../../manifests/changes/check.ts';
import { formatCheck } from '../../manifests/changes/format.ts';
import {
  type ConfiguredOptions,
  definitionManifests,
  type ManifestsResult,
  manifests,
} from '../../manifests/manifests.ts';
import { nameOf } from '../../manifests/read-apis.ts';
import { type WatchedOptions, watchManifests } from '../../manifests/watch.ts';
import type { FileChange } from '../../write/plan.ts';
import type { Paint } from '../colors.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';
import { jsonProblem } from '../refusal.ts';
import type { ManifestsArguments } from './definitions/manifests.ts';

/** Writes or checks manifests and returns the exit status. */
export async function runManifests(parsed: ManifestsArguments, console: Console): Promise<number> {
  const { cwd, stdout } = console;
  if (parsed.isWatch) return watched(parsed, console);
  const settings = await loadConfig(cwd, undefined);
  const result = await manifests(optionsOf(parsed, settings, cwd));
  const check = await compared(result, parsed, cwd);
  const problems = [...result.problems, ...(check?.problems ?? [])];
  if (parsed.isJson) stdout.write(jsonResult({ ...result, problems }, check));
  else printResult(result, problems, parsed, console, check);
  if (hasErrors(settings.problems)) return exitCodes.usage;
  if (check?.isBreaking === true) return exitCodes.breaking;
  return hasErrors(problems) ? exitCodes.problems : exitCodes.ok;
}

function printResult(
  result: ManifestsResult,
  problems: readonly InputProblem[],
  { mode, isQuiet }: Pick<ManifestsArguments, 'mode' | 'isQuiet'>,
  { stdout, stderr }: Console,
  check?: DefinitionCheck,
): void {
  stderr.write(problemLines(problems, stderr.paint));
  if (isQuiet === true) return;
  const lines = [
    ...(mode === 'dry-run' ? fileLines(result) : []),
    ...(check === undefined ? [] : changeLines(check, stdout.paint)),
    verdict(result, mode),
  ];
  stdout.write(`${lines.join('\n')}\n`);
}

/** Runs until a signal ends the process. */
async function watched(parsed: ManifestsArguments, console: Console): Promise<number> {
  const { cwd } = console;
  const print = (result: ManifestsResult): void =>
    printResult(result, result.problems, { mode: 'write' }, console);
  const read = async (disk: Disk): Promise<WatchedOptions> =>
    optionsOf(parsed, await watchedConfig(cwd, disk), cwd);
  try {
    await watchManifests(read, print, new AbortController().signal);
    return exitCodes.ok;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException; // seam: errors of node:fs have a code
    if (code === undefined) throw cause;
    const { stderr } = console;
    stderr.write(problemLines([error(`files cannot be watched (${message})${advice}`)], stderr.paint));
    return exitCodes.problems;
  }
}

/**
 * Reads the present configuration, and its file through the disk. Modules that it imports are not read again.
 */
export async function watchedConfig(cwd: string, disk: Disk): Promise<Checked<ParsedConfig>> {
  for (const name of configNames) disk.fileExists(join(cwd, name));
  const file = configFile(cwd, undefined);
  const content = file === undefined ? undefined : disk.readFile(join(cwd, file));
  return loadConfig(cwd, file, content === undefined ? '' : sha256(content));
}

const advice = ': raise the limits of the system, such as fs.inotify.max_user_watches';

/** Writes the definitions of a project, from which its clients are generated. */
export async function writeProjectDefinitions(
  cwd: string,
): Promise<{ readonly status: number; readonly errors: readonly InputProblem[] }> {
  const settings = await loadConfig(cwd, undefined);
  const { problems } = await definitionManifests(optionsOf(wholeProject('write'), settings, cwd));
  // Warnings are printed by the run that writes everything.
  const errors = problems.filter(({ severity }) => severity === 'error');
  const status = hasErrors(settings.problems) ? exitCodes.usage : exitCodes.problems;
  return { status: errors.length === 0 ? exitCodes.ok : status, errors };
}

/** Returns the command line that writes everything of a project. */
export function wholeProject(
  mode: ManifestsArguments['mode'],
  { isJson = false, isQuiet = false }: Partial<Pick<ManifestsArguments, 'isJson' | 'isQuiet'>> = {},
): ManifestsArguments {
  return { command: 'manifests', input: [], mode, isJson, isQuiet, isWatch: false };
}

/** Returns the options of `manifests` for a command line and a configuration. */
export function optionsOf(
  { input, out, program, name, namespace, watchNamespaces, mode }: ManifestsArguments,
  { value: { permissions, deployment, webhooks }, problems }: Checked<ParsedConfig>,
  cwd: string,
): ConfiguredOptions {
  const place = namespace ?? deployment?.namespace;
  return {
    cwd,
    mode,
    problems,
    ...(input.length > 0 && { input }),
    ...(out !== undefined && { out }),
    ...(program !== undefined && { program }),
    ...(name !== undefined && { name }),
    ...(place !== undefined && { namespace: place }),
    ...(watchNamespaces !== undefined && { watchNamespaces }),
    ...(permissions !== undefined && { permissions }),
    ...(deployment !== undefined && { deployment }),
    ...(webhooks !== undefined && { webhooks }),
  };
}

/** Compares the definitions of valid input with earlier ones. */
async function compared(
  { isValid, apis, out }: ManifestsResult,
  { against, context, kubeconfig }: ManifestsArguments,
  cwd: string,
): Promise<DefinitionCheck | undefined> {
  if (against === undefined || !isValid) return undefined;
  const { checkDefinitions } = await import('../../manifests/changes/check.ts');
  const after = apis.map(({ value, placeAt }) => ({ value, position: placeAt }));
  return checkDefinitions({ against, after, out, cwd, context, kubeconfig });
}

/** Prints the first lines; the JSON report has all changes. */
function changeLines(check: DefinitionCheck, paint: Paint): readonly string[] {
  const lines = formatCheck(check);
  const more = lines.length - maxListed;
  return [
    ...lines.slice(0, maxListed).map((line) => line.replace(/^breaking/, (word) => paint(word, 'error'))),
    ...(more > 0 ? [`${more} more lines about changes: --json has them all`] : []),
  ];
}

function fileLines({ out, changes }: ManifestsResult): readonly string[] {
  const { create, update, remove } = changes;
  const marked = [
    ['new    ', create],
    ['changed', update],
    ['removed', remove],
  ] as const;
  return marked.flatMap(([mark, files]) => files.map(({ path }) => `${mark} ${out}/${path}`));
}

function verdict({ out, ok, problems, changes }: ManifestsResult, mode: ManifestsArguments['mode']): string {
  const { create, update, remove, unchanged } = changes;
  const parts = `${create.length} new, ${update.length} changed, ${remove.length} removed, ${unchanged.length} unchanged`;
  if (mode === 'check') return ok ? `${out} is up to date` : `${out} is not up to date, or has errors`;
  if (hasErrors(problems)) return `${out}: nothing was written, because of the errors`;
  return mode === 'dry-run' ? `${out} would have: ${parts}` : `${out}: ${parts}`;
}

/** Returns one JSON object. Its keys are part of kgen's interface. */
function jsonResult({ out, problems, changes, apis }: ManifestsResult, check?: DefinitionCheck): string {
  const paths = (files: readonly FileChange[]): readonly string[] => files.map(({ path }) => path);
  const value = {
    ok: !hasErrors(problems) && check?.isBreaking !== true,
    out,
    files: {
      created: paths(changes.create),
      updated: paths(changes.update),
      removed: paths(changes.remove),
      unchanged: changes.unchanged.length,
    },
    definitions: apis.map(({ value: definition, file }) => ({ name: nameOf(definition), file })),
    ...(check !== undefined && { changes: check.changes, stored: check.stored }),
    problems: problems.map(jsonProblem),
  };
  return `${writeJson(value)}\n`;
}
