/** Three processes of an election on a real API server: at most one of them writes at any time. */
import type { ClusterConfig } from '@kgen/runtime';
import { expect, it, onTestFinished, vi } from 'vitest';
import { deadline, unique } from '../support/cluster-tests.ts';
import { machineNow } from '../support/machine-clock.ts';
import { overlaps } from '../support/overlaps.ts';
import { describePrograms } from '../support/program-plane.ts';
import { record } from '../support/recording.ts';
import { type LoggedEvent, Member } from './members.ts';
import { Partition } from './partition.ts';
import { writtenName } from './protocol.ts';

/** Shorter than the defaults, so that the tests take seconds. */
const short = { leaseDurationMs: 4000, renewDeadlineMs: 3000, retryPeriodMs: 500, blockedLimitMs: 60_000 };
const defaults = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2000,
  blockedLimitMs: 60_000,
};
/** Time for requests and for the start of a process on a busy machine, in milliseconds. */
const latencyMs = 3000;
const size = 3;

/** A write that the server has stored. */
interface StoredWrite {
  readonly identity: string;
  readonly term: number;
}

/** Three processes, which are replaced when they end. */
class Election {
  readonly members: Member[] = [];
  readonly #start: () => Promise<Member>;
  readonly #stored: () => readonly StoredWrite[];
  readonly #all: Member[] = [];

  constructor(start: () => Promise<Member>, stored: () => readonly StoredWrite[]) {
    this.#start = start;
    this.#stored = stored;
  }

  /** Starts missing processes. */
  async fill(): Promise<void> {
    while (this.members.length < size) {
      const member = await this.#start();
      this.members.push(member);
      this.#all.push(member);
    }
  }

  async remove(member: Member): Promise<void> {
    this.members.splice(this.members.indexOf(member), 1);
    await member.kill();
  }

  /** Waits until one of the processes, except one, leads and writes. */
  async leader(except?: Member): Promise<Member> {
    const leader = await vi.waitFor(() => {
      const term = Math.max(...this.#all.flatMap(({ logged }) => logged.map(termOf)));
      const found = this.members.find(
        (member) =>
          member !== except && member.logged.some((event) => event.type === 'write' && event.term === term),
      );
      if (found === undefined || found.hasExited)
        throw new Error(`no leader: ${this.members.map(({ summary }) => summary).join('; ')}`);
      return found;
    }, deadline);
    for (let writes = 0; writes < 5; writes += 1) await leader.next('write');
    return leader;
  }

  /** Checks that as many processes have led, and that no two have written at the same time. */
  async check(leaders: number): Promise<void> {
    const writes = this.#all
      .flatMap(({ logged }) => logged)
      .flatMap((event) => (event.type === 'write' ? [event] : []));
    expect(new Set(writes.map(({ identity }) => identity)).size).toBe(leaders);
    expect(overlaps(writes)).toEqual([]);
    // The order of the server: no write of an earlier term after one of a later term.
    await vi.waitFor(() => expect(this.#stored().length).toBeGreaterThanOrEqual(writes.length), deadline);
    const stored = this.#stored();
    expect(stored.filter(({ term }, index) => term < (stored[index - 1]?.term ?? 0))).toEqual([]);
    const identities = new Map(stored.map(({ term, identity }) => [term, identity]));
    expect(stored.filter(({ term, identity }) => identities.get(term) !== identity)).toEqual([]);
  }
}

function termOf(event: LoggedEvent): number {
  return event.type === 'write' ? event.term : -1;
}

const programs = { member: 'test/e2e-election/member.ts' };

describePrograms('three processes on a real API server', { timeout: 170_000, programs }, (get) => {
  /** Starts three processes in a namespace of their own. `config` returns the connection of the next one. */
  async function startElection(
    timing: typeof short,
    config: () => ClusterConfig = () => get().plane.config,
  ): Promise<Election> {
    const { admin, bundle } = get();
    const namespace = unique('election');
    await admin.coreV1.namespaces().create({ metadata: { name: namespace } });
    await admin.coreV1.configMaps(namespace).create({ metadata: { name: writtenName } });
    const recording = record(onTestFinished, (signal) =>
      admin.coreV1.configMaps(namespace).watch({ signal, fieldSelector: `metadata.name=${writtenName}` }),
    );
    const stored = (): readonly StoredWrite[] =>
      recording.events.flatMap(({ object }) => {
        const { identity, term } = object.data ?? {};
        return identity === undefined ? [] : [{ identity, term: Number(term) }];
      });
    const members: Member[] = [];
    const election = new Election(async () => {
      const member = new Member(bundle.folder, { ...timing, config: config(), namespace });
      members.push(member);
      return member;
    }, stored);
    onTestFinished(async () => {
      for (const member of members) await member.kill();
    });
    await election.fill();
    return election;
  }

  it('never write at the same time while leaders are killed, stopped, released and resumed', async () => {
    const election = await startElection(short);
    const killed = await election.leader();
    expect(killed.events.find(({ type }) => type === 'leading')).toMatchObject({ isThread: true });
    await election.remove(killed);
    await election.fill();

    const stopped = await election.leader();
    stopped.signal('SIGSTOP');
    await election.leader(stopped);
    stopped.signal('SIGCONT');
    expect(['expired', 'replaced']).toContain((await stopped.event('lost')).reason);
    await election.remove(stopped);
    await election.fill();

    const released = await election.leader();
    released.command({ type: 'stop' });
    await released.event('stopped');
    await election.leader(released);

    await election.check(4);
  });

  it('never write at the same time while a leader is partitioned', async () => {
    const { plane } = get();
    const proxies: Partition[] = [];
    for (let count = 0; count < size; count += 1) proxies.push(await Partition.start(plane.config));
    onTestFinished(async () => {
      for (const proxy of proxies) await proxy.stop();
    });
    let next = 0;
    const election = await startElection(short, () => {
      next += 1;
      return proxies[(next - 1) % size]?.config ?? plane.config;
    });
    const partitioned = await election.leader();
    proxies[election.members.indexOf(partitioned)]?.cut();
    expect((await partitioned.event('lost')).reason).toBe('expired');
    await election.leader(partitioned);
    await election.check(2);
  });

  it('keep their leader while its event loop is blocked for 20 s', async () => {
    const election = await startElection(short);
    const blocked = await election.leader();
    blocked.command({ type: 'block', ms: 20_000 });
    expect(await blocked.event('blocked')).toMatchObject({ leads: true });
    expect(await election.leader()).toBe(blocked);
    await election.check(1);
  });

  it('replace a leader whose event loop is blocked for longer than the limit', async () => {
    const election = await startElection({ ...short, blockedLimitMs: 2000 });
    const blocked = await election.leader();
    blocked.command({ type: 'block', ms: 15_000 });
    await election.leader(blocked);
    expect(blocked.events.map(({ type }) => type)).not.toContain('blocked');
    expect(await blocked.event('blocked')).toMatchObject({ leads: false });
    expect(await blocked.event('lost')).toMatchObject({ reason: 'blocked' });
    await election.check(2);
  });

  // Most of a minute: not part of the usual runs.
  if (process.env['KGEN_ELECTION_DEFAULTS'] !== undefined) {
    it('take over in 24 s after a crash and in 4.5 s after a release, by default', async () => {
      const election = await startElection(defaults);
      const killed = await election.leader();
      const killedAt = machineNow();
      await election.remove(killed);
      const released = await election.leader(killed);
      expect((await released.event('leading')).at - killedAt).toBeLessThan(24_000 + latencyMs);
      await released.next('write');
      released.command({ type: 'stop' });
      const { at } = await released.event('stopped');
      const last = await election.leader(released);
      expect((await last.event('leading')).at - at).toBeLessThan(4500 + latencyMs);
      await election.check(3);
    });
  }
});
