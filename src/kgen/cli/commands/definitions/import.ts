/** Command line of `kgen import`. */
import { Command } from 'commander';
import { folder, inputs } from '../../options/values.ts';
import type { CommandEntry } from '../entry.ts';

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

/** The command `kgen import`. */
export const importCommand: CommandEntry<ImportArguments> = {
  name: 'import',
  usage: '[options] <input...>',
  about: 'writes TypeScript from CustomResourceDefinitions',
  describe,
  interpret,
  run: async (parsed, console) => (await import('../import.ts')).runImport(parsed, console),
};

function describe(): Command {
  return new Command('kgen import')
    .description(
      'Writes a TypeScript module for each CustomResourceDefinition, KIND.ts in the output folder, from which\n`kgen manifests` writes the same definition.',
    )
    .argument(
      '<input...>',
      'files, folders, glob patterns, https addresses, github:owner/repo@tag:path, archives of these, or - for standard input',
      inputs,
    )
    .option('-o, --out <dir>', 'output folder (default: api)', folder)
    .option('--force', 'replace existing modules')
    .option('--json', 'print one JSON object: { ok, out, definitions, problems }')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExit status: 0 if all is written; 1 if there are errors, such as a module that exists, in which case nothing is\nwritten; 2 for an invalid command line.',
    )
    .showHelpAfterError('(kgen import --help lists the options)');
}

function interpret(command: Command): ImportArguments {
  const {
    force = false,
    json = false,
    out,
  } = command.opts<{
    readonly force?: true;
    readonly json?: true;
    readonly out?: string;
  }>();
  return { command: 'import', input: command.args, force, isJson: json, ...(out !== undefined && { out }) };
}
