/** Programs of tests, bundled with the sources of the packages, for processes and worker threads. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { repository } from './emitted.ts';
import { workerBeside } from './worker-beside.ts';

/** Folder with the modules of programs. */
export interface SourceBundle {
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * Bundles programs, by their names and paths in the repository, with the sources of the packages. The module
 * `election-worker.js` is beside them, as in the published package.
 */
export async function bundleSources(programs: Readonly<Record<string, string>>): Promise<SourceBundle> {
  // Within the repository, so that the programs resolve their dependencies.
  const folder = await mkdtemp(join(repository, 'node_modules', '.kgen-bundle-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const worker = 'src/runtime/control/election/thread/election-worker.ts';
  const modules = Object.entries({ ...programs, 'election-worker': worker });
  await build({
    entryPoints: Object.fromEntries(modules.map(([name, path]) => [name, join(repository, path)])),
    alias: {
      ...(await runtimeAliases()),
      '@kgen/controller/webhooks': join(repository, 'src/controller/webhooks/index.ts'),
      '@kgen/controller': join(repository, 'src/controller/index.ts'),
      '@kgen/kubernetes': join(repository, 'generated/kubernetes'),
    },
    plugins: [workerBeside],
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
