/** Programs over the runtime's sources, in processes of their own. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { repository } from '../support/emitted.ts';

const run = promisify(execFile);

/** Milliseconds after which a program that does not end is ended. */
const timeout = 60_000;

/** What a program wrote. */
export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a module of JavaScript that may import `@kgen/runtime`, and fails where it does not exit with 0. */
export async function runProgram(
  code: string,
  options: { readonly flags?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Output> {
  // Within the repository, so that the program finds undici.
  const folder = await mkdtemp(join(repository, 'node_modules', '.kgen-program-'));
  try {
    await build({
      stdin: { contents: code, resolveDir: repository, sourcefile: 'program.js' },
      alias: { '@kgen/runtime': join(repository, 'src/runtime/index.ts') },
      packages: 'external',
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      logLevel: 'error',
    });
    const args = [...(options.flags ?? []), join(folder, 'stdin.mjs')];
    return await run(process.execPath, args, { timeout, env: { ...process.env, ...options.env } });
  } finally {
    await rm(folder, { recursive: true });
  }
}
