// Builds Go programs of tests, once for each state of their sources, into a cache folder outside the
// repository.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { GoError, go, stopGo } from './go.mjs';
import { withLock } from './lock.mjs';
import { exists } from './recipe.mjs';

/**
 * Command line of a script that builds a Go program and prints its path.
 *
 * @param {{ name: string, source: string, usage: string }} program folder of the cache, folder of the sources
 */
export async function main({ name, source, usage }) {
  const print = (line) => process.stderr.write(`${name}: ${line}\n`);
  const options = parse(print, usage);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stopGo);
  try {
    process.stdout.write(`${options.help ? usage : await build(name, source, print)}\n`);
  } catch (error) {
    print(error.message);
    process.exitCode = options.optional && error instanceof GoError && error.goIsMissing ? 0 : 1;
  }
}

function parse(print, usage) {
  try {
    return parseArgs({ options: { optional: { type: 'boolean' }, help: { type: 'boolean' } } }).values;
  } catch (error) {
    print(`${error.message}\n${usage}`);
    process.exit(2);
  }
}

async function build(name, source, print) {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'kgen', name);
  const target = join(folder, await fingerprint(source));
  if (await exists(target)) return target;
  await mkdir(folder, { recursive: true });
  const onWait = () => print('another process is building it: waiting');
  await withLock(
    `${target}.lock`,
    async () => {
      if (!(await exists(target))) await compile(source, target, print);
    },
    { onWait },
  );
  return target;
}

/** Returns a hash of the sources and of the modules that they use. */
async function fingerprint(source) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  const entries = await readdir(source, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  for (const file of files.sort()) hash.update(file).update(await readFile(join(source, file)));
  return hash.digest('hex').slice(0, 16);
}

async function compile(source, target, print) {
  const partial = `${target}.${process.pid}`;
  const started = Date.now();
  print('building the Go program (a minute or two the first time)');
  try {
    const flags = ['-mod=readonly', '-trimpath', '-buildvcs=false', '-ldflags', '-s -w'];
    await go(['build', ...flags, '-o', partial, '.'], source);
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
  print(`it is ready after ${Math.round((Date.now() - started) / 1000)} s`);
}
