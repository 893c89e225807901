import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { go } from '../go.mjs';

const here = import.meta.dirname;

/** The newest patch release of each version of Kubernetes from which the table is derived, oldest first. */
export const releases = ['1.31.14', '1.32.13', '1.33.13', '1.34.4', '1.35.4', '1.36.3', '1.37.1'];

const program = ['message.go', 'proto.go', 'main.go'];

const modules = [
  'k8s.io/api',
  'k8s.io/apimachinery',
  'k8s.io/apiextensions-apiserver',
  'k8s.io/kube-aggregator',
];

/** Folders of test types, and of messages that are not JSON objects for users. */
const left = /\/(testapigroup|testing|runtime|schema|api\/resource|intstr)(\/|$)/;

/**
 * Derives the table of one release from its Go types.
 *
 * @param {string} release such as `1.37.1`
 * @param {string} folder of the program; outside of the repository, so that it does not use the packages of
 * the repository
 * @returns {Promise<{ messages: Record<string, { bare?: boolean, fields: { number: number, json: string,
 * type: string, omission: string }[] }>, kinds: { apiVersion: string, kind: string, message: string }[] }>}
 */
export async function derive(release, folder) {
  const module = join(folder, release);
  await mkdir(module, { recursive: true });
  for (const file of [...program, 'go.sum']) await copyFile(join(here, file), join(module, file));
  await writeFile(join(module, 'go.mod'), await moduleText(release));
  await writeFile(join(module, 'packages.go'), await packagesText(module));
  const printed = await go(['run', '-mod=mod', '-trimpath', '.'], module);
  await checkSums(join(module, 'go.sum'));
  return JSON.parse(printed);
}

/** Verifies the modules with the committed checksums. */
async function checkSums(path) {
  const linesOf = async (file) => (await readFile(file, 'utf8')).split('\n');
  const known = new Set(await linesOf(join(here, 'go.sum')));
  const unknown = (await linesOf(path)).filter((line) => !known.has(line));
  if (unknown.length > 0)
    throw new Error(`test/envtest/fields/go.sum lacks these lines:\n${unknown.join('\n')}`);
}

async function moduleText(release) {
  const text = await readFile(join(here, 'go.mod'), 'utf8');
  return text.replace(/^(\t?k8s\.io\/\S+) v\S+$/gm, `$1 v${release.replace(/^\d+/, '0')}`);
}

/**
 * Returns the source of packages.go: every package with messages, the registration of its kinds, and its
 * messages.
 */
async function packagesText(module) {
  const downloads = await go(['mod', 'download', '-json', ...modules], module);
  const folders = new Map(
    [...downloads.matchAll(/"Path": "(.*)"[^}]*?"Dir": "(.*)"/g)].map(([, path, folder]) => [path, folder]),
  );
  const packages = [];
  for (const [path, folder] of folders) packages.push(...(await packagesBelow(path, folder)));
  const imports = packages.map(({ path }, index) => `\tp${index} ${JSON.stringify(path)}`);
  const entries = packages.map(({ path, folder, messages, registers }, index) => {
    const types = messages.map((name) => `reflect.TypeFor[p${index}.${name}]()`);
    const fields = [path, folder].map((text) => JSON.stringify(text));
    return `\t{${fields.join(', ')}, ${registers ? `p${index}.AddToScheme` : 'nil'}, []reflect.Type{${types.join(', ')}}},`;
  });
  return [
    'package main',
    `import (\n\t"reflect"\n\n${imports.join('\n')}\n)`,
    `var sources = []source{\n${entries.join('\n')}\n}`,
    '',
  ].join('\n\n');
}

async function packagesBelow(module, folder) {
  const paths = await readdir(folder, { recursive: true });
  const found = paths.filter((path) => path.endsWith('/generated.pb.go') && !left.test(dirname(path))).sort();
  return Promise.all(
    found.map((path) => readPackage(`${module}/${dirname(path)}`, join(folder, dirname(path)))),
  );
}

async function readPackage(path, folder) {
  const text = await readFile(join(folder, 'generated.pb.go'), 'utf8');
  const messages = [...text.matchAll(/^func \(m \*?(\w+)\) Marshal\(\)/gm)].map(([, name]) => name);
  const register = await readFile(join(folder, 'register.go'), 'utf8');
  return { path, folder, messages, registers: /^\s+AddToScheme\s+=/m.test(register) };
}
