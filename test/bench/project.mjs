// A user's project, with the packages as they are published: manifests and dist, no sources.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Creates a folder with @kgen/runtime and, if `kubernetes` is its built dist, @kgen/kubernetes. */
export function makeProject({ root, folder, kubernetes }) {
  const project = mkdtempSync(join(folder, 'project-'));
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, '@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types', 'undici', 'yaml', 'oauth4webapi']) {
    symlinkSync(realpathSync(join(root, 'node_modules', name)), join(modules, name));
  }
  const runtime = join(root, 'src/runtime');
  addPackage(modules, '@kgen/runtime', join(runtime, 'package.json'), join(runtime, 'dist'));
  prepare(root, join(modules, '@kgen/runtime/dist'));
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
  const certificates = join(root, 'src/certificates');
  addPackage(modules, '@kgen/certificates', join(certificates, 'package.json'), join(certificates, 'dist'));
  const controller = join(root, 'src/controller');
  addPackage(modules, '@kgen/controller', join(controller, 'package.json'), join(controller, 'dist'));
  prepare(root, join(modules, '@kgen/controller/dist'));
}

function prepare(root, dist) {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/prepare-package.mjs'), dist], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${dist} could not be prepared:\n${stderr}`);
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
