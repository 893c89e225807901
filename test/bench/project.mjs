// A user's project, with the packages as they are published: manifests and dist, no sources.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Creates a folder with @kgen/runtime and, if `kubernetes` is its built dist, @kgen/kubernetes. */
export function makeProject({ root, folder, kubernetes }) {
  const project = mkdtempSync(join(folder, 'project-'));
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, '@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types', 'undici']) {
    symlinkSync(realpathSync(join(root, 'node_modules', name)), join(modules, name));
  }
  pack(root, 'src/runtime', join(modules, '@kgen/runtime'));
  if (kubernetes !== undefined) {
    addPackage(modules, '@kgen/kubernetes', join(root, 'generated/kubernetes/package.json'), kubernetes);
  }
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  return project;
}

/** Adds @kgen/controller to a project, with its dependencies. */
export function addController({ root, project }) {
  const modules = join(project, 'node_modules');
  for (const name of ['prom-client', '@opentelemetry', 'tdigest', 'bintrees']) {
    symlinkSync(realpathSync(join(root, 'node_modules', name)), join(modules, name));
  }
  pack(root, 'src/certificates', join(modules, '@kgen/certificates'));
  pack(root, 'src/controller', join(modules, '@kgen/controller'));
}

function pack(root, path, to) {
  const args = [join(root, 'scripts/pack.mjs'), '--unpacked', '--out', to, join(root, path)];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${path} could not be packed:\n${stderr}`);
}

function addPackage(modules, name, manifest, dist) {
  const target = join(modules, name);
  mkdirSync(target, { recursive: true });
  cpSync(manifest, join(target, 'package.json'));
  // As published: without the compiler's build information.
  cpSync(dist, join(target, 'dist'), { recursive: true, filter: (path) => !path.endsWith('.tsbuildinfo') });
}

/** Creates a folder with client-node and its dependencies, from the folder where npm installed it. */
export function makeClientNodeProject({ folder, installed }) {
  const project = mkdtempSync(join(folder, 'client-node-'));
  symlinkSync(join(installed, 'node_modules'), join(project, 'node_modules'));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  return project;
}

/** Builds @kgen/kubernetes as it is published, with full descriptions, and returns its dist. */
export function packKubernetes({ root, folder }) {
  const dist = join(folder, 'kubernetes');
  const args = [join(root, 'scripts/kubernetes.mjs'), '--packed', '--out', dist];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`@kgen/kubernetes could not be built:\n${stdout}${stderr}`);
  return dist;
}
