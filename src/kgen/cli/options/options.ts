/** Every option with its help, from which `--help` and the parser follow. */
import { Command, Option } from 'commander';
import type { CommandSummary } from '../commands/entry.ts';
import { exitCodes } from '../exit.ts';
import {
  alias,
  context,
  documents,
  encoded,
  file,
  folder,
  inputs,
  moduleName,
  patterns,
  release,
  seconds,
} from './values.ts';

/** Returns the command line definition of a run. */
export function describeRun(version: string, commands: readonly CommandSummary[]): Command {
  const command = new Command('kgen')
    .usage(
      [
        '[generate] [options] [input...]',
        ...commands.map(({ name, usage }) => `       kgen ${name} ${usage}`),
      ].join('\n'),
    )
    .description(
      [
        'Writes typed Kubernetes clients in TypeScript, from CustomResourceDefinitions or from the API of a cluster.',
        'Other commands, each with its own --help:',
        ...commands.map(({ name, about }) => `  ${`kgen ${name}`.padEnd(18)}${about}`),
      ].join('\n'),
    )
    .argument(
      '[input...]',
      'files, folders, archives, glob patterns, https addresses, github:owner/repo@tag:path, - for standard input (YAML or JSON)',
      inputs,
    )
    .addHelpText('after', helpText)
    .showHelpAfterError('(kgen --help lists the options)')
    .allowExcessArguments(false);
  addInput(command);
  addOutput(command);
  addParts(command);
  return addRun(command, version);
}

function addInput(command: Command): void {
  command
    .optionsGroup('Input (files, --from-cluster, --openapi or --kubernetes):')
    .option('--from-cluster', 'read the whole API of a cluster')
    .option('--context <name>', 'context of the kubeconfig, with --from-cluster (default: its own)', context)
    .option('--kubeconfig <file>', 'with --from-cluster (default: $KUBECONFIG, then ~/.kube/config)', file)
    .option(
      '--timeout <seconds>',
      'limit for one response, with --from-cluster (default: 60); a group without one is left out',
      seconds,
    )
    .option(
      '--openapi <file|dir>',
      'saved OpenAPI documents, v2 or v3, or a folder of them; may be repeated',
      documents,
    )
    .option(
      '--kubernetes <release>',
      'built-in API of a release, such as 1.33 or 1.33.4, from the repository of Kubernetes',
      release,
    )
    .option(
      '--include <patterns>',
      'only these: group, group/version or group/version/Kind, * for any characters; the core group is core',
      patterns,
    )
    .option('--exclude <patterns>', 'not these; both may be repeated and take lists with commas', patterns);
}

function addOutput(command: Command): void {
  command
    .optionsGroup('Output:')
    .option(
      '-o, --out <dir>',
      'output folder (default: ./generated); of several outputs in a configuration file, the one to generate',
      folder,
    )
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
      'module to import the runtime from (default: @kgen/runtime/gen/v1)',
      moduleName,
    )
    .option('--group-alias <group=name>', 'first part of the accessors of a group; may be repeated', alias);
}

function addParts(command: Command): void {
  command
    .option('--paths', 'also paths.ts for RESTClient<paths>, with --from-cluster, --openapi or --kubernetes')
    .option(
      '--protobuf <served|all>',
      'protobuf codecs of built-in kinds: those in the output (default), or all',
      encoded,
    )
    .option('--definitions', 'also definitions.ts of each group: its CRDs as constants for installation')
    .option(
      '--json-schema',
      'also a JSON Schema of each kind for editors and kubeconform: json-schema/GROUP/KIND_VERSION.json',
    )
    .option('--exactly-one', 'types accept one of the members of which the schema of a CRD allows only one')
    .option('--no-protobuf', 'leave out protobuf codecs: clients use JSON')
    .option('--no-docs', 'leave out comments, except @deprecated')
    .option('--no-descriptions', 'leave out descriptions of schemas; defaults, limits and other facts stay')
    .option('--no-listers', 'leave out listers')
    .option('--no-informers', 'leave out informers')
    .option('--no-schemas', 'leave out schemas, which samples and contract tests need');
}

function addRun(command: Command, version: string): Command {
  return command
    .optionsGroup('Run:')
    .option(
      '--config <file>',
      'settings (default: kgen.config.ts, .js, .json or .yaml, the first that exists)',
      file,
    )
    .option('--verify', 'type-check the output in memory before anything is written')
    .addOption(
      new Option(
        '--check',
        'write nothing, report differences in files and types, with --from-cluster also those that break clients',
      ).conflicts('dryRun'),
    )
    .option('--dry-run', 'write nothing, list what would be written')
    .option('--json', 'print one JSON object, which includes problems; standard error stays empty')
    .addOption(
      new Option('--quiet', 'print problems only, without notes on limits of the input').conflicts('json'),
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help');
}

const helpText = `
Patterns:
  core/v1/Pod, apps/v1, *.example.com, */*/Ingress. The core group, whose name is empty, is written core.

Configuration file:
  It holds the same settings in camel case (importExtension, docs: false), with paths relative to its folder. The
  command line takes precedence, also with its kind of input. With several \`outputs\`, options apply to each,
  --out chooses one, --json prints { ok, outputs: [one object each], durationMs }, and the exit status is the worst.

Contract with a cluster:
  --check --from-cluster compares the clients in the folder with the cluster, in both directions: whether it
  serves their resources, accepts what they send and returns what they read. --json lists the differences as
  drifts: [{ resource, path, kind, breaking, message, since? }].

Exit status:
  ${exitCodes.ok}  everything is written, or up to date with --check
  ${exitCodes.problems}  errors (valid documents are still generated), nothing to generate, or differences with --check
  ${exitCodes.usage}  the command line or the configuration file is invalid
  ${exitCodes.internal}  a bug in kgen
  ${exitCodes.breaking}  with --check --from-cluster: the cluster breaks the clients in the folder

Colours: on a terminal; NO_COLOR=1 turns them off, FORCE_COLOR=1 on.`;
