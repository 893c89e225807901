// An empty project that depends on the packages of a release.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlers } from './environments.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const programs = join(root, 'scripts/release/programs');

/** Settings of the compiler with which programs of users resolve the entry points. */
export const moduleSettings = {
  nodenext: { module: 'nodenext' },
  node20: { module: 'node20' },
  node16: { module: 'node16' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};

/** Entry points that are programs, threads, or wait for the globals of a test framework. */
const notLoaded = new Set([
  '@kgen/runtime/election-worker',
  '@kgen/testing/jest',
  '@kgen/testing/vitest',
  'kgen/cli',
  'kgen/commands',
]);

/** Entry points that have no values. */
const typesOnly = new Set(['@kgen/runtime/gen/v1/streams', '@kgen/kubernetes/paths']);

/**
 * Writes a project into a folder: its package.json, programs and definitions.
 *
 * @param {string} folder
 * @param {readonly object[]} manifests of the packages
 * @param {object} environment
 */
export function writeProject(folder, manifests, environment) {
  mkdirSync(folder, { recursive: true });
  const write = (path, value) => writeFileSync(join(folder, path), `${JSON.stringify(value, null, 2)}\n`);
  write('package.json', manifestOf(manifests, environment));
  for (const name of readdirSync(programs)) cpSync(join(programs, name), join(folder, name));
  cpSync(join(root, 'crds/myapp.yaml'), join(folder, 'crds/myapp.yaml'));
  cpSync(join(root, 'crds/rediscluster.yaml'), join(folder, 'crds/rediscluster.yaml'));
  for (const [path, text] of Object.entries(settings)) writeFileSync(join(folder, path), text);
  const doors = manifests.flatMap(entryPoints);
  write(
    'entry-points.json',
    doors.filter(({ name }) => !notLoaded.has(name) && !typesOnly.has(name)).map(({ name }) => name),
  );
  const typed = doors.filter(({ entry }) => typeof entry === 'object').map(({ name }) => name);
  const imports = typed.map((name, index) => `import * as module${index} from '${name}';\n`);
  const all = `export const all = [${typed.map((_, index) => `module${index}`).join(', ')}];\n`;
  writeFileSync(join(folder, 'entry-points.mts'), `${imports.join('')}${all}`);
  for (const [name, setting] of Object.entries(moduleSettings))
    write(`tsconfig.${name}.json`, compilerSettings(setting, ['entry-points.mts'], { noEmit: true }));
  const client = readFileSync(join(programs, 'client.ts'), 'utf8');
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/client.ts'), client.replace('./GENERATED', '../generated/index.js'));
  writeFileSync(join(folder, 'client.ts'), client.replace('./GENERATED', './stripped/index.ts'));
  write(
    'tsconfig.json',
    compilerSettings(moduleSettings.nodenext, ['src'], { outDir: 'compiled', rootDir: '.' }),
  );
}

/** Dependencies of jest whose scripts of the installation do not run, as nothing needs them. */
const denied = ['unrs-resolver', '@parcel/watcher'];

/** Settings of pnpm 11 and 10, and of the test frameworks. */
const settings = {
  'pnpm-workspace.yaml': [
    ...['allowBuilds:', ...denied.map((name) => `  '${name}': false`)],
    ...['ignoredBuiltDependencies:', ...denied.map((name) => `  - '${name}'`), ''],
  ].join('\n'),
  'jest.config.mjs': "export default { testMatch: ['**/jest.test.*'], transform: {} };\n",
  'vitest.config.mjs': "export default { test: { include: ['vitest.test.mjs'] } };\n",
};

function manifestOf(manifests, { bundler, linker, isSample }) {
  const own = Object.fromEntries(manifests.map(({ name, version }) => [name, version]));
  return {
    name: 'release-check',
    version: '0.0.0',
    private: true,
    type: 'module',
    dependencies: own,
    devDependencies: {
      '@types/node': '20.19.43',
      'fast-check': '4.10.2',
      ...(isSample ? {} : { jest: '30.5.2', expect: '30.5.2', typescript: '5.9.3', vitest: '4.1.12' }),
      ...(bundler === undefined ? {} : bundlers[bundler]),
    },
    ...(linker === undefined ? {} : { packageManager: 'yarn@4.18.1' }),
  };
}

/** Returns the entry points of a package, as programs import them. */
function entryPoints({ name, exports }) {
  const doors = Object.entries(exports).filter(([door]) => !/\.json$|\*/.test(door));
  const more = name === '@kgen/kubernetes' ? [['./core/v1', {}]] : [];
  return [...doors, ...more].map(([door, entry]) => ({ name: `${name}${door.slice(1)}`, entry }));
}

function compilerSettings(module, include, options) {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    ...module,
    ...options,
  };
  return { compilerOptions, [include[0]?.includes('.') ? 'files' : 'include']: include };
}
