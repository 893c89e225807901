/** Runs kubectl on separate kubeconfigs, isolated from those of the machine. */
import { execFileSync, spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { findAssets } from '../../src/testing/controlplane/build/assets.ts';
import { ControlPlaneUnavailableError } from '../../src/testing/controlplane/errors.ts';
import { findKubectl } from '../support/kubectl.ts';

const nothingSkipped = process.env['KGEN_NOTHING_SKIPPED'] !== undefined;

function assetsFolder(): string | undefined {
  try {
    return findAssets({}).servers.folder;
  } catch (error) {
    if (error instanceof ControlPlaneUnavailableError) return undefined;
    throw error;
  }
}

/** Returns the path of kubectl; undefined if it is not available. */
export function pathOfKubectl(): string | undefined {
  const folder = assetsFolder();
  return folder === undefined ? undefined : findKubectl(folder, nothingSkipped);
}

/** Returns the title of tests that need kubectl, with the reason if they are skipped. */
export function titled(title: string): string {
  if (pathOfKubectl() !== undefined) return title;
  return `${title} (kubectl is not installed: \`node test/envtest/build.mjs kubectl\` builds it)`;
}

function environment(folder: string, files: readonly string[]): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: folder,
    KUBECONFIG: files.map((file) => join(folder, file)).join(delimiter),
  };
}

/** Runs kubectl in a folder, with some of its files, and returns the output. Throws if it fails. */
export function kubectl(
  path: string,
  folder: string,
  files: readonly string[],
  args: readonly string[],
): string {
  return execFileSync(path, args, {
    cwd: folder,
    env: environment(folder, files),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 30_000,
  });
}

/** Returns its output, parsed as JSON. */
export function kubectlJson(
  path: string,
  folder: string,
  files: readonly string[],
  args: readonly string[],
): unknown {
  return JSON.parse(kubectl(path, folder, files, [...args, '-o', 'json']));
}

/** Runs kubectl without blocking this process, which may contain a server, and returns its standard error. */
export async function kubectlMeanwhile(
  path: string,
  folder: string,
  files: readonly string[],
  args: readonly string[],
): Promise<string> {
  const child = spawn(path, args, {
    cwd: folder,
    env: environment(folder, files),
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 30_000,
  });
  child.stderr.setEncoding('utf8');
  const pieces: string[] = [];
  child.stderr.on('data', (piece: string) => pieces.push(piece));
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return pieces.join('');
}
