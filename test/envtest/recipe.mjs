import { readFileSync } from 'node:fs';
import { access, copyFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { go } from './go.mjs';

const here = import.meta.dirname;
const kubernetesModule = join(here, 'kubernetes');
const etcdModule = join(here, 'etcd');

/** Programs of a control plane, in build order. */
export const programs = ['kube-apiserver', 'etcd', 'kubectl', 'kube-controller-manager'];

/** Version of Kubernetes whose modules are pinned in this folder. */
export const pinnedVersion = /k8s\.io\/kubernetes v(\S+)/.exec(
  readFileSync(join(kubernetesModule, 'go.mod'), 'utf8'),
)[1];

/**
 * Builds one program into `target`.
 *
 * @param {string} program one of `programs`
 * @param {string} version a Kubernetes version such as `1.36.3`
 * @param {string} target file to write
 * @param {string} folder for the module of a version that is not pinned
 */
export async function build(program, version, target, folder) {
  const module = program === 'etcd' ? etcdModule : await kubernetesModuleFor(version, folder);
  const source = program === 'etcd' ? '.' : `k8s.io/kubernetes/cmd/${program}`;
  const flags = ['-mod=readonly', '-trimpath', '-buildvcs=false', '-ldflags', linkerFlags(program, version)];
  await go(['build', ...flags, '-o', target, source], module);
}

/**
 * Returns the flags that set the version; without them a server reports `v0.0.0-master+…`, which clients
 * cannot parse.
 */
function linkerFlags(program, version) {
  if (program === 'etcd') return '-s -w';
  const [major, minor] = version.split('.');
  const values = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor };
  const set = Object.entries(values).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
  );
  return ['-s -w', ...set].join(' ');
}

async function kubernetesModuleFor(version, folder) {
  if (version === pinnedVersion) return kubernetesModule;
  const module = join(folder, 'module');
  if (!(await exists(module))) await deriveModule(version, folder, module);
  return module;
}

/**
 * Writes the module of a version that is not pinned; its go.sum is stored beside the programs, so that later
 * builds use the same sources.
 */
async function deriveModule(version, folder, module) {
  const work = await mkdtemp(join(folder, 'module-'));
  try {
    await writeFile(join(work, 'go.mod'), await goMod(version, work));
    await copyFile(join(kubernetesModule, 'tools.go'), join(work, 'tools.go'));
    await go(['mod', 'tidy'], work);
    await rename(work, module);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function goMod(version, folder) {
  const download = JSON.parse(
    await go(['mod', 'download', '-json', `k8s.io/kubernetes@v${version}`], folder),
  );
  const upstream = JSON.parse(await go(['mod', 'edit', '-json', download.GoMod], folder));
  return goModText(version, upstream);
}

/**
 * Returns the beginning of a module that requires Kubernetes: `go mod tidy` completes it. Kubernetes replaces
 * its own libraries by folders of its repository, which only works inside of it; each of them is also a
 * module of its own, with the same minor and patch number under major version 0.
 *
 * @param {string} version
 * @param {{ Go: string, GoDebug?: { Key: string, Value: string }[], Replace: { Old: { Path: string }, New: {
 * Path: string } }[] }} upstream output of `go mod edit -json` for the go.mod of Kubernetes
 * @returns {string}
 */
export function goModText(version, upstream) {
  const libraryVersion = version.replace(/^\d+/, '0');
  const libraries = upstream.Replace.filter(({ New }) => New.Path.startsWith('./')).map(
    ({ Old }) => Old.Path,
  );
  return [
    'module kgen.test/envtest/kubernetes\n',
    `go ${upstream.Go}\n`,
    ...(upstream.GoDebug ?? []).map(({ Key, Value }) => `godebug ${Key}=${Value}\n`),
    `require k8s.io/kubernetes v${version}\n`,
    `replace (\n${libraries.map((path) => `\t${path} => ${path} v${libraryVersion}\n`).join('')})\n`,
  ].join('\n');
}

/** Returns true if a file or folder exists. */
export async function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}
