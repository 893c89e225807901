/** The kubectl program of the control plane that tests use. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './emitted.ts';

/** Time limit of a build, in milliseconds. */
export const buildTimeoutMs = 1_200_000;

/**
 * Returns the path of kubectl: in the folder of the control plane's programs or, if `build` is true, built
 * into the cache. Returns undefined if neither exists.
 * @throws if the build fails
 */
export function findKubectl(assets: string, build: boolean): string | undefined {
  const path = join(assets, 'kubectl');
  if (existsSync(path)) return path;
  if (!build) return undefined;
  try {
    const script = join(repository, 'test/envtest/build.mjs');
    const printed = execFileSync(process.execPath, [script, 'kubectl'], {
      encoding: 'utf8',
      timeout: buildTimeoutMs,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return join(printed.trim(), 'kubectl');
  } catch (cause) {
    throw new Error('kubectl is not installed: run `node test/envtest/build.mjs kubectl`', { cause });
  }
}
