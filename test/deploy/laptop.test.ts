/** A real API server calls the webhooks of a project on this machine: `kgen run` and `kgen dev --cluster`. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isInvalid } from '@kgen/runtime';
import type { JsonObject } from '@kgen/schema/values/json';
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { install } from '../../src/kgen/project/cluster/definitions.ts';
import { deploy } from '../../src/kgen/project/cluster/deploy.ts';
import { readObjects } from '../../src/kgen/project/cluster/operator.ts';
import { type Command, command } from '../support/command.ts';
import { repository } from '../support/emitted.ts';
import { apiErrorOf } from '../support/errors.ts';
import { freePort } from '../support/ports.ts';
import { openSession, setPods, type TestSession } from './operator.ts';

const { available } = controlPlaneAvailability({ controllerManager: true });
const isRequired = process.env['KGEN_NOTHING_SKIPPED'] !== undefined;
const program = join(repository, 'src/kgen/bin/kgen.js');
const name = 'my-operator';
const place = { name, namespace: name };
const version = (each: string): string => `shop.example.com/${each}`;

describe.skipIf(!available && !isRequired)('webhooks on this machine', { timeout: 240_000 }, () => {
  let cwd = '';
  let port = 0;
  let plane: ControlPlane;
  let ann: TestSession;
  const words = (line: string): readonly string[] => [program, ...line.split(' ').filter(Boolean)];
  const kgen = async (line: string): Promise<string> =>
    (await promisify(execFile)(process.execPath, words(line), { cwd })).stdout;
  const start = (line: string): Command => command(words(`${line} --kubeconfig kubeconfig`), cwd);
  const edit = (path: string, from: string | RegExp, to: string): void => {
    const text = readFileSync(join(cwd, path), 'utf8');
    expect(text).toMatch(from);
    writeFileSync(join(cwd, path), text.replace(from, to));
  };

  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'kgen-project-'));
    symlinkSync(join(repository, 'node_modules'), join(cwd, 'node_modules'), 'junction');
    await kgen(`init ${name} --domain example.com`);
    await kgen('create api --group shop --version v1alpha1 --kind Cart');
    await kgen('create api --group shop --version v1beta1 --kind Cart');
    await kgen('create webhook --group shop --version v1alpha1 --kind Cart --defaults --validates');
    port = await freePort();
    edit('src/operator.ts', 'webhooks({', `webhooks({ port: ${port},`);
    edit('src/operator.ts', 'port: 8443', 'port: 0');
    edit('src/operator.ts', 'port: 8081', 'port: 0');
    await kgen('');
    plane = await startControlPlane({ controllerManager: true });
    writeFileSync(join(cwd, 'kubeconfig'), plane.kubeconfig);
    ann = openSession(plane.config, `${userInfo().username}@${hostname()}`);
    await install(ann.cluster, { ...place, objects: readObjects(cwd, 'config/crd') }, ann.session);
    await ann.cluster.objects.create({
      ...{ apiVersion: version('v1alpha1'), kind: 'Cart', spec: {} },
      metadata: { name: 'stored', namespace: 'default' },
    });
  }, 1_200_000);
  afterAll(async () => {
    await ann?.cluster.close();
    await plane?.stop();
    rmSync(cwd, { recursive: true });
  });

  /** Returns everything through which the server calls webhooks. */
  const registered = async (): Promise<readonly unknown[]> => {
    const kinds = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];
    const found = await Promise.all(
      kinds.map((kind) => ann.cluster.find({ apiVersion: 'admissionregistration.k8s.io/v1', kind, name })),
    );
    const definition = await ann.cluster.find({
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
      name: 'carts.shop.example.com',
    });
    const { conversion } = Object(definition?.['spec']);
    return [...found.map((each) => each?.['webhooks']), conversion];
  };
  const create = async (cart: string, annotations: Readonly<Record<string, string>>): Promise<JsonObject> => {
    const metadata = { name: cart, namespace: 'default', annotations };
    const object = { apiVersion: version('v1alpha1'), kind: 'Cart', metadata, spec: {} };
    return Object(await ann.cluster.objects.create(object, { dryRun: 'All' }));
  };
  /** Waits until the server calls the webhooks, which takes a moment after their registration. */
  const called = async (): Promise<void> => {
    const owned = { 'example.com/owner': 'unknown' };
    // The server learns each of the configurations at a time of its own.
    await vi.waitFor(
      async () => {
        expect(await create('first', {})).toMatchObject({ metadata: { annotations: owned } });
        const refused = await apiErrorOf(isInvalid, create('second', { 'example.com/owner': '' }));
        expect(refused.message).toContain('must name the owner');
        const listed = await ann.cluster.list({ apiVersion: version('v1beta1'), kind: 'Cart' });
        expect(listed).toMatchObject([{ apiVersion: version('v1beta1') }]);
      },
      { timeout: 60_000, interval: 100 },
    );
  };
  const killed = async ({ child, end }: Command, isGuardKilled: boolean): Promise<void> => {
    for (const pid of childrenOf(child.pid ?? 0)) {
      const isGuard = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('guard-main');
      if (!isGuard || isGuardKilled) process.kill(pid, 'SIGKILL');
    }
    child.kill('SIGKILL');
    await end;
  };

  describe('of kgen run', () => {
    let before: readonly unknown[] = [];
    beforeAll(async () => {
      before = await registered();
    });

    it('are not called without a host, which a warning contains', async () => {
      const { child, end, line } = start('run');
      await line('leads');
      child.kill('SIGTERM');
      const { stderr } = await end;
      expect(stderr).toMatch(/warning: the cluster does not call the webhooks.*--webhook-host HOST/);
      expect(await registered()).toEqual(before);
    });

    it('are printed by a dry run', async () => {
      const { stdout } = await start('run --webhook-host 127.0.0.1 --dry-run').end;
      const url = `https://127.0.0.1:${port}/`;
      expect(stdout).toContain(`would register   MutatingWebhookConfiguration ${name}: ${url}`);
      expect(stdout).toContain(`would register   CustomResourceDefinition carts.shop.example.com: ${url}`);
      expect(await registered()).toEqual(before);
    });

    it('are called until a signal', async () => {
      const run = start('run --webhook-host 127.0.0.1');
      await run.line('register   CustomResourceDefinition');
      await called();
      run.child.kill('SIGTERM');
      expect(await run.end).toMatchObject({ code: 0 });
      expect(await registered()).toEqual(before);
    });

    it('are called until SIGKILL of all processes', async () => {
      const run = start('run --webhook-host localhost');
      await run.line('register   CustomResourceDefinition');
      await called();
      await killed(run, false);
      expect(await registered()).toEqual(before);
    });
  });

  describe('of kgen dev --cluster', () => {
    let before: readonly unknown[] = [];
    const deployed = (): Promise<void> => {
      const at = new Date().toISOString();
      const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: at }];
      const sleep = async (ms: number): Promise<void> => {
        await setPods(ann.cluster, name, { phase: 'Running', conditions });
        await ann.session.sleep(ms);
      };
      const objects = readObjects(cwd, 'config/install.yaml');
      return deploy(ann.cluster, { ...place, objects, source: 'install.yaml' }, { ...ann.session, sleep });
    };
    beforeAll(async () => {
      await deployed();
      before = await registered();
    }, 240_000);

    it('are refused without a host, since the server would refuse writes', async () => {
      const { stderr } = await start('dev --cluster').end;
      expect(stderr).toMatch(/would refuse writes during the pause.*--webhook-host HOST/s);
    });

    it('take the place of the deployed ones, follow changes, and are restored', async () => {
      const dev = start('dev --cluster --webhook-host 127.0.0.1');
      await dev.line('register   CustomResourceDefinition');
      await called();
      edit('src/webhooks/cart.ts', 'must name the owner', 'must name the owner, please');
      edit('api/cart.ts', '@maximum 10', '@maximum 9');
      await dev.line('runs with the present files');
      await vi.waitFor(
        async () => {
          const refused = await apiErrorOf(isInvalid, create('second', { 'example.com/owner': '' }));
          expect(refused.message).toContain('owner, please');
        },
        { timeout: 60_000 },
      );
      dev.child.kill('SIGTERM');
      expect(await dev.end).toMatchObject({ code: 143 });
      expect(await registered()).toEqual(before);
    });

    it('are restored after SIGKILL of all processes', async () => {
      const dev = start('dev --cluster --webhook-host 127.0.0.1');
      await dev.line('register   CustomResourceDefinition');
      await called();
      await killed(dev, false);
      expect(await registered()).toEqual(before);
    });

    it('are replaced by the next deployment if nothing restores them', async () => {
      const dev = start('dev --cluster --webhook-host 127.0.0.1');
      await dev.line('register   CustomResourceDefinition');
      await killed(dev, true);
      expect(JSON.stringify(await registered())).toContain('https://127.0.0.1');
      const { stdout } = await start('deploy --dry-run').end;
      expect(stdout).toMatch(
        /^restored {3}ValidatingWebhookConfiguration .*: it named webhooks on a machine$/m,
      );
      expect(stdout).not.toMatch(/^(deleted|pruned)/m);
      expect(stdout).toContain('Nothing was changed.\n');
      expect(JSON.stringify(await registered())).toContain('https://127.0.0.1');
      await deployed();
      expect(await registered()).toEqual(before);
    });
  });
});

/** Returns the processes that a process has started. */
function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}
