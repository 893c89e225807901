#!/usr/bin/env node
// Builds a Kubernetes control plane for tests, once, into a cache folder outside the repository.
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { GoError, stopGo } from './go.mjs';
import { withLock } from './lock.mjs';
import { build, exists, pinnedVersion, programs } from './recipe.mjs';

const usage = `usage: node test/envtest/build.mjs [options] [program…]

Builds the programs that are not there yet and prints the folder that holds them.
program                ${programs.join(', ')}
                       (default: all but kube-controller-manager)
--controller-manager   kube-controller-manager besides them
--version X.Y.Z        Kubernetes version (default: ${pinnedVersion}, the one that is pinned here)
--optional             without Go: say so and end with code 0
--end-with-stdin       give up when standard input is closed

A folder in KUBEBUILDER_ASSETS that holds all of the programs is taken as it is, unless a version is named.
Exit codes: 0 done, 1 the build failed, 2 wrong usage.`;

const interrupted = new AbortController();

const print = (line) => process.stderr.write(`envtest: ${line}\n`);

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      version: { type: 'string' },
      'controller-manager': { type: 'boolean' },
      optional: { type: 'boolean' },
      'end-with-stdin': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const unknown = positionals.filter((name) => !programs.includes(name));
  if (unknown.length > 0) throw new TypeError(`no such program: ${unknown.join(', ')}`);
  if (values.version !== undefined && !/^\d+\.\d+\.\d+$/.test(values.version)) {
    throw new TypeError(`--version must be like 1.36.3, not ${JSON.stringify(values.version)}`);
  }
  const expected = positionals.length > 0 ? positionals : programs.slice(0, 3);
  if (values['controller-manager']) expected.push('kube-controller-manager');
  return { ...values, expected: programs.filter((name) => expected.includes(name)) };
}

async function missing(expected, folder) {
  const there = await Promise.all(expected.map((name) => exists(join(folder, name))));
  return expected.filter((_, index) => !there[index]);
}

async function buildAll(expected, version, folder) {
  for (const program of await missing(expected, folder)) {
    interrupted.signal.throwIfAborted();
    print(`building ${program} for Kubernetes ${version} (minutes the first time, on few cores)`);
    const started = Date.now();
    const partial = join(folder, `.${program}.${process.pid}`);
    try {
      await build(program, version, partial, folder);
      await rename(partial, join(folder, program));
    } finally {
      await rm(partial, { force: true });
    }
    print(`${program} is ready after ${Math.round((Date.now() - started) / 1000)} s`);
  }
}

async function ensure(expected, version, folder) {
  if ((await missing(expected, folder)).length === 0) return;
  await mkdir(folder, { recursive: true });
  const onWait = () => print(`another process is building in ${folder}: waiting for it`);
  await withLock(`${folder}.lock`, () => buildAll(expected, version, folder), {
    onWait,
    signal: interrupted.signal,
  });
}

/** Returns the folder in KUBEBUILDER_ASSETS if it has every required program. */
async function suppliedFolder(expected, version) {
  const supplied = process.env.KUBEBUILDER_ASSETS;
  if (!supplied || version !== undefined) return undefined;
  return (await missing(expected, supplied)).length === 0 ? supplied : undefined;
}

async function assetsFolder({ expected, version }) {
  const supplied = await suppliedFolder(expected, version);
  if (supplied) return supplied;
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'kgen', 'envtest', version ?? pinnedVersion);
  await ensure(expected, version ?? pinnedVersion, folder);
  return folder;
}

function giveUp() {
  interrupted.abort(new Error('interrupted'));
  stopGo();
}

async function main(options) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, giveUp);
  if (options['end-with-stdin']) {
    process.stdin.resume().once('end', giveUp);
    process.stdin.unref?.();
  }
  try {
    process.stdout.write(`${await assetsFolder(options)}\n`);
  } catch (error) {
    const goIsMissing = error instanceof GoError && error.goIsMissing;
    const advice = goIsMissing && options.version === undefined ? otherwise : '';
    print(interrupted.signal.aborted ? 'interrupted' : `${error.message}${advice}`);
    process.exitCode = options.optional && goIsMissing ? 0 : 1;
  }
}

const otherwise = ', or set KUBEBUILDER_ASSETS to a folder that holds kube-apiserver and etcd';

function parse() {
  try {
    return readArguments();
  } catch (error) {
    print(`${error.message}\n${usage}`);
    process.exit(2);
  }
}

const options = parse();
if (options.help) process.stdout.write(`${usage}\n`);
else await main(options);
