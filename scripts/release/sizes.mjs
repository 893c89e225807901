// Sizes of archives, of installations, and of the forms in which JavaScript could be published.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';
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
  const lines = await inParallel([...archives.keys()], 2, async (index) => {
    const path = archives[index];
    const { name, version } = manifests[index];
    const folder = mkdtempSync(join(tmpdir(), 'kgen-size-'));
    try {
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
      const env = { ...process.env, npm_config_registry: registry, npm_config_cache: join(folder, '.cache') };
      const args = ['install', '--ignore-scripts', '--no-audit', '--omit=dev', `${name}@${version}`];
      await promisify(execFile)('npm', args, { cwd: folder, env });
      const modules = join(folder, 'node_modules');
      const own = sizeOf(join(modules, name));
      const cells = [statSync(path).size, own.bytes, sizeOf(modules).bytes].map(megabytes);
      return `| \`${name}\` | ${cells.join(' | ')} | ${packagesIn(folder)} |\n`;
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  const header = '| Package | Archive | Files | With dependencies | Packages |\n|---|---|---|---|---|\n';
  return `${header}${lines.join('')}`;
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
  const sum = (texts) => megabytes(texts.reduce((total, text) => total + Buffer.byteLength(text), 0));
  const plain = published.map(([, text]) => text);
  const rows = [
    ['published: without comments and indentation, one statement in each line', sum(plain)],
    ['with comments and indentation', sum(readable.map(([, text]) => text))],
    ['minified: stack traces have neither names nor lines', sum(minified.map(({ code }) => code))],
    ['minified, with source maps', sum(minified.flatMap(({ code, map }) => [code, map]))],
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
  return { bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

function packagesIn(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  return Object.keys(packages).length;
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
