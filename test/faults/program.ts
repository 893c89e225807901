/** Programs over the runtime's sources, in processes of their own. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { repository } from '../support/emitted.ts';

const run = promisify(execFile);

const usualTimeout = 60_000;
/** Bytes that a program may write. */
const maxBuffer = 16 * 1024 * 1024;
const sources = {
  '@kgen/runtime/gen/v1/protobuf': 'src/runtime/gen/v1-protobuf.ts',
  '@kgen/runtime/gen/v1': 'src/runtime/gen/v1.ts',
  '@kgen/runtime': 'src/runtime/index.ts',
  '@kgen/kubernetes': 'generated/kubernetes/index.ts',
};

/** What a program wrote. */
export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** How a program is run. */
export interface ProgramOptions {
  /** Of Node. */
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds after which a program that does not end is ended. Default: a minute. */
  readonly timeout?: number;
}

/** Runs a module of JavaScript that may import `@kgen/runtime` and `@kgen/kubernetes`, and fails where it does not exit with 0. */
export async function runProgram(code: string, options: ProgramOptions = {}): Promise<Output> {
  // Within the repository, so that the program finds undici.
  const folder = await mkdtemp(join(repository, 'node_modules', '.kgen-program-'));
  try {
    await build({
      stdin: { contents: code, resolveDir: repository, sourcefile: 'program.js' },
      alias: Object.fromEntries(
        Object.entries(sources).map(([name, path]) => [name, join(repository, path)]),
      ),
      packages: 'external',
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      logLevel: 'error',
    });
    const { flags = [], args = [], env, timeout = usualTimeout } = options;
    const all = [...flags, join(folder, 'stdin.mjs'), ...args];
    return await run(process.execPath, all, { timeout, maxBuffer, env: { ...process.env, ...env } });
  } finally {
    await rm(folder, { recursive: true });
  }
}
