/** The sources of the elector as JavaScript modules, for processes and worker threads. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { repository } from '../support/emitted.ts';

/** Folder with `member.js` and `election-worker.js`. */
export interface ElectionBundle {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Builds the sources. The worker is beside the modules that start it, as in the published package. */
export async function bundleElection(): Promise<ElectionBundle> {
  // Within the repository, so that the programs resolve undici.
  const folder = await mkdtemp(join(repository, 'node_modules', '.kgen-election-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await build({
    entryPoints: {
      member: join(repository, 'test/e2e-election/member.ts'),
      'election-worker': join(repository, 'src/runtime/control/election/thread/election-worker.ts'),
    },
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
  return { folder, remove: () => rm(folder, { recursive: true }) };
}
