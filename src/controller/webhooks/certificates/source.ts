/** Choice of the certificate of webhooks. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hosts } from '@kgen/certificates/authority';
import {
  type CertificatePair,
  type CertificateSource,
  readCertificate,
  WatchedFiles,
} from '../../health/certificate-files.ts';
import type { RunnableHost } from '../../manager/options.ts';
import { type RegisteredDeclaration, resourceName } from '../declarations/registered.ts';
import { serviceName } from '../registration/configurations.ts';
import { SecretCertificates } from './secret-certificates.ts';
import type { BundleTarget } from './targets.ts';

/** Folder into which the manifests of cert-manager, service-ca and OLM mount the certificate. */
const usualFolder = '/tmp/k8s-webhook-server/serving-certs';

/** Options of the certificate of webhooks. */
export interface CertificateOptions {
  /**
   * Folder with `tls.crt` and `tls.key`, as cert-manager, service-ca of OpenShift and OLM write them. They
   * are read again every 10 s. Default: `/tmp/k8s-webhook-server/serving-certs` if it has a certificate;
   * otherwise the Secret of `secret`.
   */
  readonly directory?: string | undefined;
  /** Secret in which the replicas keep a certificate, and its authority. Not used if files are mounted. */
  readonly secret?: CertificateSecretOptions | undefined;
}

/** Options of the Secret of certificates. */
export interface CertificateSecretOptions {
  /** Namespace of the operator. Default: that of the configuration, in a Pod its own. */
  readonly namespace?: string | undefined;
  /** Name of the Secret. Default: `NAME-webhook-certificates`, with the name of the manager. */
  readonly name?: string | undefined;
  /** Service of the webhooks. Default: `NAME-webhook`. */
  readonly service?: string | undefined;
  /**
   * Further names and IPv4 addresses of the server, for configurations with a `url`. Default: `localhost` and
   * `127.0.0.1` only.
   */
  readonly hosts?: Hosts | undefined;
}

/** Chooses a source when it starts, because files may be mounted later than the program is written. */
export class ChosenCertificates implements CertificateSource {
  readonly #options: CertificateOptions;
  readonly #host: RunnableHost;
  readonly #targets: readonly BundleTarget[];
  #use: (pair: CertificatePair) => void = () => undefined;
  #source: CertificateSource | undefined;
  #isClosed = false;

  constructor(
    options: CertificateOptions,
    host: RunnableHost,
    declarations: readonly RegisteredDeclaration[],
  ) {
    this.#options = options;
    this.#host = host;
    this.#targets = targetsOf(declarations, host.name);
  }

  async start(): Promise<CertificatePair> {
    const source = await this.#choose();
    if (this.#isClosed) throw new Error('the webhooks were stopped');
    this.#source = source;
    source.onChange(this.#use);
    return source.start();
  }

  onChange(use: (pair: CertificatePair) => void): void {
    this.#use = use;
  }

  close(): Promise<void> | void {
    this.#isClosed = true;
    return this.#source?.close();
  }

  async #choose(): Promise<CertificateSource> {
    const folder = this.#options.directory ?? usualFolder;
    const files = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') };
    if (this.#options.directory === undefined && !(await exists(files.certFile))) return this.#kept();
    const { environment, log, metrics } = this.#host;
    return new WatchedFiles({
      files,
      read: () => readCertificate(files),
      wasRead: metrics.certificateRead,
      clock: environment.clock,
      log,
    });
  }

  #kept(): CertificateSource {
    const { name, rest, log, environment, metrics } = this.#host;
    const {
      namespace = rest.namespace,
      name: secretName,
      service = serviceName(name),
      hosts,
    } = this.#options.secret ?? {};
    const targets = this.#targets;
    const { registry } = metrics;
    return new SecretCertificates({
      rest,
      name,
      namespace,
      service,
      secretName,
      hosts,
      targets,
      log,
      environment,
      registry,
    });
  }
}

/** Returns the objects that `registerWebhooks` writes for declarations. */
function targetsOf(declarations: readonly RegisteredDeclaration[], name: string): readonly BundleTarget[] {
  const has = (type: RegisteredDeclaration['type']): boolean =>
    declarations.some((each) => each.type === type);
  const conversions = declarations.filter((each) => each.type === 'converts');
  return [
    ...(has('defaults') ? [{ kind: 'MutatingWebhookConfiguration', name } as const] : []),
    ...(has('validates') ? [{ kind: 'ValidatingWebhookConfiguration', name } as const] : []),
    ...conversions.map(
      ({ resource }) => ({ kind: 'CustomResourceDefinition', name: resourceName(resource) }) as const,
    ),
  ];
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
