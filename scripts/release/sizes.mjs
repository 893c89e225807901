// Sizes of archives, of installations, and of the forms in which JavaScript could be published.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build, transformSync } from 'esbuild';
import { everyPod } from '../../test/bench/programs.mjs';
import { packPackage } from '../pack.mjs';
import { inParallel } from './parallel.mjs';

/**
 * Returns a table in Markdown of the sizes of packages: of the archive, of its files, and of all files that
 * npm installs for it in an empty project.
 *
 * @param {readonly string[]} archives
 * @param {{ readonly registry: string, readonly manifests: readonly object[] }} options
 */
export async function sizeTable(archives, { registry, manifests }) {
  const lines = await inParallel([...archives.keys()], 2, (index) =>
    withInstalled([manifests[index]], registry, (folder) => {
      const modules = join(folder, 'node_modules');
      const { name } = manifests[index];
      const sizes = [statSync(archives[index]).size, sizeOf(join(modules, name)), sizeOf(modules)];
      return `| \`${name}\` | ${sizes.map(megabytes).join(' | ')} | ${packagesIn(folder)} |\n`;
    }),
  );
  const header = '| Package | Archive | Files | With dependencies | Packages |\n|---|---|---|---|---|\n';
  return `${header}${lines.join('')}`;
}

/** Calls a function with a folder in which npm has installed packages of a registry. */
async function withInstalled(manifests, registry, use) {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-size-'));
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
    const env = { ...process.env, npm_config_registry: registry, npm_config_cache: join(folder, '.cache') };
    const names = manifests.map(({ name, version }) => `${name}@${version}`);
    const args = ['install', '--ignore-scripts', '--no-audit', '--omit=dev', ...names];
    await promisify(execFile)('npm', args, { cwd: folder, env });
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Returns a table in Markdown of the sizes of a program that lists Pods with the client of one group version,
 * bundled and minified by esbuild with all that it imports.
 *
 * @param {{ readonly registry: string, readonly manifests: readonly object[] }} options
 */
export async function bundleTable({ registry, manifests }) {
  const names = ['@kgen/kubernetes', '@kgen/runtime'];
  const chosen = manifests.filter(({ name }) => names.includes(name));
  return withInstalled(chosen, registry, async (folder) => {
    writeFileSync(join(folder, 'main.mjs'), everyPod.single);
    const [whole, parts] = await Promise.all([bundled(folder, false), bundled(folder, true)]);
    const rows = [
      ['in one file', sum(whole, () => true)],
      ['in chunks (`--splitting`): loaded at once', sum(parts, (path) => atOnce(parts).has(path))],
      [
        'in chunks: loaded on demand, such as YAML, exec, OIDC',
        sum(parts, (path) => !atOnce(parts).has(path)),
      ],
      ['share of undici in one file', inputsOf(whole, 'undici')],
    ];
    const lines = rows.map(([name, bytes]) => `| ${name} | ${Math.round(bytes / 1000)} kB |\n`);
    return `| Bundle of a program that lists Pods | Size |\n|---|---|\n${lines.join('')}`;
  });
}

async function bundled(folder, splitting) {
  const { metafile } = await build({
    ...{ absWorkingDir: folder, entryPoints: ['main.mjs'], outdir: 'bundle', write: false, metafile: true },
    ...{ bundle: true, format: 'esm', platform: 'node', minify: true, splitting, logLevel: 'error' },
  });
  return metafile.outputs;
}

/** Returns the paths of the entry and of the chunks that it imports statically. */
function atOnce(outputs) {
  const found = new Set();
  const visit = (path) => {
    if (found.has(path) || outputs[path] === undefined) return;
    found.add(path);
    for (const { path: next, kind } of outputs[path].imports) if (kind !== 'dynamic-import') visit(next);
  };
  visit(Object.keys(outputs).find((path) => outputs[path].entryPoint === 'main.mjs'));
  return found;
}

function sum(outputs, isCounted) {
  const paths = Object.keys(outputs).filter(isCounted);
  return paths.reduce((total, path) => total + outputs[path].bytes, 0);
}

function inputsOf(outputs, part) {
  const inputs = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const own = inputs.filter(([path]) => path.includes(part));
  return own.reduce((total, [, { bytesInOutput }]) => total + bytesInOutput, 0);
}

/**
 * Returns a table in Markdown of the forms in which a package could have readable stack traces.
 *
 * @param {string} from folder of the package
 */
export async function formTable(from) {
  const [published, readable] = await Promise.all([packedScripts(from, false), packedScripts(from, true)]);
  const minified = readable.map(([file, text]) =>
    transformSync(text, { minify: true, sourcemap: 'external', sourcefile: basename(file), format: 'esm' }),
  );
  const total = (texts) => megabytes(texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0));
  const plain = published.map(([, text]) => text);
  const rows = [
    ['published: without comments and indentation, one statement in each line', total(plain)],
    ['with comments and indentation', total(readable.map(([, text]) => text))],
    ['minified: stack traces have neither names nor lines', total(minified.map(({ code }) => code))],
    ['minified, with source maps', total(minified.flatMap(({ code, map }) => [code, map]))],
  ];
  return `| JavaScript of \`${basename(from)}\` | Size |\n|---|---|\n${rows.map(([name, size]) => `| ${name} | ${size} |\n`).join('')}`;
}

async function packedScripts(from, readable) {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-form-'));
  try {
    await packPackage(from, folder, { readable });
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return paths
      .filter((path) => path.endsWith('.js'))
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the size of the files of a folder. npm adds one with the list of the packages. */
function sizeOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== '.package-lock.json');
  const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
  return sizes.reduce((total, size) => total + size, 0);
}

function packagesIn(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  return Object.keys(packages).length;
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
