/** Files that follow from the modules of an author. Compilers read through a disk, which may be recorded. */

import { array, at, type JsonObject, text } from '@kgen/schema/values/json';
import type { ts } from 'ts-morph';
import type { ParsedFiles } from '../codemod/compiler-host.ts';
import { type Checked, error, formatPlace, hasErrors } from '../common/problems.ts';
import { version } from '../common/version.ts';
import type { Disk } from '../input/modules/disk.ts';
import { findNative, nativeCompiler } from './declare/native.ts';
import { definitionFiles } from './definition/definition-files.ts';
import type { WebhookSettings } from './deployment/values.ts';
import type { ScannedProgram } from './permissions/permissions.ts';
import type { RbacOptions, RoleKind } from './permissions/roles/rbac-files.ts';
import type { ServedMetrics } from './permissions/scan.ts';
import { type ReadApis, readApis } from './read-apis.ts';

/** The modules, and the facts on which the files depend beside them. */
export interface OutputSources {
  readonly cwd: string;
  /** Modules that declare custom resources, as absolute paths. */
  readonly modules: readonly string[];
  /** Files of the program, as absolute paths; empty if no permissions are written. */
  readonly program: readonly string[];
  /** Stated permissions of the configuration, by file. */
  readonly stated: Readonly<Record<string, readonly string[]>>;
  /** Names in the files of permissions. */
  readonly names: Omit<RbacOptions, 'kinds'>;
  /** Registration of webhooks. */
  readonly webhooks: WebhookSettings;
}

/** The files, which are complete only without errors. */
export interface Output extends ReadApis {
  readonly files: ReadonlyMap<string, string>;
  /** Metrics that the program serves; `undefined` if it does not state them. */
  readonly metrics?: ServedMetrics | undefined;
}

const noFiles: Checked<ReadonlyMap<string, string>> = { value: new Map(), problems: [] };

/**
 * Returns the files of the definitions and of the permissions of the program, from one program of the
 * compiler. The compiler is loaded if there is a module to read: TypeScript 7 of the project, or that of
 * ts-morph, which permissions and repeated runs need.
 * @param parsed files of earlier runs in this process
 */
export async function outputOf(sources: OutputSources, disk: Disk, parsed?: ParsedFiles): Promise<Output> {
  const { cwd, modules, program } = sources;
  if (modules.length + program.length === 0)
    return { files: new Map(), apis: [], hasRun: false, problems: [] };
  const isNative = program.length === 0 && parsed === undefined;
  const native = isNative ? await readNative(modules, cwd, disk) : undefined;
  if (native !== undefined) return withFiles(native, noFiles);
  const { compilerOf, morphProgram } = await import('./declare/morph.ts');
  const compiled = morphProgram({ modules, program, cwd, disk, ...(parsed !== undefined && { parsed }) });
  const read = await readApis(modules, compilerOf(compiled), cwd);
  return program.length === 0 ? withFiles(read, noFiles) : programOutput(compiled, read, sources, disk);
}

async function withFiles({ problems, ...read }: ReadApis, others: Checked<Output['files']>): Promise<Output> {
  const files = new Map([...(await definitionFiles(read.apis, version)), ...others.value]);
  // Errors of the compiler in modules are reported once.
  const places = new Set(problems.flatMap(({ where }) => (where === undefined ? [] : [formatPlace(where)])));
  const added = others.problems.filter(({ where }) => where === undefined || !places.has(formatPlace(where)));
  return { ...read, files, problems: [...problems, ...added] };
}

/** Adds the permissions and the webhooks of the program. */
async function programOutput(
  compiled: ts.Program,
  read: ReadApis,
  { cwd, stated, names, webhooks }: OutputSources,
  disk: Disk,
): Promise<Output> {
  const { scanProgram } = await import('./permissions/permissions.ts');
  const scanned = scanProgram(compiled, { cwd, stated, name: names.name }, disk);
  const rbac = await permissionFiles(scanned, read, names);
  const { webhooks: calls, metrics } = scanned.value;
  if (calls.length === 0) return { ...(await withFiles(read, rbac)), metrics };
  const { webhookFiles } = await import('./webhooks/webhook-files.ts');
  const { name, namespace = name } = names;
  const settings = { name, namespace, ...webhooks };
  const { value, problems } = await webhookFiles({
    program: compiled,
    calls,
    apis: read.apis,
    settings,
    cwd,
  });
  const files = new Map([...rbac.value, ...value.files]);
  const all = { value: files, problems: [...rbac.problems, ...problems] };
  return { ...(await withFiles({ ...read, apis: value.apis }, all)), metrics };
}

async function readNative(
  modules: readonly string[],
  cwd: string,
  disk: Disk,
): Promise<ReadApis | undefined> {
  const installed = findNative(cwd);
  if (installed === undefined) return undefined;
  const compiler = await nativeCompiler(modules, cwd, installed, disk).catch(() => undefined);
  if (compiler === undefined) return undefined;
  try {
    return await readApis(modules, compiler, cwd);
  } catch {
    return undefined; // Its interface has changed: the other compiler reads the same.
  } finally {
    compiler.close();
  }
}

/** Returns the files of `rbac/`. */
async function permissionFiles(
  { value: { needs }, problems }: Checked<ScannedProgram>,
  { apis }: ReadApis,
  names: OutputSources['names'],
): Promise<Checked<Output['files']>> {
  const { rbacFiles } = await import('./permissions/roles/rbac-files.ts');
  if (hasErrors(problems)) return { value: new Map(), problems };
  try {
    return {
      value: rbacFiles(needs, { ...names, kinds: apis.map(({ value }) => roleKind(value)) }),
      problems,
    };
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    return {
      value: new Map(),
      problems: [...problems, error(`${cause.message}: name the operator with --name`)],
    };
  }
}

function roleKind(definition: JsonObject): RoleKind {
  return {
    group: text(definition, 'spec', 'group'),
    singular: text(definition, 'spec', 'names', 'singular'),
    plural: text(definition, 'spec', 'names', 'plural'),
    hasScale: array(definition, 'spec', 'versions').some(
      (each) => at(each, 'subresources', 'scale') !== undefined,
    ),
  };
}
