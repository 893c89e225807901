/** Every option with its help, from which `--help` and the parser follow. */
import { Command, Option } from 'commander';
import { formats } from '../../config/names.ts';
import { exitCodes } from '../exit.ts';
import {
  against,
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
export function describeRun(version: string): Command {
  const command = new Command('kgen')
    .usage(
      '[generate] [options] [input...]\n       kgen init [options]\n       kgen codemod [options] [files or folders...]\n       kgen manifests [options] [modules or folders...]\n       kgen import [options] <input...>\n       kgen permissions [options] [files or folders...]\n       kgen simulate [options] <file>\n       kgen replay [options] <recording> <file>',
    )
    .description(
      'Writes typed Kubernetes clients in TypeScript, from CustomResourceDefinitions or from the API of a cluster.\n`kgen init` writes a configuration file to start from, `kgen codemod` rewrites programs for a new release,\n`kgen manifests` writes CustomResourceDefinitions from TypeScript, `kgen permissions` prints the permissions that a\nprogram needs, `kgen simulate` runs an operator under schedules of faults,\nand `kgen replay` runs it on a recording.',
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

/** Returns the command line definition of `kgen init`. */
export function describeInit(): Command {
  return new Command('kgen init')
    .description('Writes a configuration file with each setting explained into the current folder.')
    .addOption(
      new Option(
        '--format <format>',
        'of the file kgen.config.* (default: ts, or js if this version of Node.js does not run ts); json has no comments',
      ).choices(formats),
    )
    .option('--force', 'replace an existing file, also one of another format')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExit status 1 if a configuration file already exists. To read a file named init, write ./init.',
    )
    .showHelpAfterError('(kgen init --help lists the options)')
    .allowExcessArguments(false);
}

/** Returns the command line definition of `kgen codemod`. */
export function describeCodemod(): Command {
  return new Command('kgen codemod')
    .description(
      'Rewrites programs for this release: names of kgen and @kgen packages that have moved or were renamed.\nFormatting and comments remain.',
    )
    .argument('[files or folders...]', 'programs (default: the files of tsconfig.json)')
    .option('--check', 'print what would change, and write nothing')
    .option('--json', 'print one JSON object: { ok, files: [{ path, changes }], problems }')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExit status: 0 if all is done, 1 with --check if a file would change or if one cannot be written, 2 for an\ninvalid command line. Places that must be changed by hand are warnings.',
    )
    .showHelpAfterError('(kgen codemod --help lists the options)');
}

/** Returns the command line definition of `kgen manifests`. */
export function describeManifests(): Command {
  return new Command('kgen manifests')
    .description(
      'Writes the CustomResourceDefinitions that TypeScript modules declare with `api` of kgen/api,\nto crd/GROUP_PLURAL.yaml in the output folder, and the permissions that the program needs to rbac/.',
    )
    .argument('[modules or folders...]', 'modules, and folders of them (default: api)')
    .option('-o, --out <dir>', 'output folder (default: config)', folder)
    .option(
      '--program <file|dir>',
      'file or folder of the program, for rbac/; may be repeated (default: src, if it exists)',
      inputs,
    )
    .option('--name <name>', 'name of the operator in rbac/ (default: that of package.json)')
    .option('--namespace <name>', 'namespace of the operator in rbac/ (default: its name)')
    .option(
      '--watch-namespaces <names>',
      'namespaces that the operator watches, separated by commas (default: all)',
      (names: string) => names.split(','),
    )
    .addOption(
      new Option('--check', 'write nothing, report files that differ from the modules').conflicts('dryRun'),
    )
    .addOption(
      new Option(
        '--against <where>',
        'check, and report changes of definitions by their effect on stored objects and clients, compared with\nfiles, a folder, the output folder at a commit, or a cluster, whose objects are counted (cluster)',
      )
        .argParser(against)
        .implies({ check: true })
        .conflicts('dryRun'),
    )
    .option(
      '--context <name>',
      'context of the kubeconfig, with --against cluster (default: its own)',
      context,
    )
    .option('--kubeconfig <file>', 'with --against cluster (default: $KUBECONFIG, then ~/.kube/config)', file)
    .option('--dry-run', 'write nothing, list what would be written')
    .option(
      '--json',
      'print one JSON object: { ok, out, files, definitions, problems }, with changes and stored for --against',
    )
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExit status: 0 if all is written, or up to date with --check; 1 if there are errors, in which case nothing is\nwritten, or if files differ with --check; 2 for an invalid command line; 4 if a change breaks stored objects or\nclients, with --against.',
    )
    .showHelpAfterError('(kgen manifests --help lists the options)');
}

/** Returns the command line definition of `kgen permissions`. */
export function describePermissions(): Command {
  return new Command('kgen permissions')
    .description(
      'Prints the permissions that a program needs: verbs, resources, namespaces, the lines that need them, and which\nof them are dangerous. Clients name their resources by their types.',
    )
    .argument('[files or folders...]', 'programs (default: src without tests, or the files of tsconfig.json)')
    .option('--config <file>', 'configuration file with stated permissions (default: kgen.config.*)', file)
    .option('--json', 'print one JSON object: { ok, permissions, dangers, problems }')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExit status: 0, 1 if the resource of a call is not known at compile time, 2 for an invalid command line. Such a\ncall needs a comment above its statement, /** @permissions apps/deployments get list */.',
    )
    .showHelpAfterError('(kgen permissions --help lists the options)');
}

/** Returns the command line definition of `kgen import`. */
export function describeImport(): Command {
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
