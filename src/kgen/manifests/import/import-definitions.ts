/** `kgen import`: modules that declare existing definitions, as a start in TypeScript. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { isArray, type JsonObject, object, omit, own, text } from '@kgen/schema/values/json';
import { error, hasErrors, type InputProblem, sortProblems } from '../../common/problems.ts';
import type { CrdDefinition } from '../../input/crd/crd.ts';
import { loadCrds } from '../../input/load.ts';
import { fileFault } from '../../input/sources/files.ts';
import type { FetchFunction } from '../../input/sources/url.ts';
import { moduleText } from './module-text.ts';

/** How definitions are imported. */
export interface ImportOptions {
  /** Files, folders, glob patterns and https addresses; `-` for standard input. */
  readonly input: readonly string[];
  /** Folder of the modules. Default: `api`. */
  readonly out?: string;
  /** Whether existing modules are replaced. Default: false, and an existing module is an error. */
  readonly force?: boolean;
  /** Folder that paths are relative to. Default: the current one. */
  readonly cwd?: string;
  /** Source of `-`. Default: standard input of the process. */
  readonly stdin?: Readable;
  /** Implementation of `fetch` for addresses. Default: the global `fetch`. */
  readonly fetch?: FetchFunction;
}

/** A module that was written. */
export interface ImportedDefinition {
  /** Name of the definition: `foos.example.com`. */
  readonly name: string;
  /** Path of its module, below the folder of the modules. */
  readonly path: string;
}

/** Result of an import. */
export interface ImportResult {
  /** Whether there were no errors. */
  readonly ok: boolean;
  readonly out: string;
  readonly problems: readonly InputProblem[];
  /** The modules, sorted by path. Empty with errors, in which case nothing is written. */
  readonly definitions: readonly ImportedDefinition[];
}

/**
 * Writes one module per CustomResourceDefinition, `KIND.ts`, from which `kgen manifests` writes the same
 * definition. With errors, nothing is written.
 */
export async function importDefinitions(options: ImportOptions): Promise<ImportResult> {
  const { out = 'api', force = false, cwd = process.cwd(), stdin = process.stdin, fetch, input } = options;
  const { crds, problems } = await loadCrds({ input, cwd, stdin, ...(fetch !== undefined && { fetch }) });
  const modules = modulesOf(crds);
  const folder = resolve(cwd, out);
  const refused = [...problems, ...(force ? [] : existing(modules, folder, out)), ...repeated(modules)];
  const written = hasErrors(refused) ? [] : write(modules, folder, out);
  const all = sortProblems([...refused, ...written]);
  const ok = !hasErrors(all);
  const definitions = ok ? modules.map(({ crd, path }) => ({ name: crd.name, path })) : [];
  return { ok, out, problems: all, definitions };
}

interface Module {
  readonly crd: CrdDefinition;
  readonly path: string;
}

/** Kinds with equal names differ by their groups. */
function modulesOf(crds: readonly CrdDefinition[]): readonly Module[] {
  const fileOf = ({ names }: CrdDefinition): string => names.kind.toLowerCase();
  return crds
    .map((crd) => {
      const isShared = crds.some((other) => other.name !== crd.name && fileOf(other) === fileOf(crd));
      return { crd, path: `${fileOf(crd)}${isShared ? `.${crd.group}` : ''}.ts` };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function existing(modules: readonly Module[], folder: string, out: string): readonly InputProblem[] {
  return modules
    .filter(({ path }) => existsSync(join(folder, path)))
    .map(({ path }) =>
      error('the file already exists: move it, or replace it with --force', { file: `${out}/${path}` }),
    );
}

function repeated(modules: readonly Module[]): readonly InputProblem[] {
  return modules.flatMap(({ crd, path }, index) =>
    modules[index - 1]?.path === path
      ? [error(`${crd.name} is defined twice: leave one of the files out`, crd.input.position([]))]
      : [],
  );
}

function write(modules: readonly Module[], folder: string, out: string): readonly InputProblem[] {
  return modules.flatMap(({ crd, path }): readonly InputProblem[] => {
    const file = join(folder, path);
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, moduleText(servedForm(crd)));
      return [];
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException; // seam: errors of node:fs have a code
      if (code === undefined) throw cause;
      return [error(fileFault(code), { file: `${out}/${path}` })];
    }
  });
}

/** Returns the definition in the form of apiextensions v1, into which servers convert v1beta1. */
export function servedForm({ input, versions }: CrdDefinition): JsonObject {
  const { value } = input;
  if (text(value, 'apiVersion') !== 'apiextensions.k8s.io/v1beta1') return value;
  const spec = object(value, 'spec');
  const given = own(spec, 'versions');
  const raw = isArray(given) ? given : [];
  return {
    ...value,
    apiVersion: 'apiextensions.k8s.io/v1',
    spec: {
      ...omit(spec, 'validation', 'additionalPrinterColumns', 'subresources', 'version'),
      versions: versions.map(({ name, served, storage, schema, printerColumns }, index) => ({
        ...omit(object({ at: raw[index] ?? {} }, 'at'), 'schema'),
        ...{ name, served, storage },
        ...(schema !== undefined && { schema: { openAPIV3Schema: schema } }),
        subresources: own(raw[index], 'subresources') ?? own(spec, 'subresources') ?? {},
        additionalPrinterColumns: printerColumns.map((column) => ({ ...column })),
      })),
    },
  };
}
