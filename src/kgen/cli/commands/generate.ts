/** `kgen` and `kgen generate`: the clients of an output, or everything of a project. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Checked, hasErrors, type InputProblem } from '../../common/problems.ts';
import { inputKinds, layer } from '../../config/combine.ts';
import type { ParsedConfig } from '../../config/config.ts';
import { inFile } from '../../config/origin.ts';
import type { OutputSettings } from '../../config/settings.ts';
import type { GenerateOptions, GenerateResult } from '../../generate/generate.ts';
import { isProject } from '../../project/record.ts';
import type { Arguments } from '../arguments.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';
import { noProgress, startProgress } from '../progress.ts';
import { jsonRefusal } from '../refusal.ts';
import { jsonReport, jsonReports, plainReport, type Report, tableReport } from '../report.ts';

/**
 * Writes everything of a project: definitions, the clients that are generated from them, and the files that
 * follow from the program, which imports the clients.
 */
export async function runProject(parsed: Arguments, console: Console): Promise<number> {
  const { mode, print } = parsed;
  const { runManifests, wholeProject, writeProjectDefinitions } = await import('./manifests.ts');
  if (mode === 'write') {
    const { status, errors } = await writeProjectDefinitions(console.cwd);
    if (status !== exitCodes.ok) return refuse(errors, parsed, console, status);
  }
  const isJson = print === 'json';
  const [clients, clientsText] = await captured(isJson, console, (each) => runOutputs(parsed, each));
  // A check reports all differences.
  const isEnd = clients !== exitCodes.ok && mode === 'write';
  const whole = wholeProject(mode, { isJson, isQuiet: print === 'problems' });
  const [manifests, manifestsText] = isEnd
    ? ([exitCodes.ok, ''] as const)
    : await captured(isJson, console, (each) => runManifests(whole, each));
  if (isJson) console.stdout.write(isEnd ? clientsText : merged(clientsText, manifestsText));
  return Math.max(clients, manifests);
}

/** Runs a command. Its output is returned, if it is captured. */
async function captured(
  isCaptured: boolean,
  console: Console,
  run: (console: Console) => Promise<number>,
): Promise<readonly [status: number, text: string]> {
  if (!isCaptured) return [await run(console), ''];
  let text = '';
  const write = (more: string): void => {
    text += more;
  };
  const status = await run({ ...console, stdout: { ...console.stdout, write } });
  return [status, text];
}

/** Returns the JSON of the clients with that of the manifests. */
function merged(clients: string, manifests: string): string {
  // seam: both are objects, which this process has written.
  const [a, b] = [clients, manifests].map((text) => JSON.parse(text) as { readonly ok: boolean });
  return `${JSON.stringify({ ...a, ok: a?.ok === true && b?.ok === true, manifests: b })}\n`;
}

/** Generates the clients and returns the exit status. */
export async function runOutputs(parsed: Arguments, console: Console): Promise<number> {
  const start = console.now();
  const { config, file, runs } = await settle(parsed, console.cwd);
  if (hasErrors(runs.problems)) return refuse(runs.problems, parsed, console);
  const isOne = config.outputs === undefined;
  const reports: Report[] = [];
  for (const settings of runs.value) {
    const begun = isOne ? start : console.now();
    const found = await runGenerate(settings, isOne, parsed, console);
    const problems = inFile(found.problems, { file, settings, given: parsed.settings });
    const result = { ...found, problems };
    const fromCrds = inputKinds(settings).includes('input');
    reports.push({ result, mode: parsed.mode, fromCrds, durationMs: console.now() - begun });
    printResults(reports, runs.value.length > 1, parsed, console);
    if (console.interruption?.aborted) break;
  }
  if (parsed.print === 'json') {
    const [first] = reports;
    const isAlone = isOne && first !== undefined;
    console.stdout.write(isAlone ? jsonReport(first) : jsonReports(reports, console.now() - start));
  }
  return exitCodeOf(reports);
}

function exitCodeOf(reports: readonly Report[]): number {
  const drifts = reports.flatMap(({ result }) => result.drifts ?? []);
  if (drifts.some(({ breaking }) => breaking)) return exitCodes.breaking;
  return reports.every(({ result }) => result.ok) ? exitCodes.ok : exitCodes.problems;
}

interface Settled {
  readonly config: ParsedConfig;
  /** Name of the configuration file, if there is one. */
  readonly file: string | undefined;
  readonly runs: Checked<readonly OutputSettings[]>;
}

/** Combines the settings of the configuration file and the command line. */
async function settle(parsed: Arguments, cwd: string): Promise<Settled> {
  const [{ configFile, loadConfig }, { planRuns }] = await Promise.all([
    import('../../config/load.ts'),
    import('../plan.ts'),
  ]);
  const file = configFile(cwd, parsed.config);
  const { value: config, problems } = await loadConfig(cwd, file);
  if (hasErrors(problems)) return { config, file, runs: { value: [], problems } };
  const given = parsed.settings;
  const planned = planRuns(config, given, cwd);
  const settings = (config.outputs ?? []).reduce(layer, config.settings);
  const value = planned.value.flatMap((run) => withoutOwnDefinitions(run, cwd));
  const runs = { value, problems: inFile(planned.problems, { file, given, settings }) };
  return { config, file, runs };
}

/** An operator without types of its own has no definitions in `config/crd`, and may need no clients. */
function withoutOwnDefinitions(run: OutputSettings, cwd: string): readonly OutputSettings[] {
  const { input } = run;
  if (input === undefined || ['api', definitions].some((path) => existsSync(join(cwd, path)))) return [run];
  if (!isProject(cwd) || !input.includes(definitions)) return [run];
  const others = input.filter((each) => each !== definitions);
  return others.length === 0 ? [] : [{ ...run, input: others }];
}

const definitions = 'config/crd';

/** Prints why nothing was run, and returns the exit status. */
export function refuse(
  problems: readonly InputProblem[],
  { print }: Arguments,
  { stdout, stderr }: Console,
  status: number = exitCodes.usage,
): number {
  if (print === 'json') stdout.write(jsonRefusal(problems));
  else stderr.write(problemLines(problems, stderr.paint));
  return status;
}

/**
 * Prints the result of a run. If there are several runs, the name of the run precedes it on each stream. JSON
 * is printed at the end.
 */
function printResults(
  reports: readonly Report[],
  isOneOfSeveral: boolean,
  { print }: Arguments,
  { stdout, stderr }: Console,
): void {
  const last = reports.at(-1);
  if (last === undefined || print === 'json') return;
  const head = isOneOfSeveral ? `output ${last.result.out}\n` : '';
  const shown = last.result.problems.filter(({ isNote }) => print === 'text' || isNote !== true);
  if (shown.length > 0) stderr.write(head + problemLines(shown, stderr.paint));
  if (print !== 'text') return;
  const gap = stdout.isTerminal && reports.length > 1 ? '\n' : '';
  const report = stdout.isTerminal ? tableReport(last, stdout.paint) : head + plainReport(last, stdout.paint);
  stdout.write(gap + report);
}

async function runGenerate(
  settings: OutputSettings,
  isOne: boolean,
  { mode, print }: Arguments,
  { cwd, stdin, stderr, interruption }: Console,
): Promise<GenerateResult> {
  const progress = print === 'text' ? startProgress(stderr, isOne ? '' : settings.out) : noProgress;
  const { generate } = await import('../../generate/generate.ts');
  const onPhase: GenerateOptions['onPhase'] = (phase, done, total) => {
    // Before the cluster responds, an exec plugin of the kubeconfig may prompt the user on the same terminal.
    if (phase !== 'reading the cluster' || done !== undefined) progress.show(phase, done, total);
    if (phase === 'writing') interruption?.setWriting(true);
  };
  try {
    const signal = interruption === undefined ? {} : { signal: interruption };
    return await generate({ ...settings, ...signal, mode, cwd, stdin, onPhase });
  } finally {
    interruption?.setWriting(false);
    progress.end();
  }
}
