/** The operators of `examples` with the sources of the packages, as JavaScript for processes. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { repository } from '../support/emitted.ts';
import { workerBeside } from '../support/worker-beside.ts';

/** Folder with an `operator.js`. */
export interface OperatorBundle {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Bundles an operator as its Dockerfile does, in several chunks. The worker of the election is beside it. */
export async function bundleOperator(name: string): Promise<OperatorBundle> {
  const folder = await mkdtemp(join(tmpdir(), 'kgen-operator-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'main.ts'), mainOf(name));
  await build({
    absWorkingDir: repository,
    entryPoints: {
      operator: join(folder, 'main.ts'),
      'election-worker': 'src/runtime/control/election/thread/election-worker.ts',
    },
    plugins: [sources, workerBeside],
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    // CommonJS packages require modules of Node.js.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    outdir: folder,
    logLevel: 'error',
  });
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

/** Other operators of this machine have ports, too. `webhooks.test.ts` serves the webhooks. */
function mainOf(name: string): string {
  const path = join(repository, 'examples/operators', name, 'src/operator.ts');
  return `import { loadConfig } from '@kgen/runtime';
import { operator } from ${JSON.stringify(path)};
const ports = { metrics: { port: 0 }, health: { port: 0 } };
await operator(await loadConfig(), { ...ports, serveWebhooks: () => () => undefined }).run();
`;
}

/** Resolves the packages of this repository to their sources. */
const sources: Plugin = {
  name: 'sources',
  setup({ onResolve }) {
    onResolve({ filter: /^@kgen\// }, ({ path }) => {
      const [, name = '', ...rest] = path.split('/');
      return { path: join(repository, sourceOf(name, rest.join('/'))) };
    });
  },
};

function sourceOf(name: string, subpath: string): string {
  if (name === 'controller') return `src/controller/${subpath === '' ? '' : `${subpath}/`}index.ts`;
  if (name === 'certificates') return `src/certificates/${subpath}.ts`;
  if (name === 'kubernetes') return `generated/kubernetes/${subpath}/index.ts`;
  if (subpath === 'gen/v1/protobuf') return 'src/runtime/exports/gen/v1-protobuf.ts';
  return `src/runtime/exports/${subpath || 'index'}.ts`;
}
