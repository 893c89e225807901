/** kubectl on the server in memory and on a real one: equal outputs and exit codes. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controlPlaneAvailability } from '@kgen/testing';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unique } from '../support/cluster-tests.ts';
import { buildTimeoutMs, findKubectl } from '../support/kubectl.ts';
import { type SharedPlane, sharedPlane } from '../support/shared-plane.ts';
import { runStep, type Target } from './run.ts';
import { chapters } from './steps.ts';

const { available } = controlPlaneAvailability();
const isRequired = process.env['KGEN_NOTHING_SKIPPED'] !== undefined;

/** All chapters take half a minute of two processors; without `KGEN_KUBECTL=all` only these run. */
const few: ReadonlySet<string> = new Set(['apply', 'auth']);
const isWhole = process.env['KGEN_KUBECTL'] === 'all';

describe.skipIf(!available && !isRequired)('kubectl', () => {
  let memory: TestServer | undefined;
  let real: SharedPlane | undefined;
  let kubectl: string | undefined;
  const folders: string[] = [];
  beforeAll(async () => {
    [memory, real] = await Promise.all([startTestServer({ controllers: false }), sharedPlane()]);
    kubectl = findKubectl(real.assets, true);
  }, buildTimeoutMs);
  afterAll(async () => {
    await Promise.all([
      memory?.stop(),
      real?.stop(),
      ...folders.map((folder) => rm(folder, { recursive: true })),
    ]);
  });

  async function target(kubeconfig: string, namespace: string, id: string): Promise<Target> {
    const folder = await mkdtemp(join(tmpdir(), 'kgen-kubectl-'));
    folders.push(folder);
    await writeFile(join(folder, 'config'), kubeconfig, { mode: 0o600 });
    const created = { kubectl: kubectl ?? '', folder, namespace, id };
    await runStep(created, { run: `create namespace ${namespace}` });
    return created;
  }

  it.each(Object.entries(chapters).filter(([name]) => isWhole || few.has(name)))(
    '%s',
    { timeout: 120_000 },
    async (_, steps) => {
      const [namespace, id] = [unique('kubectl'), unique('node')];
      const targets = await Promise.all(
        [memory?.kubeconfig ?? '', real?.kubeconfig ?? ''].map((kubeconfig) =>
          target(kubeconfig, namespace, id),
        ),
      );
      for (const step of steps) {
        const [given, want] = await Promise.all(targets.map((each) => runStep(each, step)));
        const command = [step.run, ...(step.more ?? [])].join(' ');
        expect.soft({ command, ...given }).toEqual({ command, ...want });
      }
    },
  );
});
