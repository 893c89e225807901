#!/usr/bin/env node
// Builds the Go program for comparisons of protobuf, once for each state of its sources, into a cache folder
// outside the repository. Prints its path.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { GoError, go, stopGo } from '../envtest/go.mjs';
import { withLock } from '../envtest/lock.mjs';
import { exists } from '../envtest/recipe.mjs';

const source = join(import.meta.dirname, 'go');

const usage = `usage: node test/protobuf/build.mjs [--optional]

Builds the Go program that protobuf is compared with, if it is not there yet, and prints its path.
--optional  without Go: print nothing and end with code 0
Exit codes: 0 done, 1 the build failed, 2 wrong usage.`;

const say = (line) => process.stderr.write(`protobuf: ${line}\n`);

/** Returns a hash of the sources and of the modules that they use. */
async function fingerprint() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of (await readdir(source)).sort())
    hash.update(file).update(await readFile(join(source, file)));
  return hash.digest('hex').slice(0, 16);
}

async function compile(target) {
  const partial = `${target}.${process.pid}`;
  const started = Date.now();
  say('building the Go program (a minute or two the first time)');
  try {
    const flags = ['-mod=readonly', '-trimpath', '-buildvcs=false', '-ldflags', '-s -w'];
    await go(['build', ...flags, '-o', partial, '.'], source);
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
  say(`it is ready after ${Math.round((Date.now() - started) / 1000)} s`);
}

async function build() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'kgen', 'protobuf');
  const target = join(folder, await fingerprint());
  if (await exists(target)) return target;
  await mkdir(folder, { recursive: true });
  const onWait = () => say('another process is building it: waiting');
  await withLock(
    `${target}.lock`,
    async () => {
      if (!(await exists(target))) await compile(target);
    },
    { onWait },
  );
  return target;
}

function parse() {
  try {
    return parseArgs({ options: { optional: { type: 'boolean' }, help: { type: 'boolean' } } }).values;
  } catch (error) {
    say(`${error.message}\n${usage}`);
    process.exit(2);
  }
}

const options = parse();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stopGo);
try {
  process.stdout.write(`${options.help ? usage : await build()}\n`);
} catch (error) {
  say(error.message);
  process.exitCode = options.optional && error instanceof GoError && error.goIsMissing ? 0 : 1;
}
