/** Certificates of webhooks that the replicas of an operator keep in a Secret. */
import { createHash } from 'node:crypto';
import type { Hosts } from '@kgen/certificates/authority';
import { type Informer, InformerFactory, isAlreadyExists, isConflict, type RESTClient } from '@kgen/runtime';
import type { Unstructured, VersionedResourceName } from '@kgen/runtime/dynamic';
import type { RuntimeEnvironment } from '@kgen/runtime/informers';
import { Counter, type Registry } from 'prom-client';
import { errorOf, ManagerStartError } from '../../errors.ts';
import type { CertificatePair, CertificateSource } from '../../health/certificate-files.ts';
import { childLogger, FailureLog, type Logger } from '../../log.ts';
import { isObject, type JsonObject, member, metadataString } from '../../members.ts';
import { type KeptPairs, PairIssuer, type Validity } from './kept-pairs.ts';
import { type Observation, type ReplicaState, Rotation, type RotationEffect } from './rotation.ts';
import { type SecretPlace, secretStateOf, storeSecret } from './secret-requests.ts';
import { applyBody, type BundleTarget, bundleOwners, bundlesOf, pathOf, resourceOf } from './targets.ts';

const dayMs = 86_400_000;

/** Usual validity of certificates. */
export const usualValidity: Validity = { authorityMs: 365 * dayMs, leafMs: 90 * dayMs, clockMs: 600_000 };
const usualSettleMs = 30_000;

/** Delays after a failure, in milliseconds: the first one, which doubles, and the longest. */
const retryMs = 500;
const longestRetryMs = 60_000;

/** Parts of `SecretCertificates`. */
export interface SecretCertificatesParts {
  /** Client whose writes need no leadership. */
  readonly rest: RESTClient;
  /** Name of the operator, in the names of its field manager and of its Secret. */
  readonly name: string;
  readonly namespace: string;
  /** Service through which API servers reach the webhooks. */
  readonly service: string;
  /** Name of the Secret. Default: `NAME-webhook-certificates`. */
  readonly secretName?: string | undefined;
  /** Further names and IPv4 addresses of the server, such as for `url` of configurations. Default: none. */
  readonly hosts?: Hosts | undefined;
  /** Configurations and definitions whose `caBundle` is kept. Those that do not exist are followed, too. */
  readonly targets: readonly BundleTarget[];
  readonly log: Logger;
  readonly environment: RuntimeEnvironment;
  readonly registry: Registry;
  /** Default: an authority for a year, certificates for 90 days, clocks that differ by 10 minutes. */
  readonly validity?: Validity | undefined;
  /**
   * Time for which all bundles contain an authority before it issues certificates, in milliseconds. Default:
   * 30 s.
   */
  readonly settleMs?: number | undefined;
  /** System clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Random bytes of keys. Default: those of `node:crypto`. */
  readonly randomBytes?: ((size: number) => Uint8Array) | undefined;
}

/** Returns the field manager of bundles: it owns each `caBundle` and nothing else. */
export function certificatesManager(name: string): string {
  return `${name}-certificates`;
}

/** Returns the name of the Secret of an operator. */
export function certificatesSecret(name: string): string {
  return `${name}-webhook-certificates`;
}

const secrets: VersionedResourceName = {
  group: '',
  version: 'v1',
  resource: 'secrets',
  kind: 'Secret',
  scope: 'Namespaced',
};

/** A target, and the informer of the one object. */
interface FollowedTarget extends BundleTarget {
  readonly id: string;
  readonly informer: Informer<Unstructured>;
}

/**
 * Keeps a certificate in a Secret, and its authority in the bundles of configurations and definitions. All
 * replicas serve the certificate of the Secret; each may write it, and the `resourceVersion` of the Secret
 * lets one of them succeed. Nothing is requested while nothing changes.
 */
export class SecretCertificates implements CertificateSource {
  readonly #parts: SecretCertificatesParts;
  readonly #place: SecretPlace;
  readonly #rotation: Rotation;
  readonly #factory: InformerFactory;
  readonly #secret: Informer<Unstructured>;
  readonly #targets: readonly FollowedTarget[];
  readonly #hosts: Hosts;
  readonly #log: Logger;
  readonly #failures: FailureLog;
  readonly #resets: Counter<'kind' | 'name'>;
  readonly #ending = new AbortController();
  #first:
    | { readonly resolve: (pair: CertificatePair) => void; readonly reject: (error: Error) => void }
    | undefined;
  #use: (pair: CertificatePair) => void = () => undefined;
  #state: ReplicaState = { trustedSince: new Map() };
  #running: Promise<void> | undefined;
  #isOutdated = false;
  #failed = 0;
  #cancel = (): void => undefined;

  constructor(parts: SecretCertificatesParts) {
    const { rest, name, namespace, service, environment, log, registry } = parts;
    const { validity = usualValidity, settleMs = usualSettleMs } = parts;
    this.#parts = parts;
    this.#place = { namespace, service, name: parts.secretName ?? certificatesSecret(name) };
    this.#hosts = hostsOf(parts);
    const issuer = new PairIssuer(this.#hosts, validity, prefixOf(this.#place), parts);
    this.#rotation = new Rotation(issuer, { validity, settleMs, jitter: environment.random() });
    this.#log = childLogger(log, { part: 'webhook certificates' });
    this.#failures = new FailureLog({ log: this.#log, clock: environment.clock, lastingMs: longestRetryMs });
    this.#resets = new Counter({
      name: 'kgen_webhook_ca_bundle_resets_total',
      help: 'Bundles of webhooks that another field manager had set, and that were set again',
      labelNames: ['kind', 'name'],
      registers: [registry],
    });
    this.#factory = new InformerFactory(rest, { environment });
    this.#secret = this.#factory.of(secrets, {
      namespace,
      fieldSelector: `metadata.name=${this.#place.name}`,
    });
    this.#targets = parts.targets.map((target) => {
      const informer: Informer<Unstructured> = this.#factory.of(resourceOf(target), {
        fieldSelector: `metadata.name=${target.name}`,
      });
      return { ...target, id: `${target.kind} ${target.name}`, informer };
    });
  }

  /**
   * Resolves with the first pair, as soon as the observed bundles trust it, or after twice `settleMs`. If
   * other replicas may serve a certificate of another authority, the bundles trust it for `settleMs` before.
   * @throws {ManagerStartError} if a Secret of this name was created by somebody else
   */
  start(): Promise<CertificatePair> {
    const first = new Promise<CertificatePair>((resolve, reject) => {
      this.#first = { resolve, reject };
    });
    this.#factory.on('error', (error, { informer }) => {
      this.#failures.failed(`${informer} cannot be read: ${messageOf(error)}`, { informer });
    });
    const changed = (): void => this.#changed();
    for (const informer of [this.#secret, ...this.#targets.map((target) => target.informer)]) {
      informer.handle({ add: changed, update: changed, delete: changed });
    }
    void this.#factory.start({ signal: this.#ending.signal });
    for (const { informer } of [{ informer: this.#secret }, ...this.#targets]) {
      informer.synced.then(changed, () => undefined);
    }
    return first;
  }

  /** Sets the function that receives each later pair. */
  onChange(use: (pair: CertificatePair) => void): void {
    this.#use = use;
  }

  /** Ends all requests. Never rejects. */
  async close(): Promise<void> {
    this.#ending.abort(new Error('the webhooks were stopped'));
    this.#cancel();
    this.#first?.reject(new Error('the webhooks were stopped'));
    await this.#running;
    await this.#factory.stop().catch(() => undefined);
  }

  #changed(): void {
    this.#isOutdated = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isOutdated) this.#changed();
    });
  }

  async #run(): Promise<void> {
    this.#cancel();
    let waitMs = longestRetryMs;
    while (this.#isOutdated && !this.#isEnded) {
      this.#isOutdated = false;
      try {
        waitMs = await this.#pass();
        this.#failed = 0;
      } catch (error) {
        waitMs = this.#delayAfter(error);
      }
    }
    this.#isOutdated = false;
    if (!this.#isEnded) this.#cancel = this.#clock.timer(waitMs, () => this.#changed());
  }

  /** Returns the delay after a failure. Other replicas cause conflicts, whose result the informers bring. */
  #delayAfter(error: unknown): number {
    if (isConflict(error) || isAlreadyExists(error)) return retryMs;
    if (!this.#isEnded) this.#failures.failed(`certificates were not kept: ${messageOf(error)}`);
    this.#failed += 1;
    const delayMs = Math.min(longestRetryMs, retryMs * 2 ** this.#failed);
    return delayMs * (0.5 + 0.5 * this.#parts.environment.random());
  }

  /** Takes a step, and returns the time until the next one. */
  async #pass(): Promise<number> {
    if (!this.#secret.isSynced) return longestRetryMs;
    const { state, effects, waitMs } = this.#rotation.step(this.#state, this.#observation());
    this.#state = state;
    const failures: unknown[] = [];
    for (const effect of effects) {
      await this.#execute(effect).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
    return waitMs;
  }

  #observation(): Observation {
    const secret = this.#secret.find(this.#place);
    const targets = this.#targets.map(({ id, informer, name }) => {
      const object = informer.find({ name });
      return {
        id,
        bundles: informer.isSynced ? bundlesOf(object, (config) => this.#isOwn(config)) : undefined,
      };
    });
    const now = (this.#parts.now ?? Date.now)();
    return { secret: secretStateOf(secret, this.#place), targets, now, uptimeMs: this.#clock.now() };
  }

  async #execute(effect: RotationEffect): Promise<void> {
    switch (effect.type) {
      case 'store':
        return this.#store(effect.pairs, effect.reason);
      case 'trust':
        return this.#trust(effect.id, effect.bundles);
      case 'serve':
        this.#log.info({ secret: this.#place.name }, 'the certificate of the webhooks was exchanged');
        if (this.#first === undefined) this.#use(effect.pair);
        this.#first?.resolve(effect.pair);
        this.#first = undefined;
        return;
      case 'refuse':
        return this.#refuse();
    }
  }

  async #store(pairs: KeptPairs, reason: string): Promise<void> {
    const { rest } = this.#parts;
    const read = this.#secret.find(this.#place);
    const stored = await storeSecret(rest, this.#place, read, pairs, this.#ending.signal);
    this.#log.info({ secret: this.#place.name, reason }, `the Secret of the webhooks was written: ${reason}`);
    this.#factory.informers.recordWrite(secrets, { object: stored });
    this.#isOutdated = true;
  }

  /** Sets the bundles of an object, unless it has changed since it was observed. */
  async #trust(id: string, bundles: ReadonlyMap<string, string>): Promise<void> {
    const target = this.#targets.find((each) => each.id === id);
    const observed = target?.informer.find({ name: target.name });
    if (target === undefined || observed === undefined) return;
    const { rest, name } = this.#parts;
    const [template, path, { signal }] = [pathOf(target), { name: target.name }, this.#ending];
    const read = await rest.get(template, { path, signal });
    if (metadataString(read, 'resourceVersion') !== metadataString(observed, 'resourceVersion')) return;
    const fieldManager = certificatesManager(name);
    const applied = await rest.patch(template, {
      path,
      query: { fieldManager, force: true },
      contentType: 'application/apply-patch+yaml',
      body: applyBody(target, read, bundles),
      signal,
    });
    this.#factory.informers.recordWrite(resourceOf(target), { object: applied });
    this.#isOutdated = true;
    const others = [...bundles.keys()].flatMap((webhook) => bundleOwners(read, webhook));
    const managers = [...new Set(others)].filter((manager) => manager !== fieldManager);
    if (managers.length === 0) return;
    this.#resets.inc({ kind: target.kind, name: target.name });
    const advice = 'remove the field clientConfig.caBundle from its manifests';
    this.#log.warn(
      { kind: target.kind, name: target.name, managers },
      `caBundle of ${id} had been set by ${managers.join(', ')}, and was set again; ${advice}`,
    );
  }

  #refuse(): void {
    const { name, namespace, service } = this.#place;
    const error = new ManagerStartError(
      `the Secret ${name} in namespace ${namespace} exists, and does not contain the certificates of the Service ${service}: delete or rename it, or choose another name for that of the webhooks`,
    );
    if (this.#first === undefined) this.#failures.failed(error.message);
    this.#first?.reject(error);
    this.#first = undefined;
  }

  /** Whether an API server reaches the webhooks of this operator by the configuration of a client. */
  #isOwn(config: JsonObject): boolean {
    const { namespace, service } = this.#place;
    const reference = member(config, 'service');
    if (isObject(reference)) return reference['name'] === service && reference['namespace'] === namespace;
    const url = member(config, 'url');
    const host = typeof url === 'string' && URL.canParse(url) ? new URL(url).hostname : '';
    return [...this.#hosts.names, ...this.#hosts.addresses].includes(host);
  }

  get #clock(): RuntimeEnvironment['clock'] {
    return this.#parts.environment.clock;
  }

  get #isEnded(): boolean {
    return this.#ending.signal.aborted;
  }
}

/**
 * Returns the message of an error without parts of keys and certificates: servers, and webhooks of Secrets,
 * can repeat the body of a request. They have at least 32 characters of base64 in each line, also if they are
 * encoded twice, and names of resources have fewer.
 */
function messageOf(error: unknown): string {
  return errorOf(error).message.replaceAll(/[A-Za-z0-9+/=]{32,}|-----[A-Z ]+-----/g, '…');
}

function hostsOf({ service, namespace, hosts }: SecretCertificatesParts): Hosts {
  const names = [
    service,
    `${service}.${namespace}`,
    `${service}.${namespace}.svc`,
    `${service}.${namespace}.svc.cluster.local`,
  ];
  return {
    names: [...names, 'localhost', ...(hosts?.names ?? [])],
    addresses: ['127.0.0.1', ...(hosts?.addresses ?? [])],
  };
}

/** Returns the beginning of the common names of authorities, which other Secrets do not have. */
function prefixOf({ namespace, name }: SecretPlace): string {
  return `kgen-webhooks-${createHash('sha256').update(`${namespace}/${name}`).digest('hex').slice(0, 8)}-`;
}
