// Environments in which the packages are installed and used before a release.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { peerFolder } from '../../test/support/peer.mjs';

const platform = `${process.platform}-${process.arch}`;

/** Releases of Node.js, by major version: the packages contain the binary itself. */
const nodes = { 20: '20.20.2', 22: '22.23.5', 24: '24.22.3', 26: '26.12.1' };

/** Package managers: the package with the program, its version, and the paths of its programs in it. */
const managers = {
  npm: { exec: ['npx'], install: ['npm', 'install'] },
  pnpm: {
    from: ['pnpm', '11.28.11'],
    programs: { pnpm: 'bin/pnpm.mjs' },
    exec: ['pnpm', 'exec'],
    install: ['pnpm', 'install'],
  },
  'pnpm 10': {
    from: ['pnpm', '10.34.9'],
    programs: { pnpm: 'bin/pnpm.cjs' },
    exec: ['pnpm', 'exec'],
    install: ['pnpm', 'install', '--config.strict-dep-builds=true'],
  },
  yarn: {
    from: ['@yarnpkg/cli-dist', '4.18.1'],
    programs: { yarn: 'bin/yarn.js' },
    exec: ['yarn'],
    install: ['yarn', 'install'],
  },
  bun: {
    from: [`@oven/bun-${platform}`, '1.4.5'],
    programs: { bun: 'bin/bun', bunx: 'bin/bun' },
    exec: ['bunx'],
    install: ['bun', 'install'],
  },
  deno: {
    from: [
      `@deno/${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}`,
      '2.9.6',
    ],
    programs: { deno: 'deno' },
    install: ['deno', 'install'],
  },
};

/** Bundlers, which are development dependencies of their projects. */
export const bundlers = {
  esbuild: { esbuild: '0.28.2' },
  rollup: {
    rollup: '4.68.8',
    '@rollup/plugin-commonjs': '29.0.3',
    '@rollup/plugin-json': '6.1.0',
    '@rollup/plugin-node-resolve': '16.0.3',
  },
  webpack: { webpack: '5.113.0' },
};

const onNodes = (manager, majors, more = {}) =>
  majors.map((node) => ({ name: `${more.title ?? manager}, Node ${node}`, manager, node, ...more }));

/**
 * Environments. `run` starts a program in JavaScript; without one, it is `node`. `linker` is that of yarn.
 * pnpm 11 needs Node 22.
 */
export const environments = [
  ...onNodes('npm', [20, 22, 24, 26]),
  ...onNodes('pnpm 10', [20]),
  ...onNodes('pnpm', [22, 24], { title: 'pnpm 11' }),
  ...onNodes('yarn', [20, 22, 24], { title: 'yarn 4, node_modules', linker: 'node-modules' }),
  ...onNodes('yarn', [20, 22, 24], { title: "yarn 4, Plug'n'Play", linker: 'pnp', run: ['yarn', 'node'] }),
  ...onNodes('bun', [20, 22, 24], { title: 'bun install' }),
  { name: 'Bun 1.4', manager: 'bun', node: 24, run: ['bun'], exec: ['bunx', '--bun'], runtime: 'bun' },
  { name: 'Deno 2.9', manager: 'deno', node: 24, run: ['deno', 'run', '--allow-all'], runtime: 'deno' },
  { name: 'esbuild, Node 24', manager: 'npm', node: 24, bundler: 'esbuild' },
  { name: 'rollup, Node 20', manager: 'npm', node: 20, bundler: 'rollup' },
  { name: 'webpack, Node 24', manager: 'npm', node: 24, bundler: 'webpack' },
];

/** Names of the environments of which `.ci/run` checks a few steps. */
export const sample = ["yarn 4, Plug'n'Play, Node 24", 'pnpm 11, Node 24', 'npm, Node 20'];

/**
 * Returns an environment with its commands and the variables of their processes: its Node.js and its package
 * manager are first in the path, the registry is that of the release, and caches are in a folder.
 *
 * @param {object} environment
 * @param {{ readonly folder: string, readonly registry: string }} place
 */
export function prepared(environment, { folder, registry }) {
  const { from, programs, exec, install } = managers[environment.manager];
  const bin = join(folder, 'bin', environment.name.replace(/[^\w.]+/g, '-'));
  mkdirSync(bin, { recursive: true });
  symlinkSync(nodeOf(environment.node), join(bin, 'node'));
  for (const [program, path] of Object.entries(programs ?? {}))
    link(join(installed(...from), path), join(bin, program));
  const cache = (name) => join(folder, 'caches', name);
  const own = Object.entries(process.env).filter(([key]) => !/^(CI$|npm_|NODE_OPTIONS$|VITEST)/i.test(key));
  const env = {
    ...Object.fromEntries(own),
    PATH: [bin, process.env.PATH].join(delimiter),
    npm_config_registry: registry,
    npm_config_cache: cache('npm'),
    pnpm_config_registry: registry,
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_GLOBAL_FOLDER: cache('yarn'),
    YARN_ENABLE_TELEMETRY: '0',
    YARN_NODE_LINKER: environment.linker ?? 'node-modules',
    BUN_INSTALL_CACHE_DIR: cache('bun'),
    DENO_DIR: cache('deno'),
    NPM_CONFIG_REGISTRY: registry,
  };
  return { exec, install, run: ['node'], ...environment, env };
}

/** Returns the path of a Node.js of a major version. */
export function nodeOf(major) {
  return join(installed(`node-${platform}`, nodes[major]), 'bin/node');
}

/** Returns the folder of a package of a release tool, which is installed into a cache if it is missing. */
function installed(name, version) {
  const folder = peerFolder(name, version);
  if (folder === undefined) throw new Error(`${name} ${version} cannot be installed`);
  return join(folder, 'node_modules', name);
}

/** Puts a program into a folder of the path. Scripts run on the Node.js of the path. */
function link(from, to) {
  chmodSync(from, 0o755);
  if (!/\.[cm]?js$/.test(from)) return symlinkSync(from, to);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, `#!/bin/sh\nexec node '${from}' "$@"\n`, { mode: 0o755 });
}
