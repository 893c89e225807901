import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@kgen/schema/values/json';
import { onTestFinished } from 'vitest';
import { formatProblem } from '../common/problems.ts';
import type { Compiler } from './declare/compiler.ts';
import { morphCompiler } from './declare/morph.ts';
import { findNative, type NativeCompiler, nativeCompiler } from './declare/native.ts';
import { readApis } from './read-apis.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The definition that a module declares, and the problems that were found in it. */
export interface ReadModule {
  readonly definition: JsonObject | undefined;
  readonly problems: readonly string[];
}

/** Creates a compiler for modules in a folder. */
export type CreateCompiler = (files: readonly string[], cwd: string) => Compiler | Promise<Compiler>;

/** Starts the compiler of TypeScript 7. */
export async function createNative(files: readonly string[], cwd: string): Promise<NativeCompiler> {
  const installed = findNative(join(root, 'test/compilers/7'));
  const compiler = installed === undefined ? undefined : await nativeCompiler(files, cwd, installed);
  if (compiler === undefined) throw new Error('TypeScript 7 is not installed');
  return compiler;
}

/**
 * Reads modules in one program, by name: texts of modules, with the names of `kgen/api` imported. Problems
 * have the lines of the text.
 */
export async function readModules(
  texts: ReadonlyMap<string, string>,
  create: CreateCompiler = morphCompiler,
): Promise<ReadonlyMap<string, ReadModule>> {
  const cwd = mkdtempSync(join(tmpdir(), 'kgen-manifests-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'));
    mkdirSync(join(cwd, 'api'));
    const files = new Map([...texts.keys()].map((name, index) => [`api/m${index}.ts`, name]));
    for (const [index, [file, name]] of [...files].entries()) {
      const text = (texts.get(name) ?? '').replace("group: 'example.com'", `group: 'm${index}.example.com'`);
      writeFileSync(join(cwd, file), heading + text);
    }
    const paths = [...files.keys()].map((file) => join(cwd, file));
    const compiler = await create(paths, cwd);
    const { apis, problems } = await readApis(paths, compiler, cwd);
    if ('close' in compiler && typeof compiler.close === 'function') compiler.close();
    return new Map(
      [...files].map(([file, name]) => [
        name,
        {
          definition: apis.find((api) => api.file === file)?.value,
          problems: problems
            .filter(({ where }) => where?.file === file)
            .map((problem) => formatProblem(problem).slice(file.length + 1)),
        },
      ]),
    );
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** On the first line, so that the lines of problems are those of the text. */
const heading =
  "import { api, version, type Base64, type Condition, type CustomResource, type Double, type Duration, type EmbeddedResource, type Int32, type Int64, type IntOrString, type JsonObject, type LabelSelector, type ObjectMeta, type Quantity, type Timestamp } from 'kgen/api'; ";

/** Returns a module whose kind has a spec with these members. */
export function moduleOf(members: string, others = ''): string {
  return `export interface Spec {
${members}
}
${others}
export interface Thing extends CustomResource<Spec> {}
export default api({ group: 'example.com', kind: 'Thing', versions: { v1: version<Thing>()({}) } });
`;
}

/** Returns a folder with these files, in which packages of the repository are installed. */
export function projectWith(files: Readonly<Record<string, string>>): string {
  const cwd = mkdtempSync(join(tmpdir(), 'kgen-project-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(cwd, path, '..'), { recursive: true });
    writeFileSync(join(cwd, path), content);
  }
  return cwd;
}
