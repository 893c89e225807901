/** The sources of a replica as JavaScript modules, for processes. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { repository } from '../support/emitted.ts';

/** Folder with `replica.js`. */
export interface ReplicaBundle {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Builds the sources. */
export async function bundleReplica(): Promise<ReplicaBundle> {
  // Within the repository, so that the programs resolve undici.
  const folder = await mkdtemp(join(repository, 'node_modules', '.kgen-sharding-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const files = await readdir(join(repository, 'src/runtime/exports'), { withFileTypes: true });
  const runtime = files
    .filter((file) => file.isFile())
    .map(({ name }) => [
      `@kgen/runtime/${name.replace('.ts', '')}`,
      join(repository, 'src/runtime/exports', name),
    ]);
  await build({
    entryPoints: { replica: join(repository, 'test/e2e-sharding/replica.ts') },
    alias: {
      ...Object.fromEntries(runtime),
      '@kgen/runtime': join(repository, 'src/runtime/exports/index.ts'),
      '@kgen/runtime/gen/v1': join(repository, 'src/runtime/exports/gen/v1.ts'),
      '@kgen/runtime/gen/v1/protobuf': join(repository, 'src/runtime/exports/gen/v1-protobuf.ts'),
      '@kgen/controller': join(repository, 'src/controller/index.ts'),
      '@kgen/kubernetes/core/v1': join(repository, 'generated/kubernetes/core/v1/index.ts'),
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
