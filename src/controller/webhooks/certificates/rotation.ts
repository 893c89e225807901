/**
 * Rotation of certificates as a step function: the Secret, the bundles of API servers and the time ->
 * effects.
 *
 * An authority is followed by another one in four steps, each of which any replica may take: `next` is
 * stored; all bundles contain it; it becomes the authority and issues the certificate of the servers; the
 * previous one is removed after its last certificate has expired. Every bundle contains the authority of each
 * certificate that a replica may serve, and the certificate after a rotation is trusted by API servers that
 * have not yet received the new authority, too (`crossSign`).
 */
import type { KeyPair } from '@kgen/certificates/authority';
import { certificateFacts } from '@kgen/certificates/facts';
import { certificatesOf, combine, contains, isTrusted } from './bundles.ts';
import type { KeptPairs, PairIssuer, Validity } from './kept-pairs.ts';

/** The Secret, as this process has observed it: `foreign` if it was not created by a keeper of pairs. */
export type SecretState =
  | { readonly type: 'absent' | 'foreign' }
  /** `pairs` are the valid parts of its content. */
  | { readonly type: 'kept'; readonly pairs: Partial<KeptPairs>; readonly version: string };

/** A configuration or a definition, as this process has observed it. */
export interface ObservedTarget {
  readonly id: string;
  /**
   * Bundles in PEM by the names of their webhooks; empty if they are not set. Absent before the first read.
   */
  readonly bundles: ReadonlyMap<string, string> | undefined;
}

/** Observations of one step. */
export interface Observation {
  readonly secret: SecretState;
  readonly targets: readonly ObservedTarget[];
  /** System clock, in milliseconds since 1970. */
  readonly now: number;
  /** Monotonic clock, in milliseconds. */
  readonly uptimeMs: number;
}

/** State of a replica between steps. */
export interface ReplicaState {
  /** Last complete content of the Secret. */
  readonly memory?: KeptPairs | undefined;
  /** Pair that the server uses. */
  readonly serving?: KeyPair | undefined;
  /** Uptime since which all bundles trust a certificate, by its PEM. */
  readonly trustedSince: ReadonlyMap<string, number>;
  /** First observation of a complete Secret. */
  readonly first?: { readonly uptimeMs: number; readonly isTakeover: boolean } | undefined;
}

/** Action that a step demands. */
export type RotationEffect =
  /** Creates the Secret, or replaces it if it still has this version. */
  | {
      readonly type: 'store';
      readonly pairs: KeptPairs;
      readonly version: string | undefined;
      readonly reason: string;
    }
  /** Sets all bundles of a target. */
  | { readonly type: 'trust'; readonly id: string; readonly bundles: ReadonlyMap<string, string> }
  | { readonly type: 'serve'; readonly pair: KeyPair }
  /** The Secret belongs to somebody else. */
  | { readonly type: 'refuse' };

/** Result of a step. */
export interface RotationStep {
  readonly state: ReplicaState;
  readonly effects: readonly RotationEffect[];
  /** Time until the next step if nothing changes before, in milliseconds. */
  readonly waitMs: number;
}

/** Parameters of the rotation. */
export interface RotationSettings {
  readonly validity: Validity;
  /** Time for which all bundles trust an authority before it is relied on, in milliseconds. */
  readonly settleMs: number;
  /** Number from 0 to 1 of this replica, by which it acts later than others: usually one of them acts. */
  readonly jitter: number;
}

/** Time between two steps in milliseconds: system clocks may be set. */
const longestMs = 3_600_000;
const shortestMs = 10;

/** Certificates are renewed when this part of their validity is left, and by the jitter later. */
const renewalPart = 1 / 3;
const jitterPart = 0.3;

/** Decisions of one replica. */
export class Rotation {
  readonly #issuer: PairIssuer;
  readonly #settings: RotationSettings;

  constructor(issuer: PairIssuer, settings: RotationSettings) {
    this.#issuer = issuer;
    this.#settings = settings;
  }

  /** Decides the next actions. After each of them, the step is repeated with new observations. */
  step(before: ReplicaState, seen: Observation): RotationStep {
    const { secret } = seen;
    if (secret.type === 'foreign') return { state: before, effects: [{ type: 'refuse' }], waitMs: longestMs };
    const kept = secret.type === 'kept' ? complete(secret.pairs) : undefined;
    const state = kept === undefined ? before : this.#known(before, seen, kept);
    const change = kept === undefined ? this.#recovered(before, seen) : this.#changed(kept, state, seen);
    if (change !== undefined || kept === undefined) {
      const version = secret.type === 'kept' ? secret.version : undefined;
      const effects = change === undefined ? [] : [{ type: 'store', version, ...change } as const];
      return { state, effects, waitMs: longestMs };
    }
    const trusts = this.#trusts(kept, seen);
    if (!this.#isServable(kept, state, seen)) {
      return { state, effects: trusts, waitMs: this.#waitMs(kept, state, seen) };
    }
    const isNew = kept.leaf.cert !== before.serving?.cert;
    const serves = isNew ? [{ type: 'serve', pair: kept.leaf } as const] : [];
    const served = { ...state, serving: kept.leaf };
    return { state: served, effects: [...trusts, ...serves], waitMs: this.#waitMs(kept, served, seen) };
  }

  #known(before: ReplicaState, seen: Observation, kept: KeptPairs): ReplicaState {
    const { targets, uptimeMs } = seen;
    const certs = [kept.leaf.cert, ...(kept.next === undefined ? [] : [kept.next.cert])];
    const trusted = certs.filter((cert) => isTrustedBy(targets, cert));
    const since = (cert: string): number => before.trustedSince.get(cert) ?? uptimeMs;
    return {
      memory: kept,
      serving: before.serving,
      trustedSince: new Map(trusted.map((cert) => [cert, since(cert)])),
      first: before.first ?? { uptimeMs, isTakeover: this.#isTakeover(kept, seen) },
    };
  }

  /** Whether other replicas may serve certificates of another authority than that of the Secret. */
  #isTakeover({ leaf }: KeptPairs, { targets, now }: Observation): boolean {
    const isOwn = (cert: string): boolean => {
      const { subject, until } = certificateFacts(cert);
      return this.#issuer.isOwn(subject) && until > now;
    };
    const bundles = targets.flatMap((target) => [...(target.bundles?.values() ?? [])]);
    return bundles.some((bundle) => !isTrusted(leaf.cert, bundle) && certificatesOf(bundle).some(isOwn));
  }

  /** Returns the content of a Secret that is absent or damaged. */
  #recovered({ memory }: ReplicaState, { secret, now }: Observation): Change {
    if (memory !== undefined && untilOf(memory.authority) > now) {
      return { pairs: memory, reason: 'the Secret was deleted or damaged; its last content is stored again' };
    }
    const { authority = undefined } = secret.type === 'kept' ? secret.pairs : {};
    return authority !== undefined && untilOf(authority) > now
      ? { pairs: this.#issuer.renewed({ authority }), reason: 'the certificate in the Secret is damaged' }
      : { pairs: this.#issuer.first(), reason: 'the Secret has no authority' };
  }

  /** Returns the next content of a complete Secret; `undefined` if nothing is due. */
  #changed(kept: KeptPairs, state: ReplicaState, seen: Observation): Change | undefined {
    const { authority, leaf, previous } = kept;
    const { now, targets } = seen;
    const next = this.#usableNext(kept, now);
    if (untilOf(authority) <= now) {
      const pairs = next === undefined ? this.#issuer.first() : this.#issuer.renewed({ authority: next });
      return { pairs, reason: 'the authority has expired' };
    }
    if (untilOf(leaf) <= now || !this.#issuer.hasNames(leaf.cert)) {
      return { pairs: this.#issuer.renewed(kept), reason: 'the certificate has expired, or lacks a name' };
    }
    if (next !== undefined && this.#settlesIn(next.cert, state, seen, 1 + this.#settings.jitter) <= 0) {
      return { pairs: this.#issuer.promoted(kept, next), reason: 'all bundles contain the next authority' };
    }
    if (this.#leafDueAt(kept) <= now)
      return { pairs: this.#issuer.renewed(kept), reason: 'the certificate is due' };
    if (next === undefined && this.#authorityDueAt(kept) <= now) {
      return { pairs: { ...kept, next: this.#issuer.authority() }, reason: 'the authority is due' };
    }
    const isRetired = previous !== undefined && this.#retiresAt(previous) <= now;
    return isRetired && !targets.some((target) => mayContain(target, previous.authority))
      ? { pairs: { ...kept, previous: undefined }, reason: 'no bundle contains the previous authority' }
      : undefined;
  }

  #trusts(
    { authority, next, previous }: KeptPairs,
    { now, targets }: Observation,
  ): readonly RotationEffect[] {
    const isRetired = previous !== undefined && this.#retiresAt(previous) <= now;
    const old = previous === undefined ? [] : [previous.authority];
    const change = {
      trusted: [authority.cert, ...(next === undefined ? [] : [next.cert]), ...(isRetired ? [] : old)],
      retired: isRetired ? old : [],
      isOwn: (subject: string) => this.#issuer.isOwn(subject),
      now: now - 2 * this.#settings.validity.clockMs,
    };
    return targets.flatMap(({ id, bundles = new Map<string, string>() }): readonly RotationEffect[] => {
      const desired = new Map([...bundles].map(([name, bundle]) => [name, combine(bundle, change)]));
      const isSame = [...bundles].every(([name, bundle]) => desired.get(name) === bundle);
      return isSame ? [] : [{ type: 'trust', id, bundles: desired }];
    });
  }

  /** Whether the server may use the certificate of the Secret in place of its present one. */
  #isServable({ leaf }: KeptPairs, state: ReplicaState, seen: Observation): boolean {
    const { serving, first } = state;
    if (serving?.cert === leaf.cert) return true;
    const isNowTrusted = state.trustedSince.has(leaf.cert);
    if (serving === undefined && first?.isTakeover !== true && isNowTrusted) return true;
    if (serving === undefined && this.#patienceMs(state, seen) <= 0) return true;
    if (serving === undefined) return this.#settlesIn(leaf.cert, state, seen) <= 0;
    if (untilOf(serving) <= seen.now) return true;
    return isTrustedBy(seen.targets, serving.cert)
      ? this.#settlesIn(leaf.cert, state, seen) <= 0
      : isNowTrusted;
  }

  /** Returns the time until a replica serves a certificate that a bundle does not trust, rather than none. */
  #patienceMs({ first }: ReplicaState, { uptimeMs }: Observation): number {
    return (first?.uptimeMs ?? uptimeMs) + 2 * this.#settings.settleMs - uptimeMs;
  }

  /** Returns the time until a certificate was trusted long enough; infinite if it is not trusted. */
  #settlesIn(
    cert: string,
    { trustedSince }: ReplicaState,
    { uptimeMs }: Observation,
    factor: number = 1,
  ): number {
    const since = trustedSince.get(cert);
    return since === undefined
      ? Number.POSITIVE_INFINITY
      : since + factor * this.#settings.settleMs - uptimeMs;
  }

  /** Returns the next authority, if it is valid long enough. */
  #usableNext({ next }: KeptPairs, now: number): KeyPair | undefined {
    const leftMs = next === undefined ? 0 : untilOf(next) - now;
    return leftMs > renewalPart * this.#settings.validity.authorityMs ? next : undefined;
  }

  #authorityDueAt({ authority }: KeptPairs): number {
    return this.#dueAt(untilOf(authority), this.#settings.validity.authorityMs);
  }

  /** A certificate that ends with its authority is not renewed before the authority is. */
  #leafDueAt({ authority, leaf }: KeptPairs): number {
    const until = untilOf(leaf);
    return until >= untilOf(authority) - 1000 ? until : this.#dueAt(until, this.#settings.validity.leafMs);
  }

  #dueAt(until: number, validMs: number): number {
    return until - renewalPart * (1 - jitterPart * this.#settings.jitter) * validMs;
  }

  #retiresAt({ leaf }: { readonly leaf: string }): number {
    return certificateFacts(leaf).until + 2 * this.#settings.validity.clockMs;
  }

  #waitMs(kept: KeptPairs, state: ReplicaState, seen: Observation): number {
    const { jitter } = this.#settings;
    const { serving } = state;
    const pending = serving?.cert === kept.leaf.cert ? [] : [this.#settlesIn(kept.leaf.cert, state, seen)];
    const patience = serving === undefined ? [this.#patienceMs(state, seen)] : [];
    const next = kept.next === undefined ? [] : [this.#settlesIn(kept.next.cert, state, seen, 1 + jitter)];
    const dueAt = [
      this.#leafDueAt(kept),
      ...(kept.next === undefined ? [this.#authorityDueAt(kept)] : []),
      ...(kept.previous === undefined ? [] : [this.#retiresAt(kept.previous)]),
    ].filter((at) => at > seen.now);
    const waits = [...pending, ...patience, ...next, ...dueAt.map((at) => at - seen.now)];
    return Math.max(
      shortestMs,
      waits.reduce((least, wait) => Math.min(least, wait), longestMs),
    );
  }
}

interface Change {
  readonly pairs: KeptPairs;
  /** For the log. */
  readonly reason: string;
}

function complete({ authority, leaf, ...others }: Partial<KeptPairs>): KeptPairs | undefined {
  return authority === undefined || leaf === undefined ? undefined : { authority, leaf, ...others };
}

/** Whether API servers with these bundles trust an authority, or a certificate with those that follow it. */
function isTrustedBy(targets: readonly ObservedTarget[], cert: string): boolean {
  return targets.every(
    ({ bundles }) =>
      bundles !== undefined && [...bundles.values()].every((bundle) => isTrusted(cert, bundle)),
  );
}

function mayContain({ bundles }: ObservedTarget, cert: string): boolean {
  return bundles === undefined || [...bundles.values()].some((bundle) => contains(bundle, cert));
}

function untilOf({ cert }: KeyPair): number {
  return certificateFacts(cert).until;
}
