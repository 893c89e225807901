import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ControlPlaneStartError, startControlPlane } from './controlplane.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kgen-test-'));
  mkdirSync(join(folder, 'tmp'));
  vi.stubEnv('KUBEBUILDER_ASSETS', folder);
  vi.stubEnv('TMPDIR', join(folder, 'tmp'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Replaces the programs by shell scripts that record their arguments. */
function programs(apiServer: string): void {
  write('etcd', 'exec sleep 600');
  write('kube-apiserver', `echo "$@" >> ${join(folder, 'starts')}\n${apiServer}`);
}

function write(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

function starts(): readonly string[] {
  return readFileSync(join(folder, 'starts'), 'utf8').trim().split('\n');
}

async function failure(options: Parameters<typeof startControlPlane>[0] = {}): Promise<Error> {
  const error: unknown = await startControlPlane(options).catch((reason: unknown) => reason);
  if (error instanceof ControlPlaneStartError) return error;
  throw new Error('the start should have failed', { cause: error });
}

it('retries on other ports if one is in use, five attempts in total', async () => {
  programs('echo "listen tcp 127.0.0.1:1: bind: address already in use"; exit 1');
  const { message } = await failure();
  expect(message).toContain('kube-apiserver ended while the control plane was starting: code 1');
  const ports = starts().map((line) => /--secure-port=(\d+)/.exec(line)?.[1]);
  expect(ports).toHaveLength(5);
  expect(new Set(ports).size).toBeGreaterThan(1);
});

it('throws with the last response of the server, without credentials, and leaves no files', async () => {
  programs('echo "Error: unknown flag: --nonsense"; cat "$(dirname "$0")"/tmp/*/tokens.csv; exit 3');
  const { message } = await failure({ apiServerFlags: ['--nonsense'] });
  expect(message).toContain(
    'last lines of kube-apiserver:\nError: unknown flag: --nonsense\n[redacted],token-admin',
  );
  expect(starts()).toHaveLength(1);
  expect(starts()[0]).toMatch(/ --nonsense$/);
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
});

it('times out if a server does not respond', async () => {
  programs('exec sleep 600');
  const { message } = await failure({ startTimeoutMs: 2_000 });
  expect(message).toMatch(
    /not ready within 2000 ms; the API server's last response: no response connect ECONNREFUSED/,
  );
  expect(existsSync(join(folder, 'tmp'))).toBe(true);
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
});
