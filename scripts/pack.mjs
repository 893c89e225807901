#!/usr/bin/env node
// Packs the packages as they are published, each from a copy of its files. JavaScript loses its comments and
// indentation, as users read the declarations beside it; its lines, statements and names remain, for stack
// traces. Declarations that no entry point of a package refers to are removed, and links of its README lead
// to the repository.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeBundledModules } from './bundled.mjs';
import { compactScript } from './compact-script.mjs';
import { embedElectionWorker } from './election-worker.mjs';
import { mergeModules } from './merge-modules.mjs';
import { keepPublicDeclarations } from './public-declarations.mjs';
import { buildViewPage } from './view-page.mjs';

const usage = `usage: node scripts/pack.mjs [--out FOLDER] [--unpacked] [PACKAGE ...]

Writes the archive of each package, a folder such as src/runtime, into FOLDER (packed). All unless some are given.
--unpacked   write its files into FOLDER instead of an archive; needs one PACKAGE
--readable   keep comments, indentation and all declarations
--manifest   package.json in place of the one of the package; needs one PACKAGE`;

const root = fileURLToPath(new URL('..', import.meta.url));

/** Packages in the order of their dependencies. */
export const packages = [
  'src/certificates',
  'src/runtime',
  'src/controller',
  'generated/kubernetes',
  'src/schema',
  'src/testserver',
  'src/kgen',
  'src/testing',
  'src/create-kgen',
];

/** Steps that a package needs to work, besides those of all. */
const steps = {
  '@kgen/runtime': ({ dist }) => embedElectionWorker(dist),
  kgen: ({ dist }) => buildViewPage(dist),
};

/** The generated package: each module is public, and is written as it is published. */
const generated = '@kgen/kubernetes';

/** Packages whose modules are joined: those that operators load. Others load files beside their modules. */
const joined = new Set(['@kgen/runtime', '@kgen/controller']);

/**
 * Copies the published files of a package to a folder, and prepares the copy.
 *
 * @param {string} from folder of the package
 * @param {string} to
 * @param {{ readonly readable?: boolean | undefined, readonly manifest?: string | undefined }} options
 *   `manifest`: path of a package.json in place of the one of the package
 */
export async function packPackage(from, to, { readable = false, manifest: path } = {}) {
  copyPublished(from, to, manifestOf(from));
  if (path !== undefined) cpSync(path, join(to, 'package.json'));
  const manifest = manifestOf(to);
  rewrite(join(to, 'README.md'), (text) => withLinks(text, manifest));
  const dist = join(to, 'dist');
  if (!existsSync(dist)) return;
  await steps[manifest.name]?.({ dist });
  if (joined.has(manifest.name)) {
    await mergeModules(to);
    await writeBundledModules(to);
  }
  if (readable) return;
  if (manifest.name === generated) return writeKubernetes(dist);
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((path) => join(dist, path));
  const declarations = files.filter((path) => path.endsWith('.d.ts'));
  keepPublicDeclarations(to, declarations);
  for (const file of declarations.filter((path) => existsSync(path))) rewrite(file, compactDeclarations);
  const bundled = join(dist, 'bundled/');
  const scripts = files.filter((path) => path.endsWith('.js') && !path.startsWith(bundled));
  for (const file of scripts) rewrite(file, compactScript);
}

/** Copies what `files` of the manifest lists, which are files, folders and patterns in `dist`. */
function copyPublished(from, to, { files }) {
  const whole = files.filter((path) => !path.includes('*'));
  for (const path of ['package.json', 'LICENSE', 'README.md', ...whole]) {
    if (existsSync(join(from, path))) cpSync(join(from, path), join(to, path), { recursive: true });
  }
  if (whole.length === files.length) return;
  for (const path of readdirSync(join(from, 'dist'), { recursive: true, encoding: 'utf8' }))
    if (/\.(js|d\.ts)$/.test(path)) cpSync(join(from, 'dist', path), join(to, 'dist', path));
}

function writeKubernetes(dist) {
  rmSync(dist, { recursive: true });
  const args = [join(root, 'scripts/kubernetes.mjs'), '--packed', '--out', dist];
  execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

/**
 * Returns a README whose links to files of the repository are those of the version, wherever it is displayed.
 *
 * @param {string} text
 * @param {{ readonly version: string, readonly repository: Readonly<Record<string, string>> }} manifest
 */
export function withLinks(text, { repository, version }) {
  const base = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/v${version}/`;
  return text.replace(
    /\]\((\.\.?\/[^)]+)\)/g,
    (_, path) => `](${base}${posix.join(repository.directory, path)})`,
  );
}

/** Returns a declaration file with tabs, which editors show with any width, and none in comments. */
function compactDeclarations(text) {
  const outdented = text.replace(/^[ \t]*\/\*\*\n(?:.*\n)*?.*\*\//gm, (comment) =>
    comment.replace(/\n[ \t]*\*/g, '\n*'),
  );
  return outdented.replace(/^(?: {4})+(?=\S)/gm, (spaces) => '\t'.repeat(spaces.length / 4));
}

function rewrite(file, change) {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Writes the archive of a package, and returns its path. */
async function archive(from, out, options) {
  const copy = mkdtempSync(join(tmpdir(), 'kgen-pack-'));
  try {
    await packPackage(from, copy, options);
    const bin = join(copy, 'bin');
    if (existsSync(bin)) for (const file of readdirSync(bin)) chmodSync(join(bin, file), 0o755);
    mkdirSync(out, { recursive: true });
    const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', out];
    const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: copy, encoding: 'utf8' }));
    return join(out, basename(filename));
  } finally {
    rmSync(copy, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string', default: 'packed' },
      unpacked: { type: 'boolean' },
      readable: { type: 'boolean' },
      manifest: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const chosen = positionals.length === 0 ? packages.map((path) => join(root, path)) : positionals;
  const isSingle = values.unpacked || values.manifest !== undefined;
  if (values.help || (isSingle && positionals.length !== 1)) {
    process.stdout.write(`${usage}\n`);
    process.exit(values.help ? 0 : 2);
  }
  const out = resolve(values.out);
  for (const from of chosen) {
    if (values.unpacked) await packPackage(from, out, values);
    else console.log(relative('.', await archive(from, out, values)));
  }
}
