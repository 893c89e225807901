import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { isAlias, rivals, type Settings } from '../config/settings.ts';
import type { Mode } from '../generate.ts';
import { parsePattern } from '../model/select.ts';
import { error } from '../problems.ts';
import { jsonRefusal } from './refusal.ts';

/** What the command line asks for. */
export interface Arguments {
  /** Settings that were given; they win over those of the configuration file. */
  readonly settings: Settings;
  readonly mode: Mode;
  readonly json: boolean;
  /** `--config`, where given. */
  readonly config?: string;
}

/** Texts for the two streams and the exit status, when there is nothing to run. */
export interface Exit {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Exit statuses; also in `--help`. */
export const exitCodes = {
  ok: 0,
  /** Errors in the input or the output folder; with `--check`, differences. */
  problems: 1,
  /** The command line or the configuration file is wrong. */
  usage: 2,
  /** A bug in kgen. */
  internal: 3,
} as const;

/** Reads a command line (without node and script). Pure: output of `--help` and complaints are in the answer. */
export function parseArguments(argv: readonly string[], version: string): Arguments | Exit {
  let stdout = '';
  let stderr = '';
  const command = describe(version);
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
    const problem = error(cause.message.replace(/^error: /, ''));
    return {
      exitCode: exitCodes.usage,
      stdout: asksForJson(argv) ? jsonRefusal([problem]) : stdout,
      stderr,
    };
  }
  return interpret(command.args, givenFlags(command));
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
  readonly config?: string;
}

function interpret(input: readonly string[], flags: Flags): Arguments {
  const { check, dryRun, json, config, ...settings } = flags;
  return {
    settings: input.length === 0 ? settings : { ...settings, input },
    mode: check ? 'check' : dryRun ? 'dry-run' : 'write',
    json: json === true,
    ...(config === undefined ? {} : { config }),
  };
}

function describe(version: string): Command {
  return new Command('kgen')
    .description('Writes typed Kubernetes clients in TypeScript from CustomResourceDefinitions.')
    .argument(
      '[input...]',
      'files, folders, glob patterns, https addresses, - for standard input (YAML or JSON)',
      inputs,
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .option('-o, --out <dir>', 'output folder (default: ./generated)', folder)
    .option(
      '--include <patterns>',
      'only these: group, group/version or group/version/Kind, * for any text',
      patterns,
    )
    .option('--exclude <patterns>', 'not these; both may be repeated and take lists with commas', patterns)
    .addOption(
      new Option('--emit <language>', 'ts: sources (default), js: .js with .d.ts').choices(['ts', 'js']),
    )
    .addOption(
      new Option('--import-extension <ext>', 'of relative imports in .ts output (default: .js)').choices([
        '.js',
        '.ts',
        'none',
      ]),
    )
    .option(
      '--runtime-import <module>',
      'import the runtime from here (default: @kgen/runtime/gen/v1)',
      moduleName,
    )
    .option('--group-alias <group=name>', 'first part of the accessors of a group; may be repeated', alias)
    .option('--no-docs', 'leave out descriptions')
    .option('--no-listers', 'leave out listers')
    .option('--no-informers', 'leave out informers')
    .option(
      '--config <file>',
      'settings (default: kgen.config.ts, .js, .json or .yaml, the first that exists)',
      file,
    )
    .addOption(new Option('--check', 'write nothing, say what differs').conflicts('dryRun'))
    .option('--dry-run', 'write nothing, list what would be written')
    .option('--json', 'print one JSON object instead of text')
    .addHelpText('after', exitText)
    .showHelpAfterError('(kgen --help lists the options)')
    .allowExcessArguments(false);
}

const exitText = `
Exit status:
  ${exitCodes.ok}  everything is written, or up to date with --check
  ${exitCodes.problems}  errors (good documents are generated all the same), nothing to generate, or differences with --check
  ${exitCodes.usage}  the command line or the configuration file is wrong
  ${exitCodes.internal}  a bug in kgen`;

/** Without the defaults: commander sets a `--no-x` option to true, which would win over the configuration file. */
function givenFlags(command: Command): Flags {
  const flags = Object.entries(command.opts<Flags>());
  return Object.fromEntries(flags.filter(([key]) => command.getOptionValueSource(key) === 'cli'));
}

function patterns(text: string, before: readonly string[] | undefined): readonly string[] {
  const given = text.split(',').map((pattern) => pattern.trim());
  const wrong = given.find((pattern) => pattern === '' || parsePattern(pattern) === undefined);
  if (wrong !== undefined) throw new InvalidArgumentError('Give group, group/version or group/version/Kind.');
  return [...(before ?? []), ...given];
}

function alias(
  text: string,
  before: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  const [group = '', name = '', ...more] = text.split('=');
  if (group === '' || more.length > 0 || !isAlias(name)) {
    throw new InvalidArgumentError(
      'Give group=name; a name is a lower-case letter, then letters and digits.',
    );
  }
  const aliases = { ...before, [group]: name };
  const pair = rivals(aliases);
  if (pair !== undefined) {
    throw new InvalidArgumentError(`Give ${pair.join(' and ')} names that differ.`);
  }
  return aliases;
}

const moduleName = nonEmpty('the name of a module');
const folder = nonEmpty('a folder');
const file = nonEmpty('a file');
const source = nonEmpty('files, folders, glob patterns, https addresses or -');

function inputs(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), source(text)];
}

/** A shell writes `""` where a variable is empty, which must not come to mean the current folder. */
function nonEmpty(what: string): (text: string) => string {
  return (text) => {
    if (text === '') throw new InvalidArgumentError(`Give ${what}, not an empty text.`);
    return text;
  };
}
