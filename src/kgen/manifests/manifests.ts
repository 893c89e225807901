/** `kgen manifests`: definitions and permissions from an author's TypeScript, as files. */

import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { loadYaml } from '@kgen/runtime/yaml';
import type { JsonPath } from '@kgen/schema/rules/places';
import { at, type Json, type JsonObject, object, own } from '@kgen/schema/values/json';
import { readJson } from '@kgen/schema/values/wire';
import { defaultCacheFolder } from '../common/cache/cache.ts';
import {
  type Checked,
  error,
  hasErrors,
  type InputProblem,
  type SourcePlace,
  sortProblems,
} from '../common/problems.ts';
import { version } from '../common/version.ts';
import { isTest, sourceFiles } from '../input/modules/source-files.ts';
import { differences } from '../write/differences.ts';
import type { WritePlan } from '../write/plan.ts';
import { planOutput, writeOutput } from '../write/write.ts';
import { cachedOutput } from './cached-output.ts';
import { placeIn } from './definition/definition.ts';
import { definitionFiles, definitionPath } from './definition/definition-files.ts';
import { deploymentFiles } from './deployment/deployment-files.ts';
import type { DeploymentSettings, WebhookSettings } from './deployment/values.ts';
import { webhookServer } from './deployment/workload.ts';
import type { Output, OutputSources } from './output.ts';

/** How manifests are written. */
export interface ManifestsOptions {
  /** Modules that declare custom resources, and folders of them. Default: `api`. */
  readonly input?: readonly string[];
  /** Output folder. Default: `config`. */
  readonly out?: string;
  /**
   * Files and folders of the program whose permissions are written to `rbac/`. Default: `src`, if the folder
   * exists. Without a program, no permissions are written.
   */
  readonly program?: readonly string[];
  /** Name of the operator and its account. Default: that of package.json, without its scope. */
  readonly name?: string;
  /** Namespace of the operator. Default: its name. */
  readonly namespace?: string;
  /** Namespaces that the operator watches, if its program takes them from a variable. Default: all. */
  readonly watchNamespaces?: readonly string[];
  /** Stated permissions of the configuration, by file. */
  readonly permissions?: Readonly<Record<string, readonly string[]>>;
  /**
   * Writes the deployment of the operator, too: a kustomize base, one manifest for `kubectl apply`, and a
   * chart. Default: none is written.
   */
  readonly deployment?: DeploymentSettings;
  /** Registration of the webhooks. Default: behind the Service `NAME-webhook`, by the operator itself. */
  readonly webhooks?: WebhookSettings;
  /** `check` writes nothing and reports differences, `dry-run` writes nothing. Default: `write`. */
  readonly mode?: 'write' | 'check' | 'dry-run';
  /** Folder that paths are relative to. Default: the current one. */
  readonly cwd?: string;
  /**
   * Folder for results of earlier runs, which are used as long as no file has changed that the compiler has
   * read. Default: `$XDG_CACHE_HOME/kgen`, or `~/.cache/kgen`.
   */
  readonly cacheFolder?: string;
}

/** Options that were read from a configuration. */
export interface ConfiguredOptions extends ManifestsOptions {
  /** Problems of the configuration. With errors nothing is written. Default: none. */
  readonly problems?: readonly InputProblem[];
}

/** A custom resource that a module declares. */
export interface DeclaredApi {
  /** Path of the module, relative to the folder. */
  readonly file: string;
  /** The definition. */
  readonly value: JsonObject;
  /** Returns the place of the part of the definition at a path. */
  readonly placeAt: (path: JsonPath) => SourcePlace;
}

/** Result of a run. */
export interface ManifestsResult {
  /** Whether all input was valid, and with `check`, whether the folder is up to date. */
  readonly ok: boolean;
  /** Whether all input was valid. */
  readonly isValid: boolean;
  readonly out: string;
  readonly problems: readonly InputProblem[];
  readonly changes: WritePlan;
  /** The declared custom resources, each with its definition and the places of its parts. */
  readonly apis: readonly DeclaredApi[];
}

/**
 * Writes the definitions of custom resources that modules declare, to `crd/GROUP_PLURAL.yaml` in the output
 * folder, and the permissions of the program, to `rbac/`. With errors in the input nothing is written.
 */
export async function manifests(options: ManifestsOptions = {}): Promise<ManifestsResult> {
  const { cacheFolder = defaultCacheFolder(process.env) } = options;
  const { value: sources, problems } = sourcesOf(options);
  const output = await cachedOutput(sources, cacheFolder);
  return writeManifests({ ...output, problems: [...problems, ...output.problems] }, options);
}

/**
 * Writes an output, or compares it with the folder.
 * @param isComplete whether other files of earlier runs are removed
 */
export function writeManifests(
  output: Output,
  options: ConfiguredOptions,
  isComplete = true,
): ManifestsResult {
  const { out = 'config', mode = 'write', cwd = process.cwd() } = options;
  const folder = { path: resolve(cwd, out), shown: out };
  const given = [...(options.problems ?? []), ...output.problems];
  const files = withDeployment(output, options, cwd);
  const plan = planOutput(folder, {
    files: mode === 'check' ? withPresentComments(files, folder.path) : files,
    accessors: new Map(),
    definitions: new Map(),
    complete: isComplete && !hasErrors(given),
    isGenerated: (_path, content) => /^(# |\{\n {2}"\$comment": ")Generated by kgen /.test(content),
  });
  const problems = [...given, ...plan.problems];
  const isValid = !hasErrors(problems);
  const written = mode === 'write' && isValid ? writeOutput(folder, plan.value) : [];
  const outdated = mode === 'check' && isValid ? differences(out, plan.value) : [];
  const all = sortProblems([...problems, ...written, ...outdated]);
  const apis = output.apis.map(({ file, value, places }): DeclaredApi => {
    return { file, value, placeAt: (path) => placeIn(places, path) };
  });
  return { ok: !hasErrors(all), isValid, out, problems: all, changes: plan.value, apis };
}

/**
 * Writes the definitions only, and leaves the other files as they are: clients are generated from them before
 * the program, which imports the clients, is read.
 */
export async function definitionManifests(options: ConfiguredOptions): Promise<ManifestsResult> {
  const { cacheFolder = defaultCacheFolder(process.env) } = options;
  const { value: sources, problems } = sourcesOf({ ...options, program: [] });
  const output = await cachedOutput(sources, cacheFolder, 'definitions');
  return writeDefinitions({ ...output, problems: [...problems, ...output.problems] }, options);
}

/** Writes the definitions of an output. Their conversion, which follows from the program, stays as it is. */
export async function writeDefinitions(
  output: Output,
  { deployment: _, ...options }: ConfiguredOptions,
): Promise<ManifestsResult> {
  const { out = 'config', cwd = process.cwd() } = options;
  const apis = await Promise.all(
    output.apis.map(async ({ value, ...api }) => ({
      ...api,
      value: await withConversion(value, resolve(cwd, out)),
    })),
  );
  return writeManifests({ ...output, apis, files: await definitionFiles(apis, version) }, options, false);
}

async function withConversion(definition: JsonObject, folder: string): Promise<JsonObject> {
  const present = contentOf(join(folder, definitionPath(definition)));
  const spec = object(definition, 'spec');
  if (present === undefined || own(spec, 'conversion') !== undefined) return definition;
  try {
    const conversion = at(await loadYaml(present), 'spec', 'conversion');
    return conversion === undefined ? definition : { ...definition, spec: { ...spec, conversion } };
  } catch {
    return definition; // The file is written again.
  }
}

function withDeployment(
  { files, metrics }: Output,
  { deployment: settings, name, namespace }: ManifestsOptions,
  cwd: string,
): Output['files'] {
  if (settings === undefined) return files;
  const facts = packageFacts(cwd);
  const named = name ?? facts.name;
  const { version } = facts;
  const webhooks = webhookServer(files);
  const deployment = { name: named, namespace: namespace ?? named, version, webhooks, metrics, settings };
  return new Map([...files, ...deploymentFiles(deployment, files)]);
}

/** Sources, and the folders in which they were found. */
export interface FoundSources extends Checked<OutputSources> {
  readonly folders: readonly string[];
}

/** Finds the modules and the names. No module is read. */
export function sourcesOf(options: ManifestsOptions): FoundSources {
  const {
    cwd = process.cwd(),
    namespace,
    watchNamespaces,
    permissions: stated = {},
    webhooks = {},
  } = options;
  const modules = sourceFiles(options.input ?? defaultInput(options, cwd), cwd, {
    isIncluded: (path) => /\.[cm]?ts$/.test(path) && !isTest(path),
    emptyFault: 'the folder has no TypeScript module: add one',
  });
  // Without paths of the author, tests are not part of the program.
  const isDefault = options.program === undefined;
  const program = sourceFiles(programOf(options, cwd), cwd, {
    isIncluded: (path) => !isDefault || !isTest(path),
  });
  const names = {
    name: options.name ?? packageFacts(cwd).name,
    ...(namespace !== undefined && { namespace }),
    ...(watchNamespaces !== undefined && { watchNamespaces }),
  };
  return {
    value: { cwd, modules: [...modules.files].sort(), program: program.files, stated, names, webhooks },
    problems: [...plugAndPlay(), ...modules.problems, ...program.problems],
    // That of package.json, which has the name.
    folders: [cwd, ...modules.folders, ...program.folders],
  };
}

/** The compiler reads types from folders. Yarn's Plug'n'Play leaves packages in archives. */
function plugAndPlay(): readonly InputProblem[] {
  if (process.versions['pnp'] === undefined) return [];
  const action = 'add nodeLinker: node-modules to .yarnrc.yml, and run yarn install';
  return [error(`kgen reads the types of packages in node_modules: ${action}`)];
}

/** An operator of kinds of others declares none. */
function defaultInput(options: ManifestsOptions, cwd: string): readonly string[] {
  const hasProgram = programOf(options, cwd).length > 0 || existsSync(join(cwd, 'src'));
  return hasProgram && !existsSync(join(cwd, 'api')) ? [] : ['api'];
}

function programOf({ program }: ManifestsOptions, cwd: string): readonly string[] {
  return program ?? (existsSync(join(cwd, 'src')) ? ['src'] : []);
}

/** Returns the name of the package in a folder, without its scope, and its version. */
export function packageFacts(cwd: string): { readonly name: string; readonly version: string } {
  const [name, version] = ['name', 'version'].map((key) => own(packageOf(cwd), key));
  return {
    name: typeof name === 'string' ? name.replace(/^@[^/]*\//, '') : basename(cwd),
    version: typeof version === 'string' ? version : '0.0.0',
  };
}

/** Returns the content of package.json; `null` if there is none, or it cannot be read. */
export function packageOf(cwd: string): Json {
  try {
    return readJson(readFileSync(join(cwd, 'package.json'), 'utf8'));
  } catch {
    return null; // The folder is not a package.
  }
}

/** Lines of the program in comments are not compared, because every change of the program moves them. */
function withPresentComments(files: Output['files'], folder: string): Output['files'] {
  const withoutComments = (content: string): string => content.replace(/^ *#.*\r?\n/gm, '');
  return new Map(
    [...files].map(([path, content]) => {
      const present = contentOf(join(folder, path));
      const isSame = present !== undefined && withoutComments(present) === withoutComments(content);
      return [path, isSame ? present.replaceAll('\r\n', '\n') : content];
    }),
  );
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // The plan reports a file that is missing or cannot be read.
  }
}
