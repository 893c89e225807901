// Prints a table of the files and lines of an operator's project for one kind: of kgen, of kubebuilder (built
// with Go) and of Pepr (from npm). A tool that cannot be installed is left out, with the reason.
// Usage: node scripts/project-sizes.mjs, after npm run setup
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { peerFolder } from '../test/support/peer.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const kubebuilderVersion = 'v4.15.0';
const peprVersion = '1.1.4';

/** Runs a program; throws with its output if it fails. */
function run(program, args, cwd, env = {}) {
  const options = { cwd, encoding: 'utf8', env: { ...process.env, ...env } };
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  if (status === 0) return;
  throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stdout + stderr}`);
}

/** Returns the files of a project and their lines, without packages, repositories and lock files. */
function filesOf(folder) {
  const skipped = /^(node_modules|\.git|bin)(\/|$)|(^|\/)(go\.sum|package-lock\.json)$/;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'))
    .filter((path) => !skipped.test(path))
    .map((path) => ({ path, lines: readFileSync(join(folder, path), 'utf8').split('\n').length - 1 }));
}

/** Returns a row of the table, of the files of the author and those that the tool writes. */
function row(tool, files, isWritten) {
  const parts = [false, true].map((written) => files.filter(({ path }) => isWritten(path) === written));
  const lines = (list) => list.reduce((sum, file) => sum + file.lines, 0);
  const [own, written] = parts.map((list) => ({ files: list.length, lines: lines(list) }));
  return `| ${tool} | ${own.files} | ${own.lines} | ${written.files} | ${written.lines} |`;
}

function kgen(folder) {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const bin = join(root, 'src/kgen/bin/kgen.js');
  const api = ['create', 'api', '--group', 'samplecontroller', '--version', 'v1alpha1', '--kind', 'Foo'];
  for (const args of [['init', 'foo-operator', '--domain', 'c9g.io'], api, []])
    run(process.execPath, [bin, ...args], folder);
  rmSync(join(folder, 'node_modules'));
  return row('kgen', filesOf(folder), (path) => /^(config|generated|\.kgen)\//.test(path));
}

function kubebuilder(folder) {
  const bin = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kgen', 'bench', 'kubebuilder');
  mkdirSync(bin, { recursive: true });
  const module = `sigs.k8s.io/kubebuilder/v4@${kubebuilderVersion}`;
  const env = { GOBIN: bin, GOFLAGS: '-mod=mod' };
  run('go', ['install', module], folder, env);
  const program = join(bin, 'kubebuilder');
  run(program, ['init', '--domain', 'c9g.io', '--repo', 'example.com/foo-operator'], folder, env);
  const names = ['--group', 'samplecontroller', '--version', 'v1alpha1', '--kind', 'Foo'];
  run(program, ['create', 'api', ...names, '--resource', '--controller', '--make=false'], folder, env);
  run('make', ['generate', 'manifests'], folder, env);
  const isWritten = (path) => /zz_generated|^config\/(crd\/bases|rbac\/role\.yaml)|^PROJECT$/.test(path);
  return row(`kubebuilder ${kubebuilderVersion}`, filesOf(folder), isWritten);
}

function pepr(folder) {
  const installed = peerFolder('pepr', peprVersion);
  if (installed === undefined) throw new Error('npm could not install it');
  const names = ['--name', 'foo-operator', '--description', 'Foo', '--error-behavior', 'reject'];
  const program = join(installed, 'node_modules/.bin/pepr');
  run(program, ['init', '--yes', '--skip-post-init', '--uuid', 'foo-operator', ...names], folder);
  return row(`Pepr ${peprVersion}`, filesOf(folder), () => false);
}

console.log('| Project | Files of the author | Lines | Files that the tool writes | Lines |');
console.log('|---|---|---|---|---|');
for (const measure of [kgen, kubebuilder, pepr]) {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-sizes-'));
  try {
    console.log(measure(folder));
  } catch (cause) {
    console.error(`without ${measure.name}: ${cause.message}`);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
