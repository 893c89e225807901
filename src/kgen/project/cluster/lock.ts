/** A Lease for which one user at a time deploys an operator. */
import { isAlreadyExists, isConflict } from '@kgen/runtime';
import { type JsonObject, text } from '@kgen/schema/values/json';
import { Refusal } from '../../cluster/refusal.ts';
import { isAlive } from '../local/pause.ts';
import type { Cluster, ObjectRef } from './cluster.ts';
import { fieldManager, type OperatorPlace } from './operator.ts';
import { number } from './rollout.ts';
import type { Session } from './session.ts';

const durationSeconds = 60;
const renewMs = 15_000;

/** Returns the Lease of the deployments of an operator. */
export function lockOf({ name, namespace }: OperatorPlace): ObjectRef {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace, name: `${name}-kgen` };
}

/** Returns who holds a lock, and for how many seconds; `undefined` if nobody does. Pure. */
export function holderOf(
  lease: JsonObject | undefined,
  now: number,
): { readonly holder: string; readonly seconds: number } | undefined {
  const holder = text(lease, 'spec', 'holderIdentity');
  const end =
    Date.parse(text(lease, 'spec', 'renewTime')) +
    (number(lease, 'spec', 'leaseDurationSeconds') ?? durationSeconds) * 1000;
  return holder !== '' && end > now ? { holder, seconds: Math.ceil((end - now) / 1000) } : undefined;
}

/** Returns whether a holder is an ended process of this user and machine. Pure. */
export function isAbandoned(holder: string, user: string, isRunning: (pid: number) => boolean): boolean {
  const [, owner, pid] = /^(.*)\/(\d+)$/.exec(holder) ?? [];
  return owner === user && !isRunning(Number(pid));
}

/** A held lock. */
export interface Lock {
  /** @throws {Refusal} another user has taken it meanwhile, because this process was suspended */
  check(): void;
  /** Never throws. */
  release(): Promise<void>;
}

/**
 * Takes the lock of an operator, and keeps it until it is released.
 * @throws {Refusal} another user holds it
 */
export async function takeLock(
  cluster: Cluster,
  place: OperatorPlace,
  session: Pick<Session, 'now' | 'user'>,
): Promise<Lock> {
  const lock = new LeaseLock(cluster, place, session);
  await lock.take();
  return lock;
}

class LeaseLock implements Lock {
  readonly #cluster: Cluster;
  readonly #operator: string;
  readonly #ref: ObjectRef;
  readonly #now: () => number;
  readonly #user: string;
  readonly #holder: string;
  #version = '';
  #isLost = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(cluster: Cluster, place: OperatorPlace, { now, user }: Pick<Session, 'now' | 'user'>) {
    this.#cluster = cluster;
    this.#operator = place.name;
    this.#ref = lockOf(place);
    this.#now = now;
    this.#user = user;
    this.#holder = `${user}/${process.pid}`;
  }

  async take(): Promise<void> {
    const present = await this.#cluster.find(this.#ref);
    const held = holderOf(present, this.#now());
    if (held !== undefined && !isAbandoned(held.holder, this.#user, isAlive))
      throw new Refusal(
        `${held.holder} deploys ${this.#operator} at the moment: run the command again when that has ended, or in ${held.seconds} s if it was interrupted`,
      );
    this.#version = text(present, 'metadata', 'resourceVersion');
    try {
      await this.#write();
    } catch (cause) {
      if (!isConflict(cause) && !isAlreadyExists(cause)) throw cause;
      throw new Refusal(
        `another user has just begun to deploy ${this.#operator}: run the command again later`,
      );
    }
    this.#timer = setInterval(() => void this.#renew(), renewMs);
    this.#timer.unref();
  }

  check(): void {
    if (!this.#isLost) return;
    throw new Refusal('another user has begun to deploy meanwhile: run the command again');
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    try {
      if (!this.#isLost) await this.#cluster.delete(this.#ref);
    } catch {
      // It expires.
    }
  }

  /** Never rejects: after other failures the next renewal follows, or the lock expires. */
  async #renew(): Promise<void> {
    try {
      await this.#write();
    } catch (cause) {
      this.#isLost ||= isConflict(cause) || isAlreadyExists(cause);
    }
  }

  async #write(): Promise<void> {
    const { apiVersion, kind, name, namespace } = this.#ref;
    const renewTime = new Date(this.#now()).toISOString().replace('Z', '000Z');
    const spec = { holderIdentity: this.#holder, leaseDurationSeconds: durationSeconds, renewTime };
    const resourceVersion = this.#version;
    const object = { apiVersion, kind, spec, metadata: { name, namespace } };
    const { objects } = this.#cluster;
    const stored =
      resourceVersion === ''
        ? await objects.create(object, { fieldManager })
        : await objects.update(
            { ...object, metadata: { name, namespace, resourceVersion } },
            { fieldManager },
          );
    this.#version = stored.metadata.resourceVersion;
  }
}
