/** Programs with a manager as processes on a real API server: permissions, signals, leadership, rest. */
import { Clientset } from '@kgen/kubernetes';
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditLog, auditLog } from '../support/audit.ts';
import { deadline, unique } from '../support/cluster-tests.ts';
import { machineNow } from '../support/machine-clock.ts';
import { bundleSources, type SourceBundle } from '../support/source-bundle.ts';
import { ProgramProcess } from './program-process.ts';
import { type ProgramArguments, type ProgramEvent, triggerName, writtenName } from './protocol.ts';

/** Shorter than the defaults, so that the tests take seconds. */
const short = { leaseDurationMs: 4000, renewDeadlineMs: 3000, retryPeriodMs: 500 };
/** Time for requests and for the end of a process on a busy machine, in milliseconds. */
const latencyMs = 3000;
const leaseName = 'manager';

type Write = Extract<ProgramEvent, { type: 'write' }>;

const availability = controlPlaneAvailability();
const isAvailable = availability.available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;

describe.runIf(isAvailable)('a manager on a real API server', { timeout: 240_000 }, () => {
  let audit: AuditLog;
  let plane: ControlPlane;
  let bundle: SourceBundle;
  let admin: Clientset;

  beforeAll(async () => {
    audit = await auditLog({ verbs: [] });
    plane = await startControlPlane({ apiServerFlags: audit.flags });
    bundle = await bundleSources({ program: 'test/e2e-manager/program.ts' });
    admin = new Clientset(plane.config);
  }, 1_200_000);
  afterAll(async () => {
    await admin?.close();
    await bundle?.remove();
    await plane?.stop();
    await audit?.remove();
  });

  async function newNamespace(): Promise<string> {
    const namespace = unique('manager');
    await admin.coreV1.namespaces().create({ metadata: { name: namespace } });
    for (const name of [triggerName, writtenName]) {
      await admin.coreV1.configMaps(namespace).create({ metadata: { name } });
    }
    return namespace;
  }

  function start(
    namespace: string,
    mode: ProgramArguments['mode'],
    {
      config = plane.config,
      ...options
    }: ProgramArguments['options'] & { config?: typeof plane.config } = {},
  ): ProgramProcess {
    return new ProgramProcess(bundle.folder, {
      config,
      namespace,
      mode,
      options: { name: 'maps', ...options },
    });
  }

  function candidate(namespace: string, timing: object = short): ProgramProcess {
    return start(namespace, 'writes', { leaderElection: { name: leaseName, namespace, ...timing } });
  }

  it('exits with all missing permissions on stderr', async () => {
    const namespace = await newNamespace();
    const accounts = admin.coreV1.serviceAccounts(namespace);
    await accounts.create({ metadata: { name: 'robot' } });
    const request = await accounts.createToken('robot', { spec: { audiences: [] } });
    const { server, tls } = plane.config;
    const program = start(namespace, 'writes', {
      config: { server, tls: { ca: tls?.ca ?? '' }, namespace, auth: { token: request.status?.token ?? '' } },
      leaderElection: { name: leaseName, namespace },
    });
    expect(await program.exited).toBe(1);
    expect(program.output).toContain('ManagerStartError: missing permissions:');
    for (const missing of [
      `controller maps: list configmaps in namespace ${namespace}`,
      `controller maps: watch configmaps in namespace ${namespace}`,
      `leader election: create leases.coordination.k8s.io in namespace ${namespace}`,
      `leader election: update leases.coordination.k8s.io ${leaseName} in namespace ${namespace}`,
    ]) {
      expect(program.output).toContain(missing);
    }
  });

  it('exits with 0 after SIGTERM, and releases the lease', async () => {
    const namespace = await newNamespace();
    const program = candidate(namespace);
    await program.next('write');
    program.signal('SIGTERM');
    expect(await program.exited).toBe(0);
    const lease = await admin.coordinationV1.leases(namespace).get(leaseName);
    expect(lease.spec?.holderIdentity).toBe('');
  });

  it('exits with 1 after a second SIGTERM', async () => {
    const program = start(await newNamespace(), 'stuck');
    await program.next('reconcile');
    program.signal('SIGTERM');
    await program.untilLogged('stops for SIGTERM');
    program.signal('SIGTERM');
    expect(await program.exited).toBe(1);
  });

  it('exits with 0 after the deadline of a reconcile function that never settles', async () => {
    const program = start(await newNamespace(), 'stuck', { gracePeriodMs: 100 });
    await program.next('reconcile');
    program.signal('SIGTERM');
    expect(await program.exited).toBe(0);
    expect(program.output).toContain('ReconcileTimeoutError');
  });

  it('exits with 1 when the lease is lost', async () => {
    const namespace = await newNamespace();
    const program = candidate(namespace);
    await program.next('write');
    const spec = { holderIdentity: 'other', leaseDurationSeconds: 60 };
    await admin.coordinationV1.leases(namespace).patch(leaseName, { spec });
    expect(await program.exited).toBe(1);
    expect(program.output).toContain('LeadershipLostError');
  });

  it('never writes in two processes at once while leaders are killed, paused and restarted', async () => {
    const namespace = await newNamespace();
    const all: ProgramProcess[] = [];
    const begin = (): ProgramProcess => {
      const program = candidate(namespace);
      all.push(program);
      return program;
    };
    const candidates = [begin(), begin(), begin()];
    const leader = (except: readonly ProgramProcess[] = []): Promise<ProgramProcess> =>
      Promise.any(
        candidates.filter((one) => !except.includes(one)).map((one) => one.next('write').then(() => one)),
      );
    const replace = (program: ProgramProcess): void => {
      candidates.splice(candidates.indexOf(program), 1, begin());
    };

    const killed = await leader();
    killed.signal('SIGKILL');
    await killed.exited;
    replace(killed);

    const paused = await leader();
    paused.signal('SIGSTOP');
    const successor = await leader([paused]);
    paused.signal('SIGCONT');
    expect(await paused.exited).toBe(1);
    expect(paused.output).toContain('LeadershipLostError');
    replace(paused);

    expect(await leader()).toBe(successor);
    successor.signal('SIGTERM');
    expect(await successor.exited).toBe(0);
    await leader([successor]);

    const writes = (): readonly (Write & { readonly pid: string })[] =>
      all.flatMap(({ pid, events }) => events.filter(isWrite).map((write) => ({ ...write, pid })));
    await expect.poll(() => writes().length).toBeGreaterThan(10);
    expect(overlaps(writes())).toEqual([]);
  });

  it('hands over within 4.5 s plus latency in a rolling restart', async () => {
    const namespace = await newNamespace();
    const first = candidate(namespace, {});
    await first.next('write');
    const second = candidate(namespace, {});
    await second.untilLogged('leads');
    first.signal('SIGTERM');
    const signaledAt = machineNow();
    const { at } = await second.next('write');
    expect(await first.exited).toBe(0);
    expect(at - signaledAt).toBeLessThan(4500 + latencyMs);
  });

  it('sends nothing but watches and renewals at rest', async () => {
    const namespace = await newNamespace();
    const leaderElection = { name: leaseName, namespace, ...short };
    const program = start(namespace, 'same', { leaderElection, client: { userAgent: namespace } });
    const map = (): Promise<unknown> =>
      admin.coreV1
        .configMaps(namespace)
        .get(writtenName)
        .then(({ data }) => data);
    await expect.poll(map, deadline).toEqual({ state: 'same' });
    const own = (): readonly string[] =>
      audit
        .requests()
        .filter(({ path }) => path.includes(namespace))
        .map(({ verb, path }) => `${verb} ${path}`);
    const renewals = (): number => own().filter((line) => line.includes('/leases/')).length;
    const lines = (): readonly string[] =>
      audit.requests(namespace).map(({ verb, path }) => `${verb} ${path}`);
    // The own write causes an event, whose run finds nothing to do.
    const restAt = renewals() + 4;
    await expect.poll(renewals, deadline).toBeGreaterThan(restAt);
    const before = lines();
    await expect.poll(renewals, deadline).toBeGreaterThan(restAt + 10);
    expect(lines().slice(before.length)).toEqual([]);
    expect(lines().filter((line) => line.startsWith('patch'))).toHaveLength(1);
    expect(lines().length).toBeLessThan(15);
    program.signal('SIGTERM');
    expect(await program.exited).toBe(0);
  });

  it('continues after a restart of the API server', async () => {
    const program = start(await newNamespace(), 'writes');
    await program.next('write');
    await plane.restart();
    await program.next('write');
    await program.next('write');
    program.signal('SIGTERM');
    expect(await program.exited).toBe(0);
  });
});

function isWrite(event: ProgramEvent): event is Write {
  return event.type === 'write';
}

/** Returns the pairs of consecutive writes of two processes that overlap. */
function overlaps(writes: readonly (Write & { readonly pid: string })[]): readonly unknown[] {
  const sorted = [...writes].sort((a, b) => a.at - b.at);
  return sorted.flatMap((write, index) => {
    const before = sorted.slice(0, index).filter(({ pid, end }) => pid !== write.pid && end > write.at);
    return before.map((other) => [other, write]);
  });
}
