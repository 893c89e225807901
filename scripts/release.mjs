#!/usr/bin/env node
// Releases all packages with one version.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { packages } from './pack.mjs';
import { problemsOf, writeBill, writeChecksums } from './release/checks.mjs';
import { environments, nodeOf, sample } from './release/environments.mjs';
import { runMatrix, tableOf, writePage } from './release/matrix.mjs';
import { inParallel } from './release/parallel.mjs';
import { archivesOf, manifestIn, startRegistry } from './release/registry.mjs';
import { bundleTable, formTable, sizeTable } from './release/sizes.mjs';
import { nextVersion, writeVersion } from './release/versions.mjs';

const usage = `usage: npm run release -- --dry-run | --stamp | --publish [options]

--dry-run            the release without its last step: version, changelog, archives, their checks, bills of
                     materials, checksums, and an installation with every package manager, runtime and bundler;
                     changes nothing but FOLDER
--stamp              write the next version and its changelog into the work tree, to be committed
--publish            the same as --dry-run for the version of the work tree, then npm publish with provenance
--out FOLDER         archives, bills of materials, checksums and logs (packed)
--environment NAME   only this environment; may be repeated. --sample: those of .ci/run; --none: none
--page               write docs/environments.md from the results`;

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean' },
    stamp: { type: 'boolean' },
    publish: { type: 'boolean' },
    out: { type: 'string', default: 'packed' },
    environment: { type: 'string', multiple: true },
    sample: { type: 'boolean' },
    none: { type: 'boolean' },
    page: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const modes = [values['dry-run'], values.stamp, values.publish].filter(Boolean);
if (values.help || modes.length !== 1) {
  process.stdout.write(`${usage}\n`);
  process.exit(values.help ? 0 : 2);
}

const print = (text) => void process.stdout.write(text);
const date = new Date().toISOString().slice(0, 10);
const { version, files } = nextVersion(root, { node: nodeOf(24), date });
if (values.publish) checkTag();
if (values.stamp) {
  writeVersion(root, files);
  print(`The work tree is version ${version}: review it, run npm run setup and npm test, and commit it.\n`);
} else {
  const failures = await release();
  for (const failure of failures) print(`failed: ${failure}\n`);
  print(failures.length > 0 ? `${failures.length} problems: nothing is published\n` : publish());
  process.exitCode = failures.length > 0 ? 1 : 0;
}

/** Creates and checks everything that is published, and returns the problems. */
async function release() {
  print(`version ${version}\n`);
  const out = resolve(values.out);
  const archives = await packed(out);
  const found = await inParallel(archives, 1, problemsOf);
  const problems = found.flat();
  print(`${archives.length} archives: ${problems.length} problems\n`);
  if (!values.sample) await describe(archives, out);
  if (values.none) return problems;
  const names = values.sample ? sample : (values.environment ?? environments.map(({ name }) => name));
  const { sample: isSample } = values;
  const rows = await runMatrix(archives, { names, isSample, print, logs: join(out, 'logs') });
  print(`\n${tableOf(rows)}\n\n`);
  if (values.page) await writeResults(archives, rows);
  const failed = rows.flatMap(({ environment, results }) =>
    Object.keys(results).flatMap((step) => (results[step] === 'failed' ? [`${environment}: ${step}`] : [])),
  );
  return [...problems, ...failed];
}

/** Packs each package from a copy, with the manifest of the version. */
async function packed(out) {
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(out)) if (/\.(?:tgz|cdx\.json)$/.test(name)) rmSync(join(out, name));
  const manifests = mkdtempSync(join(tmpdir(), 'kgen-manifests-'));
  try {
    const paths = await inParallel(packages, 2, async (path) => {
      const manifest = join(manifests, path, 'package.json');
      mkdirSync(dirname(manifest), { recursive: true });
      writeFileSync(manifest, files.get(`${path}/package.json`));
      const args = [join(root, 'scripts/pack.mjs'), '--out', out, '--manifest', manifest, join(root, path)];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      return resolve(stdout.trim());
    });
    for (const path of paths) print(`packed ${path}\n`);
    return paths;
  } finally {
    rmSync(manifests, { recursive: true });
  }
}

function billOf(archive) {
  return archive.replace(/\.tgz$/, '.cdx.json');
}

/** Writes the bills of materials and the checksums. */
async function describe(archives, out) {
  await withRegistry(archives, ({ manifests, registry }) =>
    inParallel([...archives.keys()], 2, (index) =>
      writeBill(manifests[index], { registry, file: billOf(archives[index]), manifests }),
    ),
  );
  const published = archives.flatMap((path) => [path, billOf(path)]);
  writeChecksums(published, join(out, 'SHA256SUMS'));
  print(`bills of materials and SHA256SUMS: ${out}\n`);
}

async function writeResults(archives, rows) {
  const tables = await withRegistry(archives, async (options) => [
    await sizeTable(archives, options),
    await bundleTable(options),
    await formTable(join(root, 'src/runtime')),
  ]);
  writePage({ rows, sizes: tables.join('\n') }, { root, version, date });
}

/** Calls a function with the manifests of archives and the URL of a registry that has them. */
async function withRegistry(archives, use) {
  const buffers = archivesOf(archives);
  const manifests = await Promise.all(buffers.map(manifestIn));
  const registry = await startRegistry(buffers);
  try {
    return await use({ manifests, registry: registry.url });
  } finally {
    await registry.close();
  }
}

/** A publication is that of a commit that states its version, and has its tag. */
function checkTag() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const isStamped = [...files].every(([path, text]) => readFileSync(join(root, path), 'utf8') === text);
  const isTagged = git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`);
  if (isStamped && isTagged && git('status', '--porcelain') === '') return;
  print(`--publish needs a clean work tree at the tag v${version}, after --stamp\n`);
  process.exit(1);
}

/** Publishes the archives, in the order of their dependencies, or prints the commands. */
function publish() {
  const commands = packages.map((path) => {
    const { name } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    const file = join(values.out, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
    return ['publish', file, '--provenance', '--access', 'public'];
  });
  if (values['dry-run']) return `dry run of\n${commands.map((args) => `  npm ${args.join(' ')}\n`).join('')}`;
  for (const args of commands) execFileSync('npm', args, { cwd: root, stdio: 'inherit' });
  return `published ${version}\n`;
}
