/** An operator in a bundle of the published packages, with the command of docs/controllers.md. */
import { spawn } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Clientset } from '@kgen/kubernetes';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Clientset as CustomClientset } from '../../generated/crds/index.ts';
import { repository } from '../support/emitted.ts';
import { type InstalledPackages, installPacked } from '../support/packed-packages.ts';

const packages = ['src/runtime', 'src/controller', 'generated/kubernetes'];
const dependencies = ['undici', 'yaml', 'oauth4webapi', 'prom-client', '@opentelemetry/api'];

const path = [join(repository, 'node_modules/.bin'), process.env['PATH']].join(delimiter);

let project: InstalledPackages;
let server: TestServer;

beforeAll(async () => {
  project = installPacked(packages, dependencies);
  const { folder } = project;
  cpSync(join(repository, 'generated/crds'), join(folder, 'generated'), { recursive: true });
  const source = readFileSync(join(repository, 'examples/operators/myapp/operator.ts'), 'utf8');
  writeFileSync(join(folder, 'operator.ts'), source.replace('../../../generated/crds/', './generated/'));
  // `await` of a module is not supported in CommonJS.
  const start = 'void loadConfig().then((config) => myAppOperator(config).run());';
  const main = source.replace(/\nif \(process\.argv[\s\S]*?\n}/, `\n${start}`);
  writeFileSync(join(folder, 'main.ts'), main.replace('../../../generated/crds/', './generated/'));
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
    env: { ...process.env, PATH: path, KUBECONFIG: 'kubeconfig.yaml', METRICS_PORT: '0', HEALTH_PORT: '0' },
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

const commonJs = [
  'esbuild main.ts election-worker=@kgen/runtime/election-worker',
  '--bundle --platform=node --format=cjs --outdir=common --out-extension:.js=.cjs',
].join(' ');

test.each([
  { format: 'ES modules', commands: documented() },
  {
    format: 'ES modules in chunks',
    commands: documented().map((line) => line.replace(' --', ' --splitting --').replaceAll('app', 'chunks')),
  },
  { format: 'CommonJS', commands: [commonJs, 'exec node common/main.cjs'] },
])(
  'an operator in a bundle of $format runs, with its election in a worker thread',
  async ({ format, commands }) => {
    const [bundle = '', run = ''] = commands;
    const built = start(bundle);
    expect(await built.ended, await built.output).toBe(0);

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
  },
);
