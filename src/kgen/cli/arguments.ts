import { type Command, CommanderError } from 'commander';
import type { Format } from '../config/names.ts';
import type { Settings } from '../config/settings.ts';
import type { Mode } from '../generate.ts';
import { error } from '../problems.ts';
import { type Exit, exitCodes } from './exit.ts';
import { describeInit, describeRun } from './options.ts';
import { jsonRefusal } from './refusal.ts';

/** What the command line asks for. */
export interface Arguments {
  /** Settings that were given; they win over those of the configuration file. */
  readonly settings: Settings;
  readonly mode: Mode;
  /** What is printed: everything for people, one object for machines, or problems only. */
  readonly print: 'text' | 'json' | 'problems';
  /** `--config`, where given. */
  readonly config?: string;
}

/** What `kgen init` asks for. */
export interface InitArguments {
  readonly command: 'init';
  /** Default: what this Node runs. */
  readonly format?: Format;
  /** Whether a file that is there is replaced, one of another format too. */
  readonly force: boolean;
}

/**
 * Reads a command line (without node and script). Pure: output of `--help` and complaints are in the answer. Only the
 * first word `init` is a command: commander's own subcommands would take `help` from files of that name, too.
 */
export function parseArguments(argv: readonly string[], version: string): Arguments | InitArguments | Exit {
  if (argv[0] === 'init') return parse(describeInit(), argv.slice(1), interpretInit);
  return parse(describeRun(version), argv, interpretRun);
}

function parse<T>(command: Command, argv: readonly string[], interpret: (parsed: Command) => T): T | Exit {
  let stdout = '';
  let stderr = '';
  command.exitOverride().configureOutput({
    writeOut: (text) => {
      stdout += text;
    },
    writeErr: (text) => {
      stderr += text;
    },
  });
  try {
    command.parse([...argv], { from: 'user' });
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause;
    if (cause.exitCode === 0) return { exitCode: exitCodes.ok, stdout, stderr };
    if (!asksForJson(argv)) return { exitCode: exitCodes.usage, stdout, stderr };
    const problem = error(cause.message.replace(/^error: /, ''));
    return { exitCode: exitCodes.usage, stdout: jsonRefusal([problem]), stderr: '' };
  }
  return interpret(command);
}

/** Of a command line that cannot be read, as far as one can tell. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? argv.length : end).includes('--json');
}

interface Flags extends Omit<Settings, 'input' | 'groupAlias'> {
  readonly groupAlias?: Readonly<Record<string, string>>;
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

/** Without the defaults: commander sets a `--no-x` option to true, which would win over the configuration file. */
function givenFlags(command: Command): Flags {
  const flags = Object.entries(command.opts<Flags>());
  return Object.fromEntries(flags.filter(([key]) => command.getOptionValueSource(key) === 'cli'));
}

function interpretInit(command: Command): InitArguments {
  const { format, force = false } = command.opts<Partial<InitArguments>>();
  return { command: 'init', force, ...(format === undefined ? {} : { format }) };
}
