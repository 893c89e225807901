/** Operators are deployed to the server in memory, whose kubelet fails in several ways, and removed. */
import { format } from 'node:util';
import { consoleLogger, Manager } from '@kgen/controller';
import { systemEnvironment } from '@kgen/runtime/informers';
import { applyManifests } from '@kgen/runtime/manifests';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Cluster } from '../../src/kgen/project/cluster/cluster.ts';
import { install, uninstall } from '../../src/kgen/project/cluster/definitions.ts';
import { type DeployOptions, deploy } from '../../src/kgen/project/cluster/deploy.ts';
import { doctor } from '../../src/kgen/project/cluster/doctor.ts';
import { takeLock } from '../../src/kgen/project/cluster/lock.ts';
import { labelled } from '../../src/kgen/project/cluster/operator.ts';
import { undeploy } from '../../src/kgen/project/cluster/undeploy.ts';
import { checkUncalled } from '../../src/kgen/project/local/checks.ts';
import { type Pause, pause, pauseOf, resume } from '../../src/kgen/project/local/pause.ts';
import { restore } from '../../src/kgen/project/local/restore.ts';
import { createBox, openSession, type TestOperator, type TestSession, testOperator } from './operator.ts';

/** Number of a process that no system has. */
const deadProcess = 2 ** 30;

let server: TestServer;
let ann: TestSession;
const opened: TestSession[] = [];
const session = (user?: string): TestSession => {
  const found = openSession(server.admin, user);
  opened.push(found);
  return found;
};
let count = 0;
const operator = (options?: { readonly image?: string; readonly replicas?: number }): TestOperator =>
  testOperator(`op-${++count}`, options);
const run = (target: DeployOptions, { cluster, session: of }: TestSession = ann): Promise<void> =>
  deploy(cluster, { patienceMs: 100, ...target }, of);
const choice = { deleteObjects: false, keepObjects: false, force: false, dryRun: false, kinds: [] };
const withdraw = (target: TestOperator, changes: Partial<typeof choice> = {}): Promise<void> =>
  undeploy(ann.cluster, { ...target, ...choice, ...changes, timeoutMs: 300 }, ann.session);
const names = async ({ name }: TestOperator): Promise<readonly string[]> => {
  const kinds = ['ValidatingWebhookConfiguration', 'ClusterRole', 'Deployment', 'CustomResourceDefinition'];
  const groups = ['admissionregistration', 'rbac.authorization', 'apps', 'apiextensions'];
  const found = await Promise.all(
    kinds.map((kind, index) => {
      const group = groups[index] === 'apps' ? 'apps' : `${groups[index]}.k8s.io`;
      return ann.cluster.list(
        { apiVersion: `${group}/v1`, kind },
        { labelSelector: `kgen.dev/operator=${name}` },
      );
    }),
  );
  return found.flatMap((list, index) => list.map(() => kinds[index] ?? ''));
};

beforeAll(async () => {
  server = await startTestServer({ controllers: true, nodes: ['n1'] });
});
afterAll(() => server.stop());
afterEach(async () => {
  for (const { cluster } of opened.splice(0)) await cluster.close();
});

describe('kgen deploy', () => {
  it('applies webhooks once the Pods are available, and is then up to date', async () => {
    ann = session();
    const target = operator();
    await run(target);
    const place = (part: string): number => ann.lines.findIndex((line) => line.includes(part));
    expect(place('2 of 2 Pods are available')).toBeGreaterThan(place('created    Deployment'));
    expect(place('created    ValidatingWebhookConfiguration')).toBeGreaterThan(place('2 of 2'));
    const again = session();
    await run(target, again);
    expect(again.lines.filter((line) => !line.startsWith('rollout'))).toEqual([
      `${target.name} is deployed.`,
    ]);
  });

  it.each([
    ['an image that does not exist', { pullError: 'not found' }, /image box:1 cannot be pulled .*not found/],
    ['a container that ends', { exit: { code: 3 } }, /container operator has ended \(exit code 3/],
    ['a cluster without room', { unschedulable: '0/1 nodes are available' }, /no node: 0\/1 nodes/],
  ])('names the reason for %s, and applies no webhook', async (_, rule, message) => {
    ann = session();
    const target = operator({ replicas: 1 });
    const remove = server.pods.add({ match: { namespace: target.namespace }, ...rule });
    await expect(run(target)).rejects.toThrow(message);
    expect(await names(target)).not.toContain('ValidatingWebhookConfiguration');
    remove();
  });

  it('removes objects that earlier manifests contained, and keeps definitions', async () => {
    ann = session();
    const target = operator();
    await run(target);
    const kept = ['Deployment', 'Namespace', 'ServiceAccount'];
    await run({ ...target, objects: target.objects.filter(({ kind }) => kept.includes(`${kind}`)) });
    expect(await names(target)).toEqual(['Deployment', 'CustomResourceDefinition']);
  });

  it('refuses fields that others have changed, unless it is forced', async () => {
    ann = session();
    const target = operator();
    await run(target);
    const [deployment] = target.objects.filter(({ kind }) => kind === 'Deployment');
    const scaled = { ...deployment, spec: { ...Object(deployment?.['spec']), replicas: 5 } };
    const options = { fieldManager: 'bob', force: true };
    await applyManifests(server.admin, labelled([scaled], target.name), options);
    await expect(run(target)).rejects.toThrow(/conflict with "bob".*\.spec\.replicas[\s\S]*--force/);
    await run({ ...target, force: true });
    expect(ann.lines).toContain(`configured Deployment ${target.name}/${target.name}`);
  });

  it('refuses a second user until the first has ended', async () => {
    ann = session();
    const [target, bob] = [operator(), session('bob@desk')];
    await run(target);
    const lock = await takeLock(bob.cluster, target, bob.session);
    await expect(run(target)).rejects.toThrow(/^bob@desk\/\d+ deploys op-\d+ at the moment: .* in \d+ s/);
    await lock.release();
    await run(target);
  });

  it('changes nothing in a dry run', async () => {
    ann = session();
    const target = operator();
    await run({ ...target, dryRun: true });
    expect(ann.lines.at(-1)).toBe('Nothing was changed.');
    expect(await names(target)).toEqual([]);
  });
});

describe('a pause', () => {
  const pausing = async (target: TestOperator, { cluster, session: of }: TestSession) => {
    const { name, namespace } = target;
    const plans: Pause[] = [];
    const { signal } = new AbortController();
    const options = { name, namespace, holder: `${of.user}/${deadProcess}`, signal };
    await pause(cluster, { ...options, willPause: (plan) => void plans.push(plan) }, of);
    return plans[0] ?? { holder: '', replicas: 0 };
  };
  const deploymentOf = ({ name, namespace }: TestOperator) =>
    ann.cluster.find({ apiVersion: 'apps/v1', kind: 'Deployment', name, namespace });

  it('ends the Pods of an operator until it is resumed, without conflicts of the next deployment', async () => {
    ann = session();
    const target = operator();
    await run(target);
    const plan = await pausing(target, ann);
    expect(plan).toEqual({ holder: `ann@laptop/${deadProcess}`, replicas: 2 });
    const pods = { namespace: target.namespace };
    expect(await ann.cluster.list({ apiVersion: 'v1', kind: 'Pod' }, pods)).toEqual([]);
    await expect(doctor(ann.cluster, target, ann.session)).rejects.toThrow(/problems?$/);
    expect(ann.lines).toContainEqual(expect.stringMatching(/^warning .*of ann@laptop\/\d+ pauses the Depl/));
    expect(await resume(ann.cluster, target, plan)).toMatch(/^restored .*: 2 replicas$/);
    expect(pauseOf(await deploymentOf(target))).toBeUndefined();
    const [deployment, ...others] = target.objects.filter(({ kind }) => kind === 'Deployment');
    expect(others).toEqual([]);
    const scaled = { ...deployment, spec: { ...Object(deployment?.['spec']), replicas: 1 } };
    const objects = target.objects.map((each) => (each === deployment ? scaled : each));
    await run({ ...target, objects });
    expect(await deploymentOf(target)).toMatchObject({ spec: { replicas: 1 } });
  });

  it('of another user is refused with the name, until a deployment takes it over by force', async () => {
    ann = session();
    const [target, bob] = [operator(), session('bob@desk')];
    await run(target);
    const plan = await pausing(target, bob);
    const message = /bob@desk\/\d+ runs it by kgen dev --cluster.*kgen deploy --force/;
    await expect(pausing(target, ann)).rejects.toThrow(message);
    await expect(run(target)).rejects.toThrow(message);
    await run({ ...target, force: true });
    expect(await deploymentOf(target)).toMatchObject({ spec: { replicas: 2 } });
    expect(await resume(bob.cluster, target, plan)).toMatch(/by this command no more: it stays as it is/);
  });

  it('of a command that has crashed is taken over with its replicas, and ended by a deployment', async () => {
    ann = session();
    const target = operator();
    await run(target);
    await pausing(target, ann);
    expect(await pausing(target, ann)).toEqual({ holder: `ann@laptop/${deadProcess}`, replicas: 2 });
    await run(target);
    expect(await deploymentOf(target)).toMatchObject({ spec: { replicas: 2 } });
  });

  it('begins and ends although a controller writes the status of the Deployment between read and write', async () => {
    ann = session();
    const target = operator();
    await run(target);
    const { name, namespace } = target;
    const ref = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace } };
    const { objects } = ann.cluster;
    let generation = 0;
    const patch = vi.spyOn(objects, 'patch');
    const interfere = (): void =>
      void patch.mockImplementationOnce(async (...args) => {
        const annotations = { 'example.com/written': String(++generation) };
        await objects.patch(ref, { metadata: { annotations } }, { type: 'merge' });
        return objects.patch(...args);
      });
    interfere();
    const plan = await pausing(target, ann);
    interfere();
    expect(await resume(ann.cluster, target, plan)).toMatch(/^restored .*: 2 replicas$/);
    await pausing(target, ann);
    interfere();
    await run(target);
    expect(generation).toBe(3);
    expect(await deploymentOf(target)).toMatchObject({ spec: { replicas: 2 } });
  });

  it('keeps replicas that others have set meanwhile', async () => {
    ann = session();
    const target = operator();
    await run(target);
    const plan = await pausing(target, ann);
    const { apiVersion, kind, metadata } = Object(await deploymentOf(target));
    const { name, namespace } = metadata;
    const ref = { apiVersion, kind, metadata: { name, namespace } };
    await ann.cluster.objects.patch(ref, { spec: { replicas: 3 } }, { type: 'merge' });
    expect(await resume(ann.cluster, target, plan)).toMatch(/was scaled meanwhile: it stays as it is/);
    expect(await deploymentOf(target)).toMatchObject({ spec: { replicas: 3 } });
  });

  it('is refused while the cluster calls webhooks of the operator', async () => {
    ann = session();
    const target = operator();
    await run(target);
    const check = (): Promise<void> => checkUncalled(ann.cluster, target, [], 'pass a host');
    await expect(check()).rejects.toThrow(
      /refuse writes .*\(ValidatingWebhookConfiguration op-\d+\); pass a host/,
    );
    const { name } = target;
    const apiVersion = 'admissionregistration.k8s.io/v1';
    await ann.cluster.delete({ apiVersion, kind: 'ValidatingWebhookConfiguration', name });
    await check();
  });

  it('that cannot be ended is printed with the commands that end it', async () => {
    const lines: string[] = [];
    const { config } = ann.cluster;
    const gone = { ...config, server: 'http://127.0.0.1:1' };
    const plan = {
      name: 'op',
      namespace: 'op',
      choice: '--context a',
      pause: { holder: 'ann/1', replicas: 2 },
    };
    const isRestored = await restore(plan, {
      open: async () => new Cluster(gone),
      print: (line) => void lines.push(line),
      sleep: async () => undefined,
    });
    expect(isRestored).toBe(false);
    expect(lines.join()).toContain('kubectl --context a --namespace op scale deployment op --replicas=2');
  });
});

describe('kgen undeploy', () => {
  it('removes webhooks first, then everything else', async () => {
    ann = session();
    const target = operator();
    await run(target);
    await withdraw(target);
    const deleted = ann.lines.filter((line) => line.startsWith('deleted'));
    expect(deleted[0]).toContain('ValidatingWebhookConfiguration');
    expect(deleted.at(-1)).toBe(`deleted    Namespace ${target.name}`);
    expect(await names(target)).toEqual([]);
    await withdraw(target);
    expect(ann.lines.at(-1)).toBe(`${target.name} is not deployed.`);
  });

  it('keeps everything while objects of its kinds exist', async () => {
    ann = session();
    const target = operator();
    await run({ ...target, objects: target.objects.filter(({ kind }) => !`${kind}`.includes('Webhook')) });
    await createBox(server.admin, target.name, 'one');
    await expect(withdraw(target)).rejects.toThrow(/1 boxes: default\/one[\s\S]*--delete-objects/);
    expect(await names(target)).toContain('Deployment');
    await withdraw(target, { keepObjects: true });
    expect(await names(target)).toEqual(['CustomResourceDefinition']);
  });

  it('deletes objects before the operator, which removes its finalizers', async () => {
    ann = session();
    const target = operator();
    await run({ ...target, objects: target.objects.filter(({ kind }) => !`${kind}`.includes('Webhook')) });
    await createBox(server.admin, target.name, 'held', ['example.com/cleanup']);
    await expect(withdraw(target, { deleteObjects: true })).rejects.toThrow(
      /1 objects still exist:\n {2}Box default\/held waits for example\.com\/cleanup/,
    );
    expect(await names(target)).toContain('Deployment');
  });

  it('keeps definitions until the dependents of their objects are deleted', async () => {
    ann = session();
    const target = operator();
    await run({ ...target, objects: target.objects.filter(({ kind }) => !`${kind}`.includes('Webhook')) });
    await createBox(server.admin, target.name, 'owner');
    const owner = { apiVersion: `${target.name}.example.com/v1`, kind: 'Box', name: 'owner' };
    const { uid } = Object((await ann.cluster.find({ ...owner, namespace: 'default' }))?.['metadata']);
    const ownerReferences = [{ ...owner, uid, blockOwnerDeletion: true }];
    const metadata = { name: target.name, namespace: 'default', ownerReferences };
    const note = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata, finalizers: ['a.com/b'] } };
    await applyManifests(server.admin, [note], { fieldManager: 'bob' });
    await expect(withdraw(target, { deleteObjects: true })).rejects.toThrow(
      /1 objects still exist:\n {2}Box default\/owner waits for foregroundDeletion/,
    );
    expect(await names(target)).toContain('CustomResourceDefinition');
  });

  it('begins nothing if finalizers would never be removed, until a process has the lease of the operator', async () => {
    ann = session();
    const target = operator({ replicas: 0 });
    await run({ ...target, objects: target.objects.filter(({ kind }) => !`${kind}`.includes('Webhook')) });
    await createBox(server.admin, target.name, 'held', ['example.com/cleanup']);
    await expect(withdraw(target, { deleteObjects: true })).rejects.toThrow(/the operator does not run/);
    expect(ann.lines.some((line) => line.startsWith('deleted'))).toBe(false);
    const spec = {
      ...{ holderIdentity: 'laptop', leaseDurationSeconds: 600 },
      renewTime: new Date().toISOString().replace('Z', '000Z'),
    };
    const metadata = { name: target.name, namespace: target.namespace };
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
    await applyManifests(server.admin, [lease], { fieldManager: target.name });
    await expect(withdraw(target, { deleteObjects: true })).rejects.toThrow(
      /waits for example\.com\/cleanup/,
    );
    expect(ann.lines).toContain(`delete     custom objects, while the operator runs:`);
  });

  it('keeps a namespace with objects of others', async () => {
    ann = session();
    const target = operator();
    await run(target);
    const metadata = { name: 'notes', namespace: target.namespace };
    const note = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    await applyManifests(server.admin, [note], { fieldManager: 'bob' });
    await withdraw(target);
    expect(ann.lines).toContainEqual(expect.stringMatching(/^keep .*Namespace .*ConfigMap op-\d+\/notes$/));
    expect(await ann.cluster.find({ ...note, ...metadata })).toBeDefined();
  });

  it('refuses objects that others have changed, unless it is forced', async () => {
    ann = session();
    const target = operator();
    await run(target);
    const metadata = { name: target.name, namespace: target.name, labels: { team: 'bob' } };
    const change = { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
    await applyManifests(server.admin, [change], { fieldManager: 'bob' });
    await expect(withdraw(target)).rejects.toThrow(/others have changed .*\n {2}ServiceAccount .*: by bob/);
    await withdraw(target, { force: true });
    expect(await names(target)).toEqual([]);
  });

  it('refuses an operator that another tool has deployed', async () => {
    ann = session();
    const target = operator();
    const objects = labelled(target.objects, target.name).map(({ metadata, ...each }) => ({
      ...each,
      metadata: { ...metadata, labels: {} },
    }));
    await applyManifests(server.admin, objects, { fieldManager: 'helm' });
    await expect(withdraw(target)).rejects.toThrow(/kgen has not deployed op-\d+/);
  });
});

describe('kgen install and uninstall', () => {
  it('keep definitions with objects, and delete objects first if they may', async () => {
    ann = session();
    const target = operator();
    const objects = target.objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
    const definitions = { ...target, objects, timeoutMs: 300 };
    await install(ann.cluster, definitions, ann.session);
    await createBox(server.admin, target.name, 'one');
    await expect(uninstall(ann.cluster, definitions, ann.session)).rejects.toThrow(/1 boxes: default\/one/);
    await uninstall(ann.cluster, { ...definitions, deleteObjects: true }, ann.session);
    expect(ann.lines.slice(-2)).toEqual([
      'deleted    Box default/one',
      `deleted    CustomResourceDefinition boxes.${target.name}.example.com`,
    ]);
    expect(await names(target)).toEqual([]);
  });
});

describe('kgen doctor', () => {
  it('finds an operator without permissions, and a webhook without an authority', async () => {
    ann = session();
    const target = operator();
    await run(target);
    await expect(doctor(ann.cluster, target, ann.session)).rejects.toThrow(/op-\d+ has 1 problem$/);
    expect(ann.lines.filter((line) => line.startsWith('error'))).toEqual([
      expect.stringContaining('has no caBundle'),
    ]);
    const metadata = { name: target.name };
    await ann.cluster.delete({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      ...metadata,
    });
    await expect(doctor(ann.cluster, target, ann.session)).rejects.toThrow(/4 problems/);
    expect(ann.lines).toContainEqual(
      expect.stringContaining(`may not list boxes.${target.name}.example.com`),
    );
  });

  it('finds requests that the API server refuses, in the log of the operator', async () => {
    ann = session();
    const target = operator({ replicas: 1 });
    await run(target);
    const lines: string[] = [];
    server.onLogs(() => lines);
    const write = (...data: readonly unknown[]): void => void lines.push(...format(...data).split('\n'));
    const log = consoleLogger({ debug: write, info: write, warn: write, error: write });
    let laterMs = 0;
    const { clock } = systemEnvironment;
    const later = { ...clock, now: () => clock.now() + laterMs };
    const environment = { ...systemEnvironment, clock: later };
    const manager = new Manager(server.admin, { log, environment, handleSignals: false });
    const stop = new AbortController();
    const running = manager.run({ signal: stop.signal });
    const findings = async (): Promise<readonly string[]> => {
      const start = ann.lines.length;
      await expect(doctor(ann.cluster, target, ann.session)).rejects.toThrow(/1 problem$/);
      return ann.lines.slice(start).filter((line) => line.includes(' throttling: '));
    };
    const refuse = async (): Promise<void> => {
      const match = ({ path }: { readonly path: string }): boolean => path === '/api/v1/nodes';
      server.faults.failNext({ status: 429, retryAfterSeconds: 0, match });
      await manager.rest.get('/api/v1/nodes');
    };
    await refuse();
    expect(await findings()).toEqual(['ok       throttling: at most one minute of the last 10']);
    laterMs = 60_000;
    await refuse();
    stop.abort();
    await running;
    expect(await findings()).toEqual([
      expect.stringMatching(/^warning .* Pod op-\d+-\S+ logs "throttled by the API server: .* 429": send/),
    ]);
  });
});
