/** Replicas that keep certificates, and the objects in which they are kept. */
import { inspect } from 'node:util';
import type { Hosts, KeyPair } from '@kgen/certificates/authority';
import { type ClusterConfig, RESTClient } from '@kgen/runtime';
import { type RuntimeEnvironment, systemEnvironment } from '@kgen/runtime/informers';
import type { Transport } from '@kgen/runtime/rest';
import { Registry } from 'prom-client';
import type { Validity } from '../../src/controller/webhooks/certificates/kept-pairs.ts';
import { SecretCertificates } from '../../src/controller/webhooks/certificates/secret-certificates.ts';
import type { BundleTarget } from '../../src/controller/webhooks/certificates/targets.ts';

/** An operator with its namespace. */
export interface Installation {
  readonly config: ClusterConfig;
  readonly name: string;
  readonly namespace: string;
  readonly targets: readonly BundleTarget[];
}

/** Options of a replica that differ from those of others. */
export interface ReplicaOptions {
  readonly validity?: Validity | undefined;
  readonly settleMs?: number | undefined;
  readonly now?: (() => number) | undefined;
  readonly hosts?: Hosts | undefined;
  readonly environment?: RuntimeEnvironment | undefined;
  readonly transport?: Transport | undefined;
}

/** A replica, with its log and the pairs that it has served. */
export class Replica {
  readonly certificates: SecretCertificates;
  readonly registry = new Registry();
  readonly log: string[] = [];
  readonly pairs: KeyPair[] = [];
  /** Writes that were sent: their methods and paths. */
  readonly writes: string[] = [];
  readonly #rest: RESTClient;

  constructor(
    { config, name, namespace, targets }: Installation,
    { transport, environment = systemEnvironment, ...options }: ReplicaOptions = {},
  ) {
    const write = (fields: object, message: string): void => {
      this.log.push(`${message} ${inspect(fields, { depth: 20, maxStringLength: null })}`);
    };
    this.#rest = new RESTClient(config, {
      transport,
      beforeSend: ({ method, path }) => {
        if (method !== 'GET') this.writes.push(`${method} ${path}`);
        return undefined;
      },
    });
    this.certificates = new SecretCertificates({
      rest: this.#rest,
      name,
      namespace,
      service: name,
      targets,
      log: { debug: write, info: write, warn: write, error: write },
      environment,
      registry: this.registry,
      ...options,
    });
    this.certificates.onChange((pair) => this.pairs.push(pair));
  }

  async start(): Promise<this> {
    this.pairs.push(await this.certificates.start());
    return this;
  }

  /** Pair that it serves. */
  get pair(): KeyPair {
    const pair = this.pairs.at(-1);
    if (pair === undefined) throw new Error('the replica has not started');
    return pair;
  }

  async stop(): Promise<void> {
    await this.certificates.close();
    await this.#rest.close();
  }
}
