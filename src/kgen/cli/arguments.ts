/** Parser of command lines, which reads nothing and prints nothing, so that tests need no process. */
import { type Command, CommanderError } from 'commander';
import { error, type InputProblem, quote } from '../common/problems.ts';
import { closestName } from '../common/words.ts';
import type { OutputSettings } from '../config/settings.ts';
import type { GenerateMode } from '../generate/generate.ts';
import { type CommandArguments, commandNamed, commandTable } from './commands/table.ts';
import { type Exit, exitCodes } from './exit.ts';
import { describeRun } from './options/options.ts';
import { jsonRefusal } from './refusal.ts';

/** Parsed command line of a run. */
export interface Arguments {
  /** Explicit settings, which take precedence over the configuration file. */
  readonly settings: OutputSettings;
  readonly mode: GenerateMode;
  /** Output format: everything for terminals, one JSON object, or problems only. */
  readonly print: 'text' | 'json' | 'problems';
  /** Value of `--config`, if present. */
  readonly config?: string;
}

/**
 * Parses a command line (without node and script). Pure: the output of `--help` and error messages are part
 * of the result. Only the first word can be a command, so that each further one can be the name of
 * a file. `generate` is the name of the command without a name.
 */
export function parseArguments(
  argv: readonly string[],
  version: string,
): Arguments | CommandArguments | Exit {
  const [name = '', ...rest] = argv;
  const entry = commandNamed(name);
  if (entry !== undefined) return parse(entry.describe(), rest, entry.interpret);
  return parse(describeRun(version, commandTable), name === 'generate' ? rest : argv, interpretRun);
}

/**
 * Returns an error for the first input if it is a misspelt command, or an option without its dashes. The
 * caller has checked that no file of that name exists.
 */
export function misspeltCommand([first = '']: readonly string[], version: string): InputProblem | undefined {
  if (!/^[a-z-]{2,}$/.test(first)) return undefined;
  const run = describeRun(version, commandTable);
  const options = run.createHelp().visibleOptions(run);
  const option = options.find(({ long }) => long === `--${first}`)?.long;
  const commands = ['generate', ...commandTable.map(({ name }) => name)];
  const command = commands.find((name) => name.startsWith(first)) ?? closestName(first, commands);
  const meant = option ?? (command === undefined ? undefined : `kgen ${command}`);
  if (meant === undefined) return undefined;
  return error(`${quote(first)} is not a file, a folder or a command: did you mean \`${meant}\`?`);
}

function parse<T>(command: Command, argv: readonly string[], interpret: (parsed: Command) => T): T | Exit {
  let stdout = '';
  let stderr = '';
  command.exitOverride().configureOutput({
    writeOut: (text) => {
      stdout += text;
    },
    writeErr: (text) => {
      stderr += plain(text);
    },
  });
  try {
    return interpret(command.parse([...argv], { from: 'user' }));
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause;
    if (cause.exitCode === 0) return { exitCode: exitCodes.ok, stdout, stderr };
    if (!requestsJson(argv)) return { exitCode: exitCodes.usage, stdout, stderr };
    const problem = error(plain(cause.message).replace(/^error: /, ''));
    return { exitCode: exitCodes.usage, stdout: jsonRefusal([problem]), stderr: '' };
  }
}

/** Rewords the message of commander for an invalid argument, whose terms no help of a command has. */
function plain(message: string): string {
  return message.replace(
    /command-argument value '(.*)' is invalid for argument '([\w-]+)'\./s,
    "'$1' is not a valid $2.",
  );
}

/** Returns whether an invalid command line requests JSON, as far as it can be parsed. */
function requestsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? argv.length : end).includes('--json');
}

interface Flags extends Omit<OutputSettings, 'input'> {
  readonly check?: true;
  readonly dryRun?: true;
  readonly json?: true;
  readonly quiet?: true;
  readonly config?: string;
}

function interpretRun(command: Command): Arguments {
  const { check, dryRun, json, quiet, config, ...settings } = givenFlags(command);
  const input = command.args;
  return {
    settings: input.length === 0 ? settings : { ...settings, input },
    mode: check ? 'check' : dryRun ? 'dry-run' : 'write',
    print: json ? 'json' : quiet ? 'problems' : 'text',
    ...(config === undefined ? {} : { config }),
  };
}

/**
 * Excludes defaults: commander sets a `--no-x` option to true, which would take precedence over the
 * configuration file.
 */
function givenFlags(command: Command): Flags {
  const flags = Object.entries(command.opts<Flags>());
  return Object.fromEntries(flags.filter(([key]) => command.getOptionValueSource(key) === 'cli'));
}
