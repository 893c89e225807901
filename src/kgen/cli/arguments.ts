/** Parser of command lines, which reads nothing and prints nothing, so that tests need no process. */
import { type Command, CommanderError } from 'commander';
import { error, type InputProblem, quote } from '../common/problems.ts';
import { closestName } from '../common/words.ts';
import type { Format } from '../config/names.ts';
import type { OutputSettings } from '../config/settings.ts';
import type { GenerateMode } from '../generate/generate.ts';
import { type Exit, exitCodes } from './exit.ts';
import {
  describeReplay,
  describeSimulate,
  interpretReplay,
  interpretSimulate,
  type ReplayArguments,
  type SimulateArguments,
} from './operators/arguments.ts';
import {
  describeCodemod,
  describeImport,
  describeInit,
  describeManifests,
  describePermissions,
  describeRun,
} from './options/options.ts';
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

/** Parsed command line of `kgen init`. */
export interface InitArguments {
  readonly command: 'init';
  /** Default: the format that this version of Node can run. */
  readonly format?: Format;
  /** Whether an existing file is replaced, even if it has another format. */
  readonly force: boolean;
}

/** Parsed command line of `kgen codemod`. */
export interface CodemodArguments {
  readonly command: 'codemod';
  /** Files and folders; empty for the files of `tsconfig.json`. */
  readonly paths: readonly string[];
  /** Whether changes are only printed. */
  readonly isCheck: boolean;
  /** Whether the result is printed as JSON. */
  readonly isJson: boolean;
}

/** Parsed command line of `kgen manifests`. */
export interface ManifestsArguments {
  readonly command: 'manifests';
  /** Modules and folders; empty for the default. */
  readonly input: readonly string[];
  /** Absent for the default. */
  readonly out?: string;
  readonly program?: readonly string[];
  readonly name?: string;
  readonly namespace?: string;
  readonly watchNamespaces?: readonly string[];
  readonly mode: GenerateMode;
  /** Whether the result is printed as JSON. */
  readonly isJson: boolean;
  /** The definitions to compare with: files, a commit, or `cluster`. Absent for none. */
  readonly against?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
}

/** Parsed command line of `kgen permissions`. */
export interface PermissionsArguments {
  readonly command: 'permissions';
  /** Files and folders of the program; empty for `src`. */
  readonly paths: readonly string[];
  /** Value of `--config`, if present. */
  readonly config?: string;
  /** Whether the result is printed as JSON. */
  readonly isJson: boolean;
}

/** Parsed command line of `kgen import`. */
export interface ImportArguments {
  readonly command: 'import';
  readonly input: readonly string[];
  /** Absent for the default. */
  readonly out?: string;
  /** Whether existing modules are replaced. */
  readonly force: boolean;
  /** Whether the result is printed as JSON. */
  readonly isJson: boolean;
}

/** Parsed command line that begins with the name of a command. */
export type CommandArguments =
  | InitArguments
  | CodemodArguments
  | ManifestsArguments
  | PermissionsArguments
  | ImportArguments
  | SimulateArguments
  | ReplayArguments;

/**
 * Parses a command line (without node and script). Pure: the output of `--help` and error messages are part
 * of the result. Only the first word can be a command, because subcommands of commander would reserve `help`
 * as the name of a file. `generate` is the name of the command without a name.
 */
export function parseArguments(
  argv: readonly string[],
  version: string,
): Arguments | CommandArguments | Exit {
  const [command, ...rest] = argv;
  if (command === 'init') return parse(describeInit(), rest, interpretInit);
  if (command === 'codemod') return parse(describeCodemod(), rest, interpretCodemod);
  if (command === 'manifests') return parse(describeManifests(), rest, interpretManifests);
  if (command === 'permissions') return parse(describePermissions(), rest, interpretPermissions);
  if (command === 'import') return parse(describeImport(), rest, interpretImport);
  if (command === 'simulate') return parse(describeSimulate(), rest, interpretSimulate);
  if (command === 'replay') return parse(describeReplay(), rest, interpretReplay);
  return parse(describeRun(version), command === 'generate' ? rest : argv, interpretRun);
}

const commands: readonly string[] = [
  'generate',
  'init',
  'codemod',
  'manifests',
  'permissions',
  'import',
  'simulate',
  'replay',
];

/**
 * Returns an error for the first input if it is a misspelt command, or an option without its dashes. The
 * caller has checked that no file of that name exists.
 */
export function misspeltCommand([first = '']: readonly string[], version: string): InputProblem | undefined {
  if (!/^[a-z-]{2,}$/.test(first)) return undefined;
  const options = describeRun(version).createHelp().visibleOptions(describeRun(version));
  const option = options.find(({ long }) => long === `--${first}`)?.long;
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
      stderr += text;
    },
  });
  try {
    command.parse([...argv], { from: 'user' });
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause;
    if (cause.exitCode === 0) return { exitCode: exitCodes.ok, stdout, stderr };
    if (!requestsJson(argv)) return { exitCode: exitCodes.usage, stdout, stderr };
    const problem = error(cause.message.replace(/^error: /, ''));
    return { exitCode: exitCodes.usage, stdout: jsonRefusal([problem]), stderr: '' };
  }
  return interpret(command);
}

/** Returns whether an invalid command line requests JSON, as far as it can be parsed. */
function requestsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? argv.length : end).includes('--json');
}

interface Flags extends Omit<OutputSettings, 'input' | 'groupAlias'> {
  readonly groupAlias?: Readonly<Record<string, string>>;
  readonly check?: true;
  readonly dryRun?: true;
  readonly json?: true;
  readonly quiet?: true;
  readonly config?: string;
  readonly against?: string;
  readonly program?: readonly string[];
  readonly name?: string;
  readonly namespace?: string;
  readonly watchNamespaces?: readonly string[];
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

function interpretInit(command: Command): InitArguments {
  const { format, force = false } = command.opts<Partial<InitArguments>>();
  return { command: 'init', force, ...(format === undefined ? {} : { format }) };
}

function interpretCodemod(command: Command): CodemodArguments {
  const { check = false, json = false } = command.opts<{ readonly check?: true; readonly json?: true }>();
  return { command: 'codemod', paths: command.args, isCheck: check, isJson: json };
}

function interpretManifests(command: Command): ManifestsArguments {
  const { check, dryRun, json = false, ...flags } = command.opts<Flags>();
  return {
    ...flags,
    command: 'manifests',
    input: command.args,
    mode: check ? 'check' : dryRun ? 'dry-run' : 'write',
    isJson: json,
  };
}

function interpretPermissions(command: Command): PermissionsArguments {
  const { json = false, config } = command.opts<{ readonly json?: true; readonly config?: string }>();
  const named = config === undefined ? {} : { config };
  return { command: 'permissions', paths: command.args, isJson: json, ...named };
}

function interpretImport(command: Command): ImportArguments {
  const { force = false, json = false, out } = command.opts<Flags & { readonly force?: true }>();
  return { command: 'import', input: command.args, force, isJson: json, ...(out !== undefined && { out }) };
}
