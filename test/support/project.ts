/** A temporary folder like a user's project: generated code, a program that uses it, `node_modules`. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Files, repository } from './emitted.ts';

/** Packages of the repository's `node_modules` that a project may import. */
const linkable = {
  /** Types of Node.js with their dependencies. */
  node: ['@types/node', 'undici-types'],
  /** Run-time dependencies of the runtime. */
  run: ['undici', 'yaml'],
  /** Packages that `@kgen/controller` imports; the project has a copy of itself, for its one runtime. */
  controller: ['@kgen/certificates', '@opentelemetry/api', 'prom-client'],
} as const;

export interface ProjectOptions {
  /** `module` (default) or `commonjs`, as in `package.json`. */
  readonly type?: 'module' | 'commonjs';
  readonly links?: readonly (keyof typeof linkable)[];
}

/** A temporary project; disposing of it deletes the folder. */
export interface Project {
  readonly folder: string;
  /** Writes files by path, relative to the project. */
  write(files: Files | Readonly<Record<string, string>>, below?: string): void;
  dispose(): void;
}

/**
 * Creates a project with copies of the built packages, so that the compiler finds only the files of a user's
 * project.
 * @throws if a package is not built
 */
export function createProject(options: ProjectOptions = {}): Project {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-project-'));
  const write = (files: Files | Readonly<Record<string, string>>, below = ''): void => {
    const entries = files instanceof Map ? files : Object.entries(files);
    for (const [path, text] of entries) writeText(join(folder, below, path), text);
  };
  copyPackage(folder, 'runtime');
  for (const group of options.links ?? ['node']) {
    if (group === 'controller') copyPackage(folder, group);
    for (const name of linkable[group]) link(folder, name);
  }
  write({ 'package.json': JSON.stringify({ private: true, type: options.type ?? 'module' }) });
  return { folder, write, dispose: () => rmSync(folder, { recursive: true, force: true }) };
}

function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function copyPackage(folder: string, name: 'runtime' | 'controller'): void {
  const from = join(repository, 'src', name);
  if (!existsSync(join(from, 'dist'))) {
    throw new Error(`@kgen/${name} is not built: run \`npm run build\` first`);
  }
  const to = join(folder, 'node_modules/@kgen', name);
  const isOutput = (path: string): boolean => !path.endsWith('.tsbuildinfo');
  cpSync(join(from, 'package.json'), join(to, 'package.json'));
  cpSync(join(from, 'dist'), join(to, 'dist'), { recursive: true, filter: isOutput });
}

function link(folder: string, name: string): void {
  const path = join(folder, 'node_modules', name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(repository, 'node_modules', name), path, 'junction');
}
