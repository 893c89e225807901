/** Replicas on a real API server: at most one of them writes an object at any time. */
import type { ConfigMap } from '@kgen/kubernetes/core/v1';
import type { WatchEvent } from '@kgen/runtime';
import { expect, it, onTestFinished, vi } from 'vitest';
import { deadline, unique } from '../support/cluster-tests.ts';
import { machineNow } from '../support/machine-clock.ts';
import { overlaps } from '../support/overlaps.ts';
import { describePrograms } from '../support/program-plane.ts';
import { type Recording, record } from '../support/recording.ts';
import { type LoggedWrite, Replica } from './replicas.ts';

/** Shorter than the defaults, so that the test takes seconds. */
const timing = { leaseDurationMs: 4000, renewDeadlineMs: 3000, retryPeriodMs: 500 };
/** Expiry of a Lease, and rounds of requests. */
const boundMs = timing.leaseDurationMs + 4 * timing.retryPeriodMs;
/** Time for requests, the start of a process and the pause between writes on a busy machine. */
const latencyMs = 15_000;
const keyCount = 200;

/** A write as the server stored it: the process, and the time before its check. */
interface StoredWrite {
  readonly name: string;
  readonly identity: string;
  readonly at: number;
}

/** The log of all replicas. */
class Log {
  readonly #replicas: readonly Replica[];

  constructor(replicas: readonly Replica[]) {
    this.#replicas = replicas;
  }

  get writes(): readonly LoggedWrite[] {
    return this.#replicas.flatMap(({ writes }) => writes);
  }

  /** Waits until some replicas have written every key since a time. Returns the time that it took. */
  async covered(replicas: readonly Replica[], since: number): Promise<number> {
    const firsts = await vi.waitFor(() => {
      const first = new Map<string, number>();
      for (const { key, at, end } of replicas.flatMap(({ writes }) => writes)) {
        if (at >= since) first.set(key, Math.min(first.get(key) ?? end, end));
      }
      if (first.size < keyCount) {
        const errors = replicas.map(({ output }) => output).join('');
        throw new Error(`${first.size} of ${keyCount} keys are written ${errors}`);
      }
      return [...first.values()];
    }, deadline);
    return Math.max(...firsts) - since;
  }
}

const programs = { replica: 'test/e2e-sharding/replica.ts' };

describePrograms('replicas on a real API server', { timeout: 240_000, programs }, (get) => {
  async function createKeys(): Promise<string> {
    const { admin } = get();
    const namespace = unique('sharding');
    await admin.coreV1.namespaces().create({ metadata: { name: namespace } });
    const names = Array.from({ length: keyCount }, (_, index) => `key-${index}`);
    await Promise.all(
      names.map((name) =>
        admin.coreV1.configMaps(namespace).create({ metadata: { name, labels: { written: 'true' } } }),
      ),
    );
    return namespace;
  }

  it('never write one key at the same time while they are added, killed, paused and stopped', async () => {
    const { admin, bundle, plane } = get();
    const namespace = await createKeys();
    const recording = record(onTestFinished, (signal) =>
      admin.coreV1.configMaps(namespace).watch({ signal }),
    );
    const replicas: Replica[] = [];
    onTestFinished(async () => {
      for (const replica of replicas) await replica.kill();
    });
    const add = (): Replica => {
      const replica = new Replica(bundle.folder, { ...timing, config: plane.config, namespace });
      replicas.push(replica);
      return replica;
    };
    const log = new Log(replicas);
    const times: Record<string, number> = {};
    const [first, second, third] = [add(), add(), add()];
    await log.covered([first, second, third], 0);
    await vi.waitFor(() => {
      for (const replica of replicas) expect(replica.writes.length).toBeGreaterThan(20);
    }, deadline);

    let since = machineNow();
    await first.kill();
    times['killed'] = await log.covered([second, third], since);

    since = machineNow();
    const fourth = add();
    await vi.waitFor(() => expect(fourth.writes.length).toBeGreaterThan(20), deadline);
    times['added'] = await log.covered([second, third, fourth], since);

    since = machineNow();
    const pausedAt = machineNow();
    second.signal('SIGSTOP');
    times['paused'] = await log.covered([third, fourth], since);
    const before = second.writes.length;
    second.signal('SIGCONT');
    await vi.waitFor(() => expect(second.writes.length).toBeGreaterThan(before + 20), deadline);

    since = machineNow();
    third.signal('SIGTERM');
    times['stopped'] = await log.covered([second, fourth], since);
    await third.exited;
    expect(third.events.at(-1)?.type).toBe('stopped');

    expect(log.writes.length).toBeGreaterThan(5 * keyCount);
    // A write that was in progress when its process was paused ended before, as the server shows.
    const isInterrupted = ({ identity, at, end }: LoggedWrite): boolean =>
      identity === second.identity && end - at > timing.leaseDurationMs;
    const overlapping = overlaps(log.writes, ({ key }) => key);
    expect(overlapping.filter((pair) => !pair.some(isInterrupted))).toEqual([]);
    // At most one request is between its last check and its connection when its process is suspended.
    const late = disorder(recording);
    expect(late.length).toBeLessThanOrEqual(1);
    expect(late.filter(({ identity, at }) => identity !== second.identity || at > pausedAt)).toEqual([]);
    console.log(`all keys covered after (ms): ${JSON.stringify(times)}`);
    for (const [change, ms] of Object.entries(times)) expect(ms, change).toBeLessThan(boundMs + latencyMs);
  });
});

/** Returns the stored writes that began before the previous stored one, of another process. */
function disorder(recording: Recording<WatchEvent<ConfigMap>>): readonly StoredWrite[] {
  const last = new Map<string, StoredWrite>();
  return recording.events.flatMap(({ object }) => {
    const { identity, at } = object.data ?? {};
    const { name = '' } = object.metadata;
    if (identity === undefined) return [];
    const previous = last.get(name);
    const write = { name, identity, at: Number(at) };
    last.set(name, write);
    return previous !== undefined && previous.identity !== identity && write.at < previous.at ? [write] : [];
  });
}
