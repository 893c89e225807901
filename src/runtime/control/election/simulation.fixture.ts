/** Simulation of processes in an election: the driver with simulated time, clocks, network and lease. */
import { type SimulatedProcess, SimulatedStore } from '../../../../test/support/runtime/simulated-process.ts';
import { ApiError } from '../../api/errors.ts';
import { ElectionDriver } from './election-driver.ts';
import type { ElectionTiming, LeadershipEnd } from './election-types.ts';
import { type LeaseObject, leaseRecord } from './lease.ts';
import type { LeaseClient } from './lease-client.ts';
import { LeaseValidity } from './lease-validity.ts';

const name = 'simulated';

/** A server with one lease. */
export class SimulatedLease {
  readonly #store = new SimulatedStore<LeaseObject>();

  read(): LeaseObject | undefined {
    return this.#store.get(name);
  }

  /** @throws {ApiError} for a conflict */
  write(object: LeaseObject): LeaseObject {
    const stored = this.#store.write(name, object);
    if (stored !== undefined) return stored;
    const isCreation = object.metadata?.['resourceVersion'] === undefined;
    throw new ApiError({ code: 409, reason: isCreation ? 'AlreadyExists' : 'Conflict' });
  }

  remove(): void {
    this.#store.remove(name);
  }
}

/** Collaborators of a simulated candidate. */
export interface CandidateOptions {
  readonly process: SimulatedProcess;
  readonly timing: ElectionTiming;
  readonly lease: SimulatedLease;
  readonly onEnd: (end: LeadershipEnd) => void;
}

/** One process of an election. */
export class SimulatedCandidate {
  readonly process: SimulatedProcess;
  readonly #validity: LeaseValidity;
  readonly #driver: ElectionDriver;

  constructor({ process, timing, lease, onEnd }: CandidateOptions) {
    const { clocks, environment } = process;
    this.process = process;
    this.#validity = new LeaseValidity(clocks, timing.renewDeadlineMs);
    this.#driver = new ElectionDriver({
      target: { ...timing, name, namespace: 'default' },
      timing,
      leases: clientOf(lease, process),
      validity: this.#validity,
      clocks,
      environment,
      report: (report) => {
        if (report.type === 'ended') onEnd(report.end);
      },
    });
  }

  get isLeading(): boolean {
    return this.process.isRunning && this.#validity.check().valid;
  }

  start(): void {
    this.#driver.start();
  }

  end(end: LeadershipEnd, release: boolean): void {
    this.process.call(() => this.#driver.end(end, release));
  }
}

function clientOf(lease: SimulatedLease, process: SimulatedProcess): LeaseClient {
  const write: LeaseClient['create'] = (object, signal) =>
    process.request(() => leaseRecord(lease.write(object)), signal);
  return {
    read: (signal) =>
      process.request(() => {
        const object = lease.read();
        return object === undefined ? undefined : leaseRecord(object);
      }, signal),
    create: write,
    update: write,
  };
}
