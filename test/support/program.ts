/** Programs that run the sources of the runtime in separate processes. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { repository } from './emitted.ts';

const run = promisify(execFile);

const usualTimeout = 60_000;
/** Limit of the output of a program, in bytes. */
const maxBuffer = 16 * 1024 * 1024;
const sources = {
  '@kgen/runtime/gen/v1/protobuf': 'src/runtime/exports/gen/v1-protobuf.ts',
  '@kgen/runtime/gen/v1': 'src/runtime/exports/gen/v1.ts',
  '@kgen/runtime': 'src/runtime/exports',
  '@kgen/kubernetes': 'generated/kubernetes/index.ts',
};

/** Output of a program. */
export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of a program run. */
export interface ProgramOptions {
  /** Command-line flags of Node.js. */
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Time-out after which the program is killed, in milliseconds. Default: one minute. */
  readonly timeout?: number;
}

/**
 * Runs a JavaScript module that may import `@kgen/runtime` and `@kgen/kubernetes`. Rejects unless it exits
 * with 0.
 */
export async function runProgram(code: string, options: ProgramOptions = {}): Promise<Output> {
  // Within the repository, so that the program resolves undici.
  const folder = await mkdtemp(join(repository, 'node_modules', '.kgen-program-'));
  try {
    const program = await bundleProgram(code, folder);
    const { flags = [], args = [], env, timeout = usualTimeout } = options;
    const all = [...flags, program, ...args];
    return await run(process.execPath, all, { timeout, maxBuffer, env: { ...process.env, ...env } });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes a module that may import the packages to a folder of the repository, and returns its path. */
export async function bundleProgram(code: string, folder: string): Promise<string> {
  await build({
    stdin: { contents: code, resolveDir: repository, sourcefile: 'program.js' },
    alias: Object.fromEntries(Object.entries(sources).map(([name, path]) => [name, join(repository, path)])),
    packages: 'external',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
  });
  return join(folder, 'stdin.mjs');
}
