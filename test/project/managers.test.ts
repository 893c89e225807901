/** New projects with each package manager: created, installed, written, checked, tested, run and bundled. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { peerFolder } from '../support/peer.mjs';
import { type Registry, startRegistry } from './registry.ts';

interface Manager {
  readonly name: string;
  /** Package that contains its program, with the version. */
  readonly from: readonly [name: string, version: string];
  /** Paths of its programs in the package, by name; absent for npm, which Node.js contains. */
  readonly programs?: Readonly<Record<string, string>>;
  readonly create: string;
  /** Runs a program of the packages. */
  readonly exec: string;
  /** Installs the packages of the lock file. */
  readonly frozen: string;
  /** Member of package.json. */
  readonly stated?: string;
}

const managers: readonly Manager[] = [
  {
    name: 'npm',
    from: ['npm', 'of Node.js'],
    create: 'npm create --yes kgen@latest',
    exec: 'npx',
    frozen: 'npm ci',
  },
  {
    name: 'pnpm',
    from: ['@pnpm/exe.linux-x64', '12.21.0'],
    programs: { pnpm: 'pnpm' },
    create: 'pnpm create kgen',
    exec: 'pnpm exec',
    frozen: 'pnpm install --frozen-lockfile',
  },
  {
    name: 'yarn',
    from: ['@yarnpkg/cli-dist', '4.18.1'],
    programs: { yarn: 'bin/yarn.js' },
    create: 'yarn create kgen',
    exec: 'yarn',
    frozen: 'yarn install --immutable',
    stated: 'yarn@4.18.1',
  },
  {
    name: 'yarn',
    from: ['yarn', '1.22.22'],
    programs: { yarn: 'bin/yarn.js' },
    create: 'yarn create kgen',
    exec: 'yarn',
    frozen: 'yarn install --frozen-lockfile',
    stated: 'yarn@1.22.22',
  },
  {
    name: 'bun',
    from: ['@oven/bun-linux-x64', '1.4.5'],
    programs: { bun: 'bin/bun', bunx: 'bin/bun' },
    create: 'bun create kgen',
    exec: 'bunx',
    frozen: 'bun install --frozen-lockfile',
  },
];

/** Two that are fast; all of them with `KGEN_MANAGERS=all`, after a change of templates or of packages. */
const chosen = managers.filter(
  ({ name }) => process.env['KGEN_MANAGERS'] === 'all' || name === 'pnpm' || name === 'bun',
);

let registry: Registry;
beforeAll(async () => {
  registry = await startRegistry();
}, 60_000);
afterAll(() => registry.close());

test.each(chosen)('a project of $from.0 $from.1 works', { timeout: 600_000 }, async (manager) => {
  const { create, exec, frozen, stated } = manager;
  const folder = mkdtempSync(join(tmpdir(), 'kgen-managers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 5 }));
  const env = environment(folder, manager);
  const cwd = join(folder, 'my-operator');
  const run = async (line: string, where = cwd): Promise<string> => {
    const { stdout } = await promisify(execFile)('sh', ['-c', `exec ${line}`], { cwd: where, env });
    return stdout;
  };
  const separator = manager.name === 'npm' ? ' --' : '';
  const created = await run(`${create} my-operator${separator} --domain example.com --ci`, folder);
  expect(created).toContain(`  2. ${exec} kgen create api`);
  const read = (path: string): string => readFileSync(join(cwd, path), 'utf8');
  expect(JSON.parse(read('package.json'))['packageManager']).toBe(stated);
  expect(read('.github/workflows/ci.yaml')).toContain(`- run: ${frozen}\n`);
  const next = await run(`${exec} kgen create api --group shop --version v1 --kind Cart`);
  expect(next).toContain(`  2. ${exec} kgen\n  3. ${manager.name} run test\n`);
  writeFileSync(join(cwd, 'src/operator.ts'), read('src/operator.ts').replace(/port: \d+/g, 'port: 0'));
  expect(await run(`${exec} kgen`)).toMatch(/^config: \d+ new/m);
  await run(frozen);
  expect(await run(`${manager.name} run check`)).toContain('config is up to date\n');
  await run(`${exec} vitest run test/cart.test.ts`);
  await reconciles(`${exec} kgen dev`, cwd, env);
  expect(await run(`${exec} kgen build`)).toMatch(/^created {2}dist\/app\/operator\.mjs$/m);
});

/** Runs `kgen dev` until the first reconcile, and ends it as Ctrl+C of a terminal does. */
async function reconciles(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const dev = spawn('sh', ['-c', `exec ${line}`], { cwd, env, detached: true });
  const ended = once(dev, 'close');
  let output = '';
  const reconciled = new Promise<void>((resolve) => {
    for (const stream of [dev.stdout, dev.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
        if (output.includes('reconciled cart-sample')) resolve();
      });
  });
  await Promise.race([reconciled, ended]);
  if (dev.pid !== undefined && dev.exitCode === null) process.kill(-dev.pid, 'SIGINT');
  await ended;
  expect(output).toContain('reconciled cart-sample');
}

/** Returns variables with which only this package manager is found, and its caches are in a folder. */
function environment(folder: string, { from, programs }: Manager): NodeJS.ProcessEnv {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  if (programs !== undefined) {
    const [name, version] = from;
    const installed = peerFolder(name, version);
    if (installed === undefined) throw new Error(`${name} ${version} cannot be installed`);
    for (const [program, path] of Object.entries(programs)) {
      const file = join(installed, 'node_modules', name, path);
      chmodSync(file, 0o755);
      symlinkSync(file, join(bin, program));
    }
  }
  const own = Object.entries(process.env).filter(([key]) => !/^(CI$|npm_|NODE_OPTIONS$|VITEST)/.test(key));
  const { url } = registry;
  return {
    ...Object.fromEntries(own),
    PATH: [bin, process.env['PATH']].join(delimiter),
    // npm, bun, and classic yarn, which also installs the program of `yarn create` below the prefix.
    npm_config_registry: url,
    npm_config_cache: join(folder, 'cache'),
    PREFIX: join(folder, 'prefix'),
    YARN_REGISTRY: url,
    YARN_CACHE_FOLDER: join(folder, 'yarn-cache'),
    BUN_INSTALL_CACHE_DIR: join(folder, 'bun-cache'),
    pnpm_config_registry: url,
    pnpm_config_store_dir: join(folder, 'pnpm-store'),
    // Later releases of yarn.
    YARN_NPM_REGISTRY_SERVER: url,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_GLOBAL_FOLDER: join(folder, 'yarn-global'),
    YARN_ENABLE_TELEMETRY: '0',
    YARN_ENABLE_GLOBAL_CACHE: 'false',
  };
}
