/** An operator in bundles of the published packages, by the command of docs/controllers.md and others. */
import { spawn } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Clientset } from '@kgen/kubernetes';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Clientset as CustomClientset } from '../../generated/crds/index.ts';
import { repository } from '../support/emitted.ts';
import { type InstalledPackages, installPacked } from '../support/packed-packages.ts';
import { peerFolder } from '../support/peer.mjs';

const packages = ['src/certificates', 'src/runtime', 'src/controller', 'generated/kubernetes'];
const dependencies = [
  'undici',
  'yaml',
  'oauth4webapi',
  'prom-client',
  '@opentelemetry/api',
  'tdigest',
  'bintrees',
];

const path = [join(repository, 'node_modules/.bin'), process.env['PATH']].join(delimiter);

const program = `import { loadConfig } from '@kgen/runtime';
import { operator } from './src/operator.js';
const run = async () =>
  operator(await loadConfig(), { metrics: { port: 0 }, health: { port: 0 } }).run();
`;

let project: InstalledPackages;
let server: TestServer;

beforeAll(async () => {
  project = installPacked(packages, dependencies);
  const { folder } = project;
  const example = join(repository, 'examples/operators/myapp');
  for (const name of ['src', 'generated'])
    cpSync(join(example, name), join(folder, name), { recursive: true });
  // `await` of a module is not supported in CommonJS.
  writeFileSync(join(folder, 'operator.ts'), `${program}await run();\n`);
  writeFileSync(join(folder, 'main.ts'), `${program}void run();\n`);
  server = await startTestServer({ crds: [join(repository, 'crds/myapp.yaml')], namespaces: ['shop'] });
  writeFileSync(join(folder, 'kubeconfig.yaml'), server.kubeconfig);
});
afterAll(async () => {
  await server.stop();
  project.dispose();
});

/** Runs a command line in the project, with the programs of the repository. */
function start(line: string) {
  const child = spawn(line, {
    cwd: project.folder,
    shell: true,
    env: { ...process.env, PATH: path, KUBECONFIG: 'kubeconfig.yaml' },
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]).then((texts) => texts.join(''));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, output, ended };
}

/** Commands of the section about bundles: the bundle, and its start. */
function documented(): readonly [string, string] {
  const page = readFileSync(join(repository, 'docs/controllers.md'), 'utf8');
  const [, bundle, run] = /```sh\nnpx (esbuild operator\.ts [\s\S]+?[^\\])\n(node .+)\n```/.exec(page) ?? [];
  if (bundle === undefined || run === undefined) throw new Error('docs/controllers.md has no bundle');
  return [bundle, `exec ${run}`];
}

/** Programs of JavaScript, which rollup and webpack read without plugins for TypeScript. */
const scripts = 'esbuild *.ts src/*.ts src/*/*.ts generated/**/*.ts --outdir=scripts';

const commonJs = 'esbuild main.ts --bundle --platform=node --outfile=common/main.cjs';

const formats = [
  { format: 'ES modules', commands: documented() },
  {
    format: 'ES modules in chunks',
    commands: documented().map((line) =>
      line
        .replace('--outfile=app/operator.mjs', '--splitting --outdir=chunks --out-extension:.js=.mjs')
        .replace('app', 'chunks'),
    ),
  },
  { format: 'CommonJS', commands: [commonJs, 'exec node common/main.cjs'] },
  { format: 'rollup', commands: ['node rollup.mjs', 'exec node rolled/operator.mjs'] },
  { format: 'webpack', commands: ['node webpack.cjs', 'exec node packed/main.cjs'] },
];

/** Options of a plugin of rollup, which imports optional modules at once: Node 20 has no SQLite. */
const commonJsOptions = process.versions.node.startsWith('20.') ? "{ ignore: ['node:sqlite'] }" : '';

/** Writes programs that bundle, as configuration files would. */
function writeBundlers(folder: string): void {
  const rollup = `import { rollup } from '${moduleOf('rollup', '4.68.8')}';
import resolve from '${moduleOf('@rollup/plugin-node-resolve', '16.0.3')}';
import commonJs from '${moduleOf('@rollup/plugin-commonjs', '29.0.3')}';
import json from '${moduleOf('@rollup/plugin-json', '6.1.0')}';
const plugins = [resolve(), commonJs(${commonJsOptions}), json()];
const bundle = await rollup({ input: 'scripts/main.js', plugins, onwarn: () => {} });
await bundle.write({ file: 'rolled/operator.mjs', format: 'es', inlineDynamicImports: true });
`;
  writeFileSync(join(folder, 'rollup.mjs'), rollup);
  const webpack = `const path = require('node:path');
require('${fileURLToPath(moduleOf('webpack', '5.113.0'))}')(
  {
    mode: 'production',
    target: 'node20',
    entry: './scripts/main.js',
    output: { path: path.resolve('packed'), filename: 'main.cjs' },
  },
  (cause, stats) => {
    if (cause || stats.hasErrors()) throw cause ?? new Error(stats.toString());
  },
);
`;
  writeFileSync(join(folder, 'webpack.cjs'), webpack);
}

/** Returns the URL of the main module of a package that is installed outside of the repository. */
function moduleOf(name: string, version: string): string {
  const folder = peerFolder(name, version);
  if (folder === undefined) throw new Error(`${name} ${version} is not installed`);
  const { resolve } = createRequire(join(folder, 'package.json'));
  return pathToFileURL(resolve(name)).href;
}

describe('without the packages, and with its election in a worker thread, an operator runs in a bundle', () => {
  beforeAll(async () => {
    writeBundlers(project.folder);
    for (const command of [scripts, ...formats.flatMap(({ commands: [bundle = ''] }) => [bundle])]) {
      const { ended, output } = start(command);
      expect(await ended, await output).toBe(0);
    }
    rmSync(join(project.folder, 'node_modules'), { recursive: true });
  }, 240_000);

  test.each(formats)('of $format', async ({ format, commands: [, run = ''] }) => {
    const name = format.toLowerCase().replaceAll(' ', '-');
    const [user, cluster] = [new CustomClientset(server.config), new Clientset(server.config)];
    await user.myV1.myApps('shop').create({ metadata: { name }, spec: { appName: name, version: '1' } });
    const operator = start(run);
    const early = operator.ended.then(async () => Promise.reject(new Error(await operator.output)));
    await Promise.race([
      cluster.appsV1.deployments('shop').waitFor(name, (object) => object !== undefined),
      early,
    ]);
    early.catch(() => undefined);
    operator.child.kill('SIGTERM');
    expect(await operator.ended, await operator.output).toBe(0);
    expect(await operator.output).not.toMatch(/election-worker|"level":"?(warn|error|40|50)/);
    await Promise.all([user.close(), cluster.close()]);
  });
});
