import type { Readable } from 'node:stream';
import { conflicts, type Settings } from '../config/settings.ts';
import type { GenerateResult, Phase } from '../generate.ts';
import { error, formatProblem, hasErrors, type Problem } from '../problems.ts';
import { version } from '../version.ts';
import { type Arguments, exitCodes, parseArguments } from './arguments.ts';
import { jsonRefusal } from './refusal.ts';
import { jsonReport, plainReport, tableReport } from './report.ts';

/** The world around a run. */
export interface Console {
  readonly cwd: string;
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Milliseconds since some fixed point. */
  readonly now: () => number;
}

/** A stream to people or machines. */
export interface Output {
  readonly write: (text: string) => void;
  /** Whether people look at it: then there is progress, and a table. */
  readonly isTerminal: boolean;
}

/** The whole command: arguments in, exit status out. */
export async function run(argv: readonly string[], console: Console): Promise<number> {
  const start = console.now();
  const parsed = parseArguments(argv, version);
  if ('exitCode' in parsed) {
    console.stdout.write(parsed.stdout);
    console.stderr.write(parsed.stderr);
    return parsed.exitCode;
  }
  const { settings, problems } = await settle(parsed, console.cwd);
  const { input } = settings;
  if (hasErrors(problems) || input === undefined) return refuse(problems, parsed, console);
  const result = await runGenerate({ ...settings, input }, parsed, console);
  report(result, parsed, console, console.now() - start);
  return result.ok ? exitCodes.ok : exitCodes.problems;
}

/** Settings of the file and of the command line together; there is input unless there are errors. */
async function settle(
  parsed: Arguments,
  cwd: string,
): Promise<{ readonly settings: Settings; readonly problems: readonly Problem[] }> {
  const { loadConfig } = await import('../config/load.ts'); // late, so that --help and --version are quick
  const config = await loadConfig(cwd, parsed.config);
  const settings = { ...config.value, ...parsed.settings };
  if (hasErrors(config.problems)) return { settings, problems: config.problems };
  const isIdle = settings.input === undefined || settings.input.length === 0;
  return { settings, problems: [...conflicts(settings), ...(isIdle ? [noInput] : [])] };
}

const noInput = error('there is no input: give files, folders, addresses or - (kgen --help says more)');

function refuse(problems: readonly Problem[], { json }: Arguments, console: Console): number {
  console.stderr.write(problemLines(problems));
  if (json) console.stdout.write(jsonRefusal(problems));
  return exitCodes.usage;
}

async function runGenerate(
  settings: Settings & { readonly input: readonly string[] },
  { mode, json }: Arguments,
  console: Console,
): Promise<GenerateResult> {
  const { cwd, stdin, stderr } = console;
  const isWatched = stderr.isTerminal && !json;
  const onPhase = (phase: Phase): void => {
    if (isWatched) stderr.write(`${clearLine}${phase} …`);
  };
  const { generate } = await import('../generate.ts');
  const result = await generate({ ...settings, mode, cwd, stdin, onPhase });
  if (isWatched) stderr.write(clearLine);
  return result;
}

/** Back to the first column, then erase the line. */
const clearLine = '\r\u001b[2K';

function report(
  result: GenerateResult,
  { json, mode }: Arguments,
  console: Console,
  durationMs: number,
): void {
  const { stdout, stderr } = console;
  stderr.write(problemLines(result.problems));
  const format = json ? jsonReport : stdout.isTerminal ? tableReport : plainReport;
  stdout.write(format(result, { mode, durationMs }));
}

function problemLines(problems: readonly Problem[]): string {
  return problems.map((problem) => `${formatProblem(problem)}\n`).join('');
}
