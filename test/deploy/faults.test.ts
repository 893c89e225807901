/** Clusters that vanish while an operator is deployed, quotas that refuse its Pods, and two users at once. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { deploy } from '../../src/kgen/project/cluster/deploy.ts';
import { lockOf, takeLock } from '../../src/kgen/project/cluster/lock.ts';
import { openSession, type TestSession, testOperator } from './operator.ts';

let server: TestServer;
const opened: TestSession[] = [];
const session = (user?: string, address = server.admin.server): TestSession => {
  const found = openSession({ ...server.admin, server: address }, user);
  opened.push(found);
  return found;
};

beforeAll(async () => {
  server = await startTestServer({ controllers: true, nodes: ['n1'] });
});
afterAll(() => server.stop());
afterEach(async () => {
  vi.useRealTimers();
  for (const { cluster } of opened.splice(0)) await cluster.close();
});

describe('kgen deploy', () => {
  it.each([2, 4, 7])(
    'names the objects that are missing if the cluster vanishes after %i writes',
    async (count) => {
      const target = testOperator(`vanishing-${count}`);
      const { address, end } = await vanishingServer(server.admin.server, count);
      onTestFinished(end);
      const ann = session('ann@laptop', address);
      const [error] = await Promise.allSettled([deploy(ann.cluster, target, ann.session)]);
      expect(error).toMatchObject({ status: 'rejected' });
      const { message } = Object(Object(error)['reason']);
      expect(message).toMatch(
        /^the cluster does not respond any more \(.*\): run the command again, it continues\n/,
      );
      expect(message).toMatch(/\n {2}applied: .*\n {2}not applied, or unknown: (?!none)/);
      const created = ann.lines.filter((line) => line.startsWith('created')).map((line) => line.slice(11));
      for (const name of created.filter((each) => !each.startsWith('Namespace')))
        expect(message).toMatch(new RegExp(` {2}applied: .*${name}`));
      // The lock of the command that was cut off expires; here its user removes it.
      const again = session();
      await again.cluster.delete({ ...lockOf(target) }).catch(() => undefined);
      await deploy(again.cluster, target, again.session);
      expect(again.lines.at(-1)).toBe(`${target.name} is deployed.`);
      expect(again.lines).toContainEqual(expect.stringMatching(/^created +ValidatingWebhookConfiguration/));
    },
  );

  it('names the quota that refuses Pods', async () => {
    const target = testOperator('quota');
    const ann = session();
    const metadata = { name: target.namespace };
    await ann.cluster.objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata });
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'small', namespace: target.namespace },
    };
    await ann.cluster.objects.create({ ...quota, spec: { hard: { pods: '0' } } });
    const deployed = deploy(ann.cluster, { ...target, patienceMs: 0 }, ann.session);
    await expect(deployed).rejects.toThrow(
      /cannot be created: .*exceeded quota: small.*raise the ResourceQuota/,
    );
    await ann.cluster.objects.patch(quota, { spec: { hard: { pods: '5' } } }, { type: 'merge' });
    await deploy(ann.cluster, target, ann.session);
    expect(ann.lines.at(-1)).toBe('quota is deployed.');
  });
});

describe('a lock', () => {
  const place = (name: string) => ({ name, namespace: 'default' });

  it('is taken by one of two users who deploy at once', async () => {
    const users = [session('ann@laptop'), session('bob@desk')];
    const taken = await Promise.allSettled(
      users.map(({ cluster, session: of }) => takeLock(cluster, place('race'), of)),
    );
    const locks = taken.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const refused = taken.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
    expect(locks).toHaveLength(1);
    expect(refused).toEqual([
      expect.stringMatching(/has just begun to deploy race|deploys race at the moment/),
    ]);
    await Promise.all(locks.map((lock) => lock.release()));
  });

  it('of a command that was killed is taken over once it has expired', async () => {
    const [ann, bob] = [session('ann@laptop'), session('bob@desk')];
    await takeLock(ann.cluster, place('stale'), ann.session);
    const later = (ms: number) => ({ ...bob.session, now: () => Date.now() + ms });
    await expect(takeLock(bob.cluster, place('stale'), later(50_000))).rejects.toThrow(
      /^ann@laptop\/\d+ deploys stale at the moment: .*or in \d+ s if it was interrupted$/,
    );
    const lock = await takeLock(bob.cluster, place('stale'), later(61_000));
    const lease = await bob.cluster.find(lockOf(place('stale')));
    expect(lease).toMatchObject({ spec: { holderIdentity: `bob@desk/${process.pid}` } });
    await lock.release();
    expect(await bob.cluster.find(lockOf(place('stale')))).toBeUndefined();
  });

  it('of a command of the same user that has ended without releasing it is taken over at once', async () => {
    const ann = session('ann@laptop');
    await takeLock(ann.cluster, place('dead'), ann.session);
    await expect(takeLock(ann.cluster, place('dead'), ann.session)).rejects.toThrow('deploys dead at');
    const lease = Object(await ann.cluster.find(lockOf(place('dead'))));
    const spec = { ...lease.spec, holderIdentity: `ann@laptop/${2 ** 30}` };
    await ann.cluster.objects.update({ ...lease, spec }, { fieldManager: 'test' });
    const lock = await takeLock(ann.cluster, place('dead'), ann.session);
    expect(await ann.cluster.find(lockOf(place('dead')))).toMatchObject({
      spec: { holderIdentity: `ann@laptop/${process.pid}` },
    });
    await lock.release();
  });

  it('that another user has taken over meanwhile ends the command, and is left to that user', async () => {
    const [ann, bob] = [session('ann@laptop'), session('bob@desk')];
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const lost = await takeLock(ann.cluster, place('lost'), ann.session);
    lost.check();
    const lock = await takeLock(bob.cluster, place('lost'), {
      ...bob.session,
      now: () => Date.now() + 61_000,
    });
    vi.advanceTimersByTime(15_000);
    await expect
      .poll(() => thrownBy(() => lost.check()))
      .toMatch(/another user has begun to deploy meanwhile/);
    await lost.release();
    expect(await bob.cluster.find(lockOf(place('lost')))).toBeDefined();
    await lock.release();
  });
});

function thrownBy(act: () => void): string {
  try {
    act();
    return '';
  } catch (error) {
    return String(error);
  }
}

/** Starts a server that passes requests on, and refuses all connections after some writes. */
async function vanishingServer(
  target: string,
  writes: number,
): Promise<{ readonly address: string; readonly end: () => void }> {
  let left = writes;
  const proxy: Server = createServer((incoming, outgoing) => {
    const { method, url = '/', headers } = incoming;
    if (method !== 'GET' && left-- === 0) {
      proxy.close();
      return proxy.closeAllConnections();
    }
    const passed = request(new URL(url, target), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo; // seam: a server of TCP has a port
  return { address: `http://127.0.0.1:${port}`, end: () => void proxy.close() };
}
