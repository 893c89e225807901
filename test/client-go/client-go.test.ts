/** A program with client-go on the server in memory and on a real one: equal observations. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynamicClient } from '@kgen/runtime/dynamic';
import { parseKubeconfig } from '@kgen/runtime/kubeconfig';
import { controlPlaneAvailability } from '@kgen/testing';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unique } from '../support/cluster-tests.ts';
import { repository } from '../support/emitted.ts';
import { buildTimeoutMs } from '../support/kubectl.ts';
import { type SharedPlane, sharedPlane } from '../support/shared-plane.ts';

const { available } = controlPlaneAvailability();
const isRequired = process.env['KGEN_NOTHING_SKIPPED'] !== undefined;

/** Returns the path of the program, which is built with the first call. */
function findProgram(): string {
  const script = join(repository, 'test/client-go/build.mjs');
  const options = {
    encoding: 'utf8' as const,
    timeout: buildTimeoutMs,
    stdio: ['ignore', 'pipe', 'ignore'] as const,
  };
  return execFileSync(process.execPath, [script], { ...options, stdio: [...options.stdio] }).trim();
}

describe.skipIf(!available && !isRequired)('client-go', () => {
  const running: { memory?: TestServer; real?: SharedPlane; program: string; folder: string } = {
    program: '',
    folder: '',
  };
  beforeAll(async () => {
    [running.memory, running.real] = await Promise.all([
      startTestServer({ controllers: false }),
      sharedPlane(),
    ]);
    running.program = findProgram();
    running.folder = await mkdtemp(join(tmpdir(), 'kgen-client-go-'));
  }, buildTimeoutMs);
  afterAll(async () => {
    await Promise.all([running.memory?.stop(), running.real?.stop()]);
    if (running.folder !== '') await rm(running.folder, { recursive: true });
  });

  /** Runs the program and returns its lines. */
  async function observe(name: string, kubeconfig: string, namespace: string): Promise<readonly string[]> {
    const file = join(running.folder, name);
    await writeFile(file, kubeconfig, { mode: 0o600 });
    const dynamic = new DynamicClient(await parseKubeconfig(kubeconfig));
    const namespaces = dynamic.resource({ group: '', version: 'v1', resource: 'namespaces' });
    await namespaces.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const { stdout } = await promisify(execFile)(running.program, [file, namespace], { timeout: 60_000 });
    return stdout.trim().split('\n');
  }

  it('observes the same on both servers', { timeout: 120_000 }, async () => {
    const namespace = unique('client-go');
    const [given, want] = await Promise.all([
      observe('memory', running.memory?.kubeconfig ?? '', namespace),
      observe('real', running.real?.kubeconfig ?? '', namespace),
    ]);
    expect(given).toEqual(want);
    expect(given.at(-1)).toContain('forbidden: true');
  });
});
