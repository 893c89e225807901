/** The sources of the elector as JavaScript modules, for processes and worker threads. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { repository } from './emitted.ts';

/** Folder with the modules of an election. */
export interface ElectionBundle {
  readonly folder: string;
  /** Module of the worker thread. */
  readonly workerFile: URL;
  remove(): Promise<void>;
}

/**
 * Builds the worker and other modules, by their names and paths in the repository. The worker is beside the
 * modules that start it, as in the published package.
 */
export async function bundleElection(
  programs: Readonly<Record<string, string>> = {},
): Promise<ElectionBundle> {
  // Within the repository, so that the programs resolve undici.
  const folder = await mkdtemp(join(repository, 'node_modules', '.kgen-election-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const worker = 'src/runtime/control/election/thread/election-worker.ts';
  const modules = Object.entries({ ...programs, 'election-worker': worker });
  await build({
    entryPoints: Object.fromEntries(modules.map(([name, path]) => [name, join(repository, path)])),
    alias: {
      '@kgen/runtime/election': join(repository, 'src/runtime/exports/election.ts'),
      '@kgen/runtime': join(repository, 'src/runtime/exports/index.ts'),
    },
    packages: 'external',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    outdir: folder,
    logLevel: 'error',
  });
  return {
    folder,
    workerFile: pathToFileURL(join(folder, 'election-worker.js')),
    remove: () => rm(folder, { recursive: true }),
  };
}
