#!/usr/bin/env node
// Builds suites of controller-runtime, each as a program, and prints the folder of its sources, in which each
// suite finds its files. `specs/NAME` there is the program of the package `pkg/NAME`, with dots for slashes.
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { go, stopGo } from '../envtest/go.mjs';
import { withLock } from '../envtest/lock.mjs';
import { exists } from '../envtest/recipe.mjs';

const version = 'v0.24.1';
/** Hash of the module, as go.sum has it. */
const sum = 'h1:miPEwrmirImAvgME1L9qebGHrOnGJoVmVdtOU9fRfo4=';
const usage = `usage: node test/k8s-e2e/build-controller-runtime.mjs [--list] [SUITE...]

Builds the suites of controller-runtime ${version} (default: all, in about ten minutes on two cores), unless
they are there already, and prints the folder of its sources.
--list  builds nothing and prints the names of the suites
Exit codes: 0 done, 1 a build failed, 2 wrong usage.`;

const print = (line) => process.stderr.write(`controller-runtime: ${line}\n`);
const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const folder = join(cache, 'kgen', 'controller-runtime', version);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stopGo);

async function run() {
  const options = { list: { type: 'boolean' }, help: { type: 'boolean' } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) return usage;
  await mkdir(dirname(folder), { recursive: true });
  const onWait = () => print('another process is building: waiting');
  return await withLock(
    `${folder}.lock`,
    async () => {
      if (!(await exists(folder))) await download();
      const suites = await suitesOf(join(folder, 'pkg'));
      if (values.list) return suites.join('\n');
      for (const suite of positionals.length > 0 ? positionals : suites) await compile(suite);
      return folder;
    },
    { onWait },
  );
}

/** Copies the sources from the cache of modules, in which nothing can be written. */
async function download() {
  const module = `sigs.k8s.io/controller-runtime@${version}`;
  const { Dir, Sum } = JSON.parse(await go(['mod', 'download', '-json', module], import.meta.dirname));
  if (Sum !== sum) throw new Error(`the hash of ${module} is ${Sum}, but ${sum} is expected`);
  const partial = `${folder}.${process.pid}`;
  try {
    await cp(Dir, partial, { recursive: true });
    await makeWritable(partial);
    await rename(partial, folder);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function makeWritable(path) {
  const { mode } = await stat(path);
  await chmod(path, mode | 0o200);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) await makeWritable(child);
    else await chmod(child, (await stat(child)).mode | 0o200);
  }
}

async function compile(suite) {
  const program = join(folder, 'specs', suite);
  if (await exists(program)) return;
  print(`building ${suite}`);
  const flags = ['-trimpath', '-ldflags', '-s -w'];
  const partial = `${program}.partial`;
  await go(['test', '-c', ...flags, '-o', partial, '.'], join(folder, 'pkg', ...suite.split('.')));
  await rename(partial, program);
}

/** Returns the names of the packages with specs of Ginkgo. */
async function suitesOf(root) {
  const entries = await readdir(root, { withFileTypes: true, recursive: true });
  const names = new Set();
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith('_test.go')) continue;
    if ((await readFile(join(entry.parentPath, entry.name), 'utf8')).includes('RunSpecs('))
      names.add(relative(root, entry.parentPath).replaceAll('/', '.'));
  }
  return [...names].sort();
}

try {
  process.stdout.write(`${await run()}\n`);
} catch (error) {
  print(error.code?.startsWith('ERR_PARSE_ARGS') ? `${error.message}\n${usage}` : error.message);
  process.exitCode = error.code?.startsWith('ERR_PARSE_ARGS') ? 2 : 1;
}
