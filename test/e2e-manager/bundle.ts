/** The sources of the controller as JavaScript modules, for processes and worker threads. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { repository } from '../support/emitted.ts';

/** Folder with `program.js` and `election-worker.js`. */
export interface ProgramBundle {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Builds the sources. The worker is beside the modules that start it, as in the published package. */
export async function bundleProgram(): Promise<ProgramBundle> {
  // Within the repository, so that the programs resolve their dependencies.
  const folder = await mkdtemp(join(repository, 'node_modules', '.kgen-manager-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await build({
    entryPoints: {
      program: join(repository, 'test/e2e-manager/program.ts'),
      'election-worker': join(repository, 'src/runtime/control/election/thread/election-worker.ts'),
    },
    alias: {
      ...(await runtimeAliases()),
      '@kgen/controller': join(repository, 'src/controller/index.ts'),
      '@kgen/kubernetes': join(repository, 'generated/kubernetes'),
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

async function runtimeAliases(): Promise<Record<string, string>> {
  const folder = join(repository, 'src/runtime/exports');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
  const subpaths = names.map((name) => [`@kgen/runtime/${name.slice(0, -3)}`, join(folder, name)]);
  return {
    ...Object.fromEntries(subpaths),
    '@kgen/runtime/gen/v1': join(folder, 'gen/v1.ts'),
    '@kgen/runtime/gen/v1/protobuf': join(folder, 'gen/v1-protobuf.ts'),
    '@kgen/runtime': join(folder, 'index.ts'),
  };
}
