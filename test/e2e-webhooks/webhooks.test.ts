/** Webhooks as processes on a real API server: requests, handlers that misbehave, restarts under load. */
import { join } from 'node:path';
import type { Clientset } from '@kgen/kubernetes';
import { expect, it, onTestFinished } from 'vitest';
import {
  type CertificateFolder,
  certificateFolder,
} from '../../src/controller/health/certificates.fixture.ts';
import { type Balancer, startBalancer } from '../support/balancer.ts';
import { deadline, unique } from '../support/cluster-tests.ts';
import { EventProcess } from '../support/event-process.ts';
import { describePrograms, type ProgramPlane } from '../support/program-plane.ts';
import { behaviorKey, deletionKey, type ProgramArguments, type ProgramEvent } from './protocol.ts';

type Process = EventProcess<ProgramEvent, ProgramArguments>;
type Settings = Partial<Omit<ProgramArguments, 'config'>> & { readonly version?: string };

const misbehaviors: readonly (readonly [behavior: string, message: RegExp])[] = [
  ['throws', /broken on purpose|validates/],
  ['rejects', /broken on purpose|validates/],
  ['never settles', /denied the request|failed calling webhook/],
  ['returns nonsense', /denied the request/],
  ['overflows the stack', /denied the request/],
  ['blocks the event loop', /failed calling webhook/],
  ['returns 10 MB', /./],
  ['closes all connections', /failed calling webhook/],
  ['crashes in a timer', /failed calling webhook/],
];

describePrograms(
  'webhooks on a real API server',
  { timeout: 240_000, programs: { program: 'test/e2e-webhooks/program.ts' } },
  (get) => {
    it.each(['v1', 'v1beta1'])('receive every kind of request in reviews of version %s', async (version) => {
      const { maps } = await world(get(), { version });
      const operation = ({ data = {} }: { data?: Record<string, string> | undefined }) => data['operation'];
      expect(operation(await maps.create({ metadata: { name: 'a' } }, { dryRun: 'All' }))).toBe('CREATE');
      const created = await maps.create({ metadata: { name: 'a' } });
      expect(created.data).toMatchObject({ operation: 'CREATE', dryRun: 'false' });
      expect(operation(await maps.update(created))).toBe('UPDATE');
      expect(operation(await maps.patch('a', { data: { x: 'y' } }))).toBe('UPDATE');
      const apply = { fieldManager: 'test' };
      expect(operation(await maps.apply({ metadata: { name: 'b' } }, apply))).toBe('CREATE');
      expect(operation(await maps.apply({ metadata: { name: 'b', labels: { c: 'd' } } }, apply))).toBe(
        'UPDATE',
      );
      await expect(maps.patch('a', { data: { [behaviorKey]: 'denies' } })).rejects.toMatchObject({
        code: 422,
        reason: 'Invalid',
        details: { causes: [{ field: 'data.x0' }, { field: 'data.x1' }] },
      });
      await maps.patch('a', { data: { [deletionKey]: 'denies' } });
      await expect(maps.delete('a')).rejects.toMatchObject({ code: 422 });
      await maps.patch('a', { data: { [deletionKey]: null } });
      await maps.delete('a');
      expect(await maps.find('a')).toBeUndefined();
    });

    it.each(misbehaviors)(
      'refuse a request whose handler %s, and serve the next one',
      async (behavior, message) => {
        const { maps, process, start } = await world(get());
        const map = { metadata: { name: 'a' }, data: { [behaviorKey]: behavior } };
        await expect(maps.create(map)).rejects.toThrow(message);
        if (behavior.startsWith('crashes')) {
          expect(await process.exited).not.toBe(0);
          await start();
        }
        await expect
          .poll(() => maps.create({ metadata: { name: 'b' } }).then(() => 'created', String), deadline)
          .toBe('created');
        expect(process.output).not.toContain(`"${behaviorKey}"`);
      },
    );

    it.each(misbehaviors)('allow a request whose handler %s with the policy Ignore', async (behavior) => {
      const { maps } = await world(get(), { failurePolicy: 'Ignore' });
      const map = { metadata: { name: 'a' }, data: { [behaviorKey]: behavior } };
      if (behavior === 'returns 10 MB') await expect(maps.create(map)).rejects.toThrow();
      else await maps.create(map);
    });

    it('lose no request while their replicas are restarted one after the other', async () => {
      const plane = get();
      const balancer = await startBalancer();
      const { maps, folder, process } = await world(plane, { drainMs: 2_000 }, balancer);
      const failures: string[] = [];
      let requests = 0;
      let isOver = false;
      const write = async (): Promise<void> => {
        while (!isOver) {
          const name = `map-${requests}`;
          requests += 1;
          await maps
            .create({ metadata: { name } }, { dryRun: 'All' })
            .catch((error: unknown) => failures.push(String(error)));
        }
      };
      const writers = Array.from({ length: 10 }, write);
      let old = process;
      for (let restart = 0; restart < 3; restart += 1) {
        await served(old, 100);
        const next = await startProgram(plane, folder, { drainMs: 2_000 });
        old.signal('SIGTERM');
        await old.event('stopping');
        // Endpoints follow later: new connections still reach the replica that stops.
        await served(old, 20);
        balancer.targets = [(await next.event('ready')).port];
        expect(await old.exited).toBe(0);
        old = next;
      }
      await served(old, 100);
      isOver = true;
      await Promise.all(writers);
      expect({ failures, isEnough: requests > 300 }).toEqual({ failures: [], isEnough: true });
    });
  },
);

/** Waits until a process has reviewed more objects. */
async function served(process: Process, count: number): Promise<void> {
  const before = process.of('review').length;
  await expect.poll(() => process.of('review').length - before, deadline).toBeGreaterThan(count);
}

/** Starts a process with webhooks, and registers them for a new namespace. */
async function world(plane: ProgramPlane, settings: Settings = {}, balancer?: Balancer) {
  const folder = await certificateFolder();
  const namespace = unique('webhooks');
  const labels = { tested: namespace };
  await plane.admin.coreV1.namespaces().create({ metadata: { name: namespace, labels } });
  const process = await startProgram(plane, folder, settings);
  const { port } = await process.event('ready');
  if (balancer !== undefined) balancer.targets = [port];
  await register(plane.admin, { port: balancer?.port ?? port, folder, namespace, settings });
  const start = async (): Promise<void> => {
    await (await startProgram(plane, folder, { ...settings, port })).event('ready');
  };
  return { maps: plane.admin.coreV1.configMaps(namespace), process, folder, start };
}

async function startProgram(
  { plane, bundle }: ProgramPlane,
  { directory }: CertificateFolder,
  { port = 0, failurePolicy = 'Fail', drainMs = 0 }: Settings,
): Promise<Process> {
  const args = { config: plane.config, port, directory, failurePolicy, drainMs };
  const process: Process = new EventProcess(join(bundle.folder, 'program.js'), args);
  onTestFinished(() => process.kill());
  return process;
}

interface Registration {
  readonly port: number;
  readonly folder: CertificateFolder;
  readonly namespace: string;
  readonly settings: Settings;
}

async function register(
  admin: Clientset,
  { port, folder, namespace, settings: { version = 'v1', failurePolicy = 'Fail' } }: Registration,
): Promise<void> {
  const webhook = (type: 'defaults' | 'validates', operations: string[]) => ({
    name: `${type}.${namespace}.example.com`,
    clientConfig: {
      url: `https://127.0.0.1:${port}/${type}/core/v1/configmaps`,
      caBundle: Buffer.from(folder.ca).toString('base64'),
    },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations }],
    failurePolicy,
    timeoutSeconds: 2,
    sideEffects: 'None' as const,
    admissionReviewVersions: [version],
    namespaceSelector: { matchLabels: { tested: namespace } },
  });
  const { admissionregistrationV1: api } = admin;
  const metadata = { name: namespace };
  const updates = ['CREATE', 'UPDATE'];
  await api.mutatingWebhookConfigurations().create({ metadata, webhooks: [webhook('defaults', updates)] });
  await api
    .validatingWebhookConfigurations()
    .create({ metadata, webhooks: [webhook('validates', [...updates, 'DELETE'])] });
  onTestFinished(async () => {
    await api.mutatingWebhookConfigurations().delete(namespace);
    await api.validatingWebhookConfigurations().delete(namespace);
  });
  // The API server follows configurations by a watch.
  const probe = { metadata: { generateName: 'probe-' } };
  await expect
    .poll(async () => {
      const { data } = await admin.coreV1.configMaps(namespace).create(probe, { dryRun: 'All' });
      return data?.['operation'];
    }, deadline)
    .toBe('CREATE');
}
