// Checks of archives before their publication, and the files that are published beside them.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import ts from 'typescript';
import { peerFolder } from '../../test/support/peer.mjs';

const run = promisify(execFile);

/** Programs that check archives: their package, version and path, and their options. */
const linters = [
  { name: 'publint', version: '0.3.25', path: 'src/cli.js', options: ['--strict'] },
  {
    name: '@arethetypeswrong/cli',
    version: '0.18.5',
    path: 'dist/index.js',
    // Packages are ES modules: Node.js loads them with require() from 20.19, which the profile does not know.
    options: ['--profile', 'esm-only', '--format', 'ascii', '--no-emoji'],
  },
];

/**
 * Returns the problems of an archive: imports that its manifest does not declare, and those of publint and of
 * "Are the types wrong?".
 *
 * @param {string} path
 */
export async function problemsOf(path) {
  const undeclared = (await undeclaredImports(readFileSync(path))).map(
    ({ file, name }) => `${file} imports ${name}, which package.json does not declare`,
  );
  const found = linters.map(({ name, version, path: program, options }) => {
    const folder = peerFolder(name, version);
    if (folder === undefined) return [`${name} cannot be installed`];
    const args = [join(folder, 'node_modules', name, program), path, ...options, ...ignored(name, path)];
    return outputOfFailure(process.execPath, args);
  });
  return [...undeclared, ...(await Promise.all(found)).flat()];
}

/** Entry points without declarations: those of programs. */
function ignored(linter, path) {
  if (linter !== '@arethetypeswrong/cli') return [];
  if (/\/kgen-\d/.test(path)) return ['--exclude-entrypoints', './cli', './renames.json'];
  return /testserver/.test(path) ? ['--exclude-entrypoints', './command'] : [];
}

/**
 * Returns the imports of packages that neither `dependencies` nor `peerDependencies` of a package contain:
 * strict package managers do not find them.
 *
 * @param {Buffer} archive
 */
export async function undeclaredImports(archive) {
  const entries = await unpackTar(gunzipSync(archive));
  const textOf = ({ data }) => new TextDecoder().decode(data);
  const manifest = JSON.parse(textOf(entries.find(({ header }) => header.name === 'package/package.json')));
  const { name, dependencies = {}, peerDependencies = {} } = manifest;
  const declared = new Set([name, ...Object.keys(dependencies), ...Object.keys(peerDependencies)]);
  return entries
    .filter(({ header }) => /\.(?:[cm]?js|d\.[cm]?ts)$/.test(header.name))
    .flatMap((entry) => {
      const { importedFiles } = ts.preProcessFile(textOf(entry), true, true);
      const names = new Set(importedFiles.flatMap(({ fileName }) => packageName(fileName)));
      const file = entry.header.name.slice('package/'.length);
      return [...names].filter((each) => !declared.has(each)).map((each) => ({ file, name: each }));
    });
}

/** Returns the package of a specifier: of none for a path, a URL and a module of Node.js. */
function packageName(specifier) {
  if (/^(?:[./#]|\w+:)/.test(specifier) || builtinModules.includes(specifier)) return [];
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** Returns the output of a program that fails. */
async function outputOfFailure(file, args) {
  try {
    await run(file, args);
    return [];
  } catch (error) {
    return [`${basename(args[0])}: ${error.stdout}${error.stderr}`];
  }
}

/**
 * Writes the software bill of materials of a package in the format of CycloneDX, with the versions of all its
 * dependencies that npm installs today, and the packages that those of this release contain.
 *
 * @param {{ readonly name: string, readonly version: string }} manifest
 * @param {{ readonly registry: string, readonly file: string, readonly manifests: readonly object[] }} options
 *   `manifests`: those of all packages of the release
 */
export async function writeBill({ name, version }, { registry, file, manifests }) {
  const parent = mkdtempSync(join(tmpdir(), 'kgen-sbom-'));
  try {
    // npm names the subject of the bill by its folder.
    const folder = join(parent, basename(file, '.cdx.json'));
    mkdirSync(folder);
    const project = { name: basename(name), version, private: true, dependencies: { [name]: version } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
    const env = { ...process.env, npm_config_registry: registry };
    const npm = (...args) => run('npm', args, { cwd: folder, env, maxBuffer: 1e8 });
    await npm('install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--omit=dev');
    const bill = await npm('sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx');
    writeFileSync(file, `${JSON.stringify(withContained(JSON.parse(bill.stdout), manifests), null, 2)}\n`);
  } finally {
    rmSync(parent, { recursive: true });
  }
}

/** Returns a bill with the packages that components of the release contain as modules. */
export function withContained(bill, manifests) {
  const components = bill.components.map((component) => {
    const { contains = {} } = manifests.find(({ name }) => component.purl.includes(purlOf(name, ''))) ?? {};
    const own = Object.entries(contains).map(([name, version]) => ({
      'bom-ref': `${component['bom-ref']}|${name}@${version}`,
      type: 'library',
      name,
      version,
      purl: purlOf(name, version),
    }));
    return own.length === 0 ? component : { ...component, components: own };
  });
  return { ...bill, components };
}

function purlOf(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** Writes the SHA-256 of files, as `sha256sum --check` reads them. */
export function writeChecksums(paths, file) {
  const lines = paths.map((path) => {
    const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
    return `${hash}  ${basename(path)}\n`;
  });
  writeFileSync(file, lines.join(''));
}
