// client-go, the client of controllers in Go: a small program in its own module, built once, for comparison.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { GoError, go } from '../envtest/go.mjs';

/** Returns the path of the program with client-go: see `goProgram`. */
export function clientGoProgram(root) {
  return goProgram(join(root, 'test/bench/client-go'), 'client-go', ['build']);
}

/**
 * Returns the path of a program, which `go COMMAND` builds into a cache folder outside the repository if it
 * is missing. Prints the reason and returns undefined if it cannot be built.
 */
export async function goProgram(module, peer, command) {
  const hash = createHash('sha256');
  for (const name of readdirSync(module).sort()) hash.update(readFileSync(join(module, name)));
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kgen', 'bench', peer);
  const program = join(cache, `program-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(program)) return program;
  mkdirSync(cache, { recursive: true });
  const partial = `${program}.${process.pid}`;
  try {
    await go([...command, '-trimpath', '-o', partial, '.'], module);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    console.log(`without ${peer}: ${error.goIsMissing ? 'Go is not installed' : error.message}`);
    return undefined;
  }
  renameSync(partial, program);
  return program;
}

/** Runs one of its commands once, with the settings as JSON in $SETTINGS, and returns its output. */
export function runClientGo(program, command, settings) {
  const env = { ...process.env, SETTINGS: JSON.stringify(settings) };
  const { status, stdout, stderr } = spawnSync(program, [command], {
    env,
    encoding: 'utf8',
    timeout: 300_000,
  });
  if (status !== 0) throw new Error(`client-go's ${command} ended with ${status}:\n${stderr}`);
  return JSON.parse(stdout);
}

/** Runs its informer once; memory is in MB. */
export function runClientGoInformer(program, settings) {
  const { heapBytes, heapSysBytes, residentBytes, ...times } = runClientGo(program, 'informer', settings);
  const mb = { memoryMb: heapBytes / 1e6, heapSysMb: heapSysBytes / 1e6, residentMb: residentBytes / 1e6 };
  return { ...times, ...mb };
}
