/** Simulation of the members of a ring: driver and fence with simulated time, clocks, network and Leases. */

import type {
  SimulatedProcess,
  SimulatedStore,
  Timeline,
} from '../../../test/support/runtime/simulated-process.ts';
import { type LeaseObject, memberLease } from './member-lease.ts';
import type { RingClient } from './ring-client.ts';
import { RingDriver } from './ring-driver.ts';
import type { RingSettings } from './ring-options.ts';
import { ShardFence } from './shard-fence.ts';
import type { ShardPass } from './shard-keys.ts';

/** Collaborators of a simulated member. */
export interface MemberParts {
  readonly process: SimulatedProcess;
  readonly timeline: Timeline;
  readonly settings: RingSettings;
  readonly leases: SimulatedStore<LeaseObject>;
  readonly onEnd: () => void;
}

/** One process of a ring. */
export class SimulatedMember {
  readonly process: SimulatedProcess;
  readonly fence: ShardFence;
  readonly #timeline: Timeline;
  readonly #driver: RingDriver;

  constructor({ process, timeline, settings, leases, onEnd }: MemberParts) {
    const { ring, field } = settings;
    const { clocks, environment } = process;
    this.process = process;
    this.#timeline = timeline;
    this.fence = new ShardFence({
      ring,
      field,
      drained: (slots) => this.#driver.feed({ type: 'drained', slots }),
      gained: () => undefined,
    });
    this.#driver = new RingDriver({
      settings,
      client: clientOf(settings, leases, process),
      clocks,
      environment,
      observer: {
        joined: (validity) => this.fence.begin(validity),
        slots: (owned, draining) => {
          this.fence.update(owned, draining);
          this.fence.load(owned);
        },
        closed: (end) => this.fence.end(end),
        failed: () => undefined,
        ended: onEnd,
      },
    });
  }

  start(): void {
    this.#driver.feed({ type: 'start' });
  }

  /** Hands over all slots. */
  leave(): void {
    this.process.call(() => this.#driver.feed({ type: 'leave' }));
  }

  end(): void {
    this.process.call(() => this.#driver.feed({ type: 'end' }));
  }

  /** Begins a run of a key, which ends after `ms`. Returns it, unless the key belongs to another member. */
  run(name: string, ms: number): ShardPass | undefined {
    const pass = this.process.isRunning ? this.fence.enter({ namespace: 'shop', name }) : undefined;
    const end = this.#timeline.now + ms;
    if (pass !== undefined) this.#timeline.at(end, () => this.process.call(() => pass.leave()));
    return pass;
  }
}

function clientOf(
  { field }: RingSettings,
  leases: SimulatedStore<LeaseObject>,
  process: SimulatedProcess,
): RingClient {
  const write: RingClient['create'] = (object, signal) =>
    process.request(() => {
      const stored = leases.write(object.metadata.name, object);
      if (stored === undefined) throw new Error('conflict');
      return memberLease(stored, field);
    }, signal);
  return {
    list: (signal) => process.request(() => leases.list().map((lease) => memberLease(lease, field)), signal),
    create: write,
    update: write,
    release: (object, signal) =>
      process.request(() => {
        leases.write(object.metadata.name, object);
      }, signal),
    remove: ({ name, version }) => process.request(() => leases.remove(name, version)),
  };
}
