/** Programs that scripts of this folder build into the cache. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { folder } from '../folder.ts';

/** Limit of a build, in milliseconds. */
const limitMs = 2_400_000;

/** Runs a build script and returns the path that it prints. */
export async function buildProgram(script: string, args: readonly string[] = []): Promise<string> {
  const path = join(folder, script);
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args], { timeout: limitMs });
  return stdout.trim();
}
