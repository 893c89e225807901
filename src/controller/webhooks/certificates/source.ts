/** Choice of the certificate of webhooks. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { ManagerStartError } from '../../errors.ts';
import {
  type CertificatePair,
  type CertificateSource,
  readCertificate,
  WatchedFiles,
} from '../../health/certificate-files.ts';
import type { RunnableHost } from '../../manager/options.ts';

/** Folder into which the manifests of cert-manager, service-ca and OLM mount the certificate. */
const usualFolder = '/tmp/k8s-webhook-server/serving-certs';

/** Options of the certificate of webhooks. */
export interface CertificateOptions {
  /**
   * Folder with `tls.crt` and `tls.key`, as cert-manager, service-ca of OpenShift and OLM write them, which
   * are read again every 10 s. Default: `/tmp/k8s-webhook-server/serving-certs`, if it has a certificate.
   */
  readonly directory?: string | undefined;
}

/** Chooses a source when it starts, because files may be mounted later than the program is written. */
export class ChosenCertificates implements CertificateSource {
  readonly #options: CertificateOptions;
  readonly #host: RunnableHost;
  #use: (pair: CertificatePair) => void = () => undefined;
  #source: CertificateSource | undefined;
  #isClosed = false;

  constructor(options: CertificateOptions, host: RunnableHost) {
    this.#options = options;
    this.#host = host;
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
    if (this.#options.directory === undefined && !(await exists(files.certFile)))
      throw new ManagerStartError(
        `webhooks have no certificate: mount one with tls.crt and tls.key at ${usualFolder}, such as the Secret of a Certificate of cert-manager, or pass its folder as certificates.directory`,
      );
    const { environment, log, metrics } = this.#host;
    return new WatchedFiles({
      files,
      read: () => readCertificate(files),
      wasRead: metrics.certificateRead,
      clock: environment.clock,
      log,
    });
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
