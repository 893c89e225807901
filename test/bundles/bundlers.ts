/** Bundlers of programs, with their defaults. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { peerFolder } from '../support/peer.mjs';

/** Programs of this folder. */
export const programs = ['pods', 'operator'] as const;
/** Name of a program of this folder. */
export type ProgramName = (typeof programs)[number];

/** A bundler, which writes the folder `out` of a project. */
export interface Bundler {
  readonly name: string;
  /** Script of a Node.js module that bundles all programs, or command lines. */
  readonly build: string | readonly string[];
  /** Files of a program in `out`; the first one is run. */
  readonly files: (program: ProgramName) => string;
  /** Whether the output is an executable, which runs without Node.js. */
  readonly isExecutable?: boolean;
}

/** Returns the URL of the main module of a package in the cache outside of the repository. */
function installed(name: string, version: string): string {
  return pathToFileURL(createRequire(join(folderOf(name, version), 'package.json')).resolve(name)).href;
}

function folderOf(name: string, version: string): string {
  const folder = peerFolder(name, version);
  if (folder === undefined) throw new Error(`${name} ${version} is not installed`);
  return folder;
}

const entries = JSON.stringify(Object.fromEntries(programs.map((name) => [name, `./${name}.mjs`])));

/** Script of webpack or rspack, which have the same settings. */
const packScript = (url: string, name: string): string => `import * as module from '${url}';
const pack = module.${name} ?? module.default;
const settings = { mode: 'production', target: 'node', entry: ${entries} };
pack({ ...settings, output: { path: process.cwd() + '/out' } }, (error, stats) => {
  if (error || stats.hasErrors() || stats.hasWarnings()) throw error ?? new Error(stats.toString());
});
`;

const esbuild = (format: string, suffix: string): readonly string[] => [
  `esbuild pods.mjs operator.mjs --bundle --platform=node --format=${format} --outdir=out --out-extension:.js=${suffix}`,
];

const rollup = (): string => `import { rollup } from '${installed('rollup', '4.68.8')}';
import resolve from '${installed('@rollup/plugin-node-resolve', '16.0.3')}';
import commonJs from '${installed('@rollup/plugin-commonjs', '29.0.3')}';
for (const [name, input] of Object.entries(${entries})) {
  const plugins = [resolve(), commonJs()];
  const onwarn = (warning) => {
    if (warning.code !== 'CIRCULAR_DEPENDENCY' && warning.code !== 'THIS_IS_UNDEFINED') throw new Error(warning.message);
  };
  const bundle = await rollup({ input, plugins, onwarn });
  await bundle.write({ dir: 'out/' + name, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
}
`;

const vite = `import { build } from '${pathToFileURL(createRequire(import.meta.url).resolve('vite')).href}';
for (const [name, ssr] of Object.entries(${entries}))
  await build({ logLevel: 'warn', build: { ssr, outDir: 'out/' + name }, ssr: { noExternal: true } });
`;

const bun = (): string =>
  join(folderOf('@oven/bun-linux-x64', '1.4.5'), 'node_modules/@oven/bun-linux-x64/bin/bun');

/** Command lines of a single executable of Node.js 24. */
const sea = (): readonly string[] => {
  const postject = join(folderOf('postject', '1.0.0-alpha.6'), 'node_modules/postject/dist/cli.js');
  const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
  return [
    ...esbuild('cjs', '.cjs'),
    ...programs.flatMap((name) => [
      `"$NODE24" --experimental-sea-config ${name}.sea.json`,
      `cp "$NODE24" out/${name}`,
      `"$NODE24" ${postject} out/${name} NODE_SEA_BLOB out/${name}.blob --sentinel-fuse ${fuse}`,
    ]),
  ];
};

/** Writes the settings of single executables into a project. */
export function writeExecutableSettings(folder: string): void {
  for (const name of programs) {
    const settings = {
      main: `out/${name}.cjs`,
      output: `out/${name}.blob`,
      disableExperimentalSEAWarning: true,
    };
    writeFileSync(join(folder, `${name}.sea.json`), JSON.stringify(settings));
  }
}

/** Returns the sample, or all with `KGEN_BUNDLERS=all`. Those that are not dependencies are in the cache. */
export function bundlers(): readonly Bundler[] {
  return process.env['KGEN_BUNDLERS'] === 'all' ? [...sample(), ...others()] : sample();
}

const sample = (): readonly Bundler[] => [
  { name: 'esbuild, ES modules', build: esbuild('esm', '.mjs'), files: (name) => `${name}.mjs` },
  { name: 'rollup', build: rollup(), files: (name) => `${name}/${name}.mjs` },
  {
    name: 'rspack',
    build: packScript(installed('@rspack/core', '2.3.4'), 'rspack'),
    files: (name) => `${name}.js`,
  },
  { name: 'vite', build: vite, files: (name) => `${name}/${name}.mjs` },
  { name: 'single executable of Node.js', build: sea(), files: (name) => name, isExecutable: true },
];

const others = (): readonly Bundler[] => [
  { name: 'esbuild, CommonJS', build: esbuild('cjs', '.cjs'), files: (name) => `${name}.cjs` },
  {
    name: 'esbuild, chunks',
    build: esbuild('esm', '.mjs').map((line) => `${line} --splitting`),
    files: (name) => `${name}.mjs`,
  },
  {
    name: 'webpack',
    build: packScript(installed('webpack', '5.113.0'), 'webpack'),
    files: (name) => `${name}.js`,
  },
  {
    name: 'rolldown',
    build: programs.map((name) => `rolldown ${name}.mjs --platform node --dir out/${name}`),
    files: (name) => `${name}/${name}.js`,
  },
  {
    name: 'bun build --target node',
    build: [`${bun()} build pods.mjs operator.mjs --target node --outdir out`],
    files: (name) => `${name}.js`,
  },
  {
    name: 'bun build --compile',
    build: programs.map((name) => `${bun()} build ${name}.mjs --compile --outfile out/${name}`),
    files: (name) => name,
    isExecutable: true,
  },
];
