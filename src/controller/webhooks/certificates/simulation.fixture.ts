/** Replicas of an operator, API servers and a Secret in virtual time, with faults that a seed decides. */
import { X509Certificate } from 'node:crypto';
import { createAuthority } from '@kgen/certificates/authority';
import { splitBundle } from '@kgen/certificates/facts';
import { type Random, randomOf } from '../../../../test/support/random.ts';
import { dataOf, PairIssuer, pairsOf } from './kept-pairs.ts';
import { type ReplicaState, Rotation, type RotationEffect, type SecretState } from './rotation.ts';

const secondMs = 1000;
const hourMs = 3_600_000;
const validity = { authorityMs: 12 * hourMs, leafMs: 3 * hourMs, clockMs: 600_000 };
const settleMs = 30_000;
/** API servers use a bundle at most so long after it was written, in milliseconds. */
const lagMs = 10_000;
/**
 * Largest difference between a clock and the time, in milliseconds: two clocks differ by at most 5 minutes.
 */
const skewMs = 150_000;

interface Versioned<T> {
  readonly version: number;
  readonly value: T;
}

type Secret = Versioned<Readonly<Record<string, string>> | undefined>;

/** A process that serves webhooks, with its observations. */
interface SimulatedReplica {
  readonly name: string;
  readonly rotation: Rotation;
  readonly skew: number;
  state: ReplicaState;
  waitMs: number;
  /**
   * Time until which API servers may not trust it: it has begun while they were receiving bundles, after an
   * authority was replaced. No replica waits for them, since each would have to after each of its starts.
   */
  trustedAt: number;
  secret: Secret;
  bundles: Versioned<string>[];
  isPartitioned: boolean;
}

/** An API server with the bundles that it uses, and the times at which they were replaced. */
interface ApiServer {
  readonly skew: number;
  bundles: Versioned<string>[];
}

/** An authority of somebody else. */
const foreign = createAuthority({ name: 'other' }).cert;

/**
 * A cluster; `play` runs a schedule, and throws if an API server does not trust a certificate that is served.
 */
export class Cluster {
  readonly #random: Random;
  #now = Date.UTC(2030, 0, 1);
  readonly #begun = this.#now;
  #version = 1;
  #secret: Secret = { version: 0, value: undefined };
  readonly #history: Readonly<Record<string, string>>[] = [];
  #bundles: (Versioned<string> & { readonly at: number })[] = ['', '', ''].map((value) => ({
    version: 0,
    value,
    at: this.#begun,
  }));
  readonly #servers: readonly ApiServer[];
  readonly #replicas: SimulatedReplica[];
  #isInstalled = false;
  /** Reasons of writes of the Secret, with their numbers. */
  readonly reasons = new Map<string, number>();
  readonly story: string[] = [];

  constructor(seed: number) {
    this.#random = randomOf(seed);
    const bundles = (): Versioned<string>[] =>
      this.#bundles.map(({ version, value }) => ({ version, value }));
    this.#servers = [1, 2, 3].map(() => ({ skew: this.#skew(), bundles: bundles() }));
    const count = 2 + this.#random.int(4);
    this.#replicas = Array.from({ length: count }, (_, index) => this.#replica(`replica ${index}`));
  }

  play(steps: number): void {
    for (let step = 0; step < steps; step += 1) {
      this.#act();
      this.#propagate();
      this.#check();
    }
  }

  /** Runs without faults until the replicas have nothing to do. */
  settle(): void {
    for (const replica of this.#replicas) replica.isPartitioned = false;
    for (let round = 0; round < 40 && (round < 4 || !this.#areEqual); round += 1) {
      for (const replica of this.#replicas) this.#step(replica, false);
      this.#advance(settleMs);
    }
    this.#check();
    if (!this.#areEqual) throw new Error('replicas serve different certificates');
  }

  get #areEqual(): boolean {
    const served = new Set(this.#replicas.map(({ state }) => state.serving?.cert));
    return served.size === 1 && !served.has(undefined);
  }

  #act(): void {
    const random = this.#random;
    const replica = this.#anyReplica();
    const dice = random.int(100);
    if (dice < 60) this.#step(replica, true);
    else if (dice < 75) this.#advance(random.int(lagMs));
    else if (dice < 88) this.#rest(random.pick([60 * secondMs, hourMs]));
    else if (dice < 93) this.#crash(replica);
    else if (dice < 95) this.#partition(replica);
    else if (dice < 98 && this.#isInstalled) this.#disturbSecret();
    else this.#addForeign();
  }

  /** Lets time pass while replicas and API servers follow, as they do within a minute. */
  #rest(ms: number): void {
    this.#note(`${ms / secondMs} s pass`);
    for (const until = this.#now + ms; this.#now < until; ) {
      for (const replica of this.#replicas) this.#step(replica, false);
      // A partitioned replica does nothing: its last delay, which may be 0, must not split the time.
      const active = this.#replicas.filter(({ isPartitioned }) => !isPartitioned);
      const waitMs = Math.min(...active.map((replica) => replica.waitMs), until - this.#now);
      this.#advance(Math.max(secondMs, waitMs));
    }
  }

  #advance(ms: number): void {
    this.#now += ms;
    this.#propagate();
  }

  /** API servers receive bundles at random, and at the latest after `lagMs`. */
  #propagate(): void {
    for (const server of this.#servers) {
      server.bundles = this.#bundles.map(({ version, value, at }, index) => {
        const used = server.bundles[index];
        const isReceived = used === undefined || this.#now - at >= lagMs || this.#random.chance(0.2);
        return isReceived ? { version, value } : used;
      });
    }
  }

  #step(replica: SimulatedReplica, hasFaults: boolean): void {
    if (replica.isPartitioned) return;
    for (let round = 0; round < 6; round += 1) {
      this.#observe(replica, hasFaults);
      const { state, effects, waitMs } = replica.rotation.step(replica.state, {
        secret: stateOf(replica.secret),
        targets: replica.bundles.map(({ value }, index) => ({
          id: String(index),
          bundles: new Map([['', value]]),
        })),
        now: this.#now + replica.skew,
        uptimeMs: this.#now - this.#begun,
      });
      if (replica.state.serving === undefined && this.#isPropagating) replica.trustedAt = this.#now + lagMs;
      replica.state = state;
      replica.waitMs = waitMs;
      for (const effect of effects) {
        if (hasFaults && this.#random.chance(0.05)) {
          this.#crash(replica);
          return;
        }
        this.#execute(replica, effect, hasFaults);
      }
      if (effects.length === 0) return;
    }
  }

  #observe(replica: SimulatedReplica, hasFaults: boolean): void {
    const isSeen = (): boolean => !hasFaults || this.#random.chance(0.7);
    if (isSeen()) replica.secret = this.#secret;
    replica.bundles = replica.bundles.map((seen, index) =>
      isSeen() ? (this.#bundles[index] ?? seen) : seen,
    );
  }

  #execute(replica: SimulatedReplica, effect: RotationEffect, hasFaults: boolean): void {
    // A request that is lost; a lost response looks the same to the replica, which only observes.
    if (effect.type === 'serve' || (hasFaults && this.#random.chance(0.1))) return;
    if (effect.type === 'store') {
      const isCreation = effect.version === undefined;
      const isCurrent = isCreation
        ? this.#secret.value === undefined
        : this.#secret.value !== undefined && String(this.#secret.version) === effect.version;
      if (!isCurrent) return;
      this.#note(`${replica.name}: ${effect.reason}`);
      this.reasons.set(effect.reason, (this.reasons.get(effect.reason) ?? 0) + 1);
      this.#write(dataOf(effect.pairs));
      this.#history.push(dataOf(effect.pairs));
    } else if (effect.type === 'trust') {
      const index = Number(effect.id);
      if (replica.bundles[index]?.version !== this.#bundles[index]?.version) return;
      this.#setBundle(index, effect.bundles.get('') ?? '');
    }
  }

  #write(value: Secret['value']): void {
    this.#version += 1;
    this.#secret = { version: this.#version, value };
  }

  /** An API server that has not received the last bundle keeps the one before: its delay begins anew. */
  #setBundle(index: number, value: string): void {
    this.#version += 1;
    const { at = this.#now } = this.#bundles[index] ?? {};
    const isUsed = this.#servers.every(
      ({ bundles }) => bundles[index]?.version === this.#bundles[index]?.version,
    );
    this.#bundles[index] = { version: this.#version, value, at: isUsed ? this.#now : at };
  }

  get #isPropagating(): boolean {
    const isUsed = ({ bundles }: ApiServer): boolean =>
      this.#bundles.every(({ version }, index) => bundles[index]?.version === version);
    return !this.#servers.every(isUsed);
  }

  #crash(replica: SimulatedReplica): void {
    this.#note(`${replica.name} starts again`);
    this.#replicas[this.#replicas.indexOf(replica)] = this.#replica(replica.name);
  }

  #partition(replica: SimulatedReplica): void {
    replica.isPartitioned = !replica.isPartitioned;
    this.#step(replica, false);
    this.#note(`${replica.name} is ${replica.isPartitioned ? '' : 'not '}partitioned`);
  }

  #disturbSecret(): void {
    const kind = this.#random.pick(['deleted', 'damaged', 'restored']);
    this.#note(`the Secret is ${kind}`);
    const { value = {} } = this.#secret;
    if (kind === 'deleted') this.#write(undefined);
    else if (kind === 'restored') this.#write(this.#history[this.#random.int(this.#history.length)]);
    else
      this.#write({ ...value, [this.#random.pick(['tls.key', 'authority.key', 'tls.crt', 'next.crt'])]: '' });
  }

  #addForeign(): void {
    const index = this.#random.int(this.#bundles.length);
    this.#setBundle(index, (this.#bundles[index]?.value ?? '') + foreign);
  }

  /** Each API server trusts each certificate that is served. */
  #check(): void {
    const serving = this.#replicas.filter(
      ({ state, trustedAt }) => state.serving !== undefined && trustedAt <= this.#now,
    );
    const isTrusted = serving.every((replica) =>
      this.#servers.every((server) => this.#trusts(server, replica)),
    );
    if (isTrusted && serving.length > 0) this.#isInstalled = true;
    if (!isTrusted && this.#isInstalled) throw new Error('an API server does not trust a certificate');
  }

  #trusts({ skew, bundles }: ApiServer, { state, isPartitioned }: SimulatedReplica): boolean {
    const now = this.#now + skew;
    const [leaf = '', ...others] = splitBundle(state.serving?.cert ?? '');
    // A replica that cannot reach the cluster for longer than its certificate is valid has no valid one.
    if (!isValid(leaf, now)) return isPartitioned;
    return bundles.every(({ value }) => isChainTrusted([leaf, ...others], splitBundle(value), now));
  }

  #replica(name: string): SimulatedReplica {
    const skew = this.#skew();
    const hosts = { names: ['hooks.shop.svc'], addresses: [] };
    const issuer = new PairIssuer(hosts, validity, 'kgen-webhooks-test-', { now: () => this.#now + skew });
    const rotation = new Rotation(issuer, { validity, settleMs, jitter: this.#random.int(100) / 100 });
    return {
      name,
      rotation,
      skew,
      state: { trustedSince: new Map() },
      waitMs: 0,
      trustedAt: Number.NEGATIVE_INFINITY,
      secret: this.#secret,
      bundles: [...this.#bundles],
      isPartitioned: false,
    };
  }

  #anyReplica(): SimulatedReplica {
    const [first, ...others] = this.#replicas;
    if (first === undefined) throw new Error('there is a replica');
    return this.#random.pick([first, ...others]);
  }

  #skew(): number {
    return this.#random.int(2 * skewMs) - skewMs;
  }

  #note(event: string): void {
    this.story.push(`${((this.#now - this.#begun) / hourMs).toFixed(2)} h: ${event}`);
  }
}

const states = new WeakMap<Secret, SecretState>();

function stateOf(secret: Secret): SecretState {
  const { version, value } = secret;
  if (value === undefined) return { type: 'absent' };
  const known = states.get(secret) ?? { type: 'kept', pairs: pairsOf(value), version: String(version) };
  states.set(secret, known);
  return known;
}

const parsed = new Map<string, X509Certificate>();

function parse(pem: string): X509Certificate {
  const known = parsed.get(pem) ?? new X509Certificate(pem);
  parsed.set(pem, known);
  return known;
}

function isValid(pem: string, now: number): boolean {
  const { validFrom, validTo } = parse(pem);
  return Date.parse(validFrom) <= now && now <= Date.parse(validTo);
}

const signatures = new Map<string, boolean>();

function isIssued(pem: string, by: string): boolean {
  const key = pem + by;
  const issuer = parse(by);
  const known =
    signatures.get(key) ?? (parse(pem).checkIssued(issuer) && parse(pem).verify(issuer.publicKey));
  signatures.set(key, known);
  return known;
}

/** A certificate of a bundle has issued the first one, or another one that has. */
function isChainTrusted(
  [leaf = '', ...others]: readonly string[],
  roots: readonly string[],
  now: number,
): boolean {
  const valid = [...roots].filter((root) => isValid(root, now));
  if (valid.some((root) => isIssued(leaf, root))) return true;
  const between = others.filter((each) => isValid(each, now) && isIssued(leaf, each));
  return between.some((each) => valid.some((root) => isIssued(each, root)));
}
