/** Certificate and key of a server in files, which are read again after a change. */
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { RuntimeEnvironment } from '@kgen/runtime/informers';
import { childLogger, type Logger } from '../log.ts';

/** Interval of the reads, in milliseconds: that of controller-runtime's certificate watcher. */
const readMs = 10_000;

/** Files in PEM, such as those of a mounted Secret. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Contents of the files. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads a certificate and its key.
 * @throws the error of a file that cannot be read, or of a key that does not belong to the certificate
 */
export async function readCertificate({ certFile, keyFile }: CertificateFiles): Promise<CertificatePair> {
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  createSecureContext({ cert, key });
  return { cert, key };
}

/** Parts of `watchCertificate`. */
export interface CertificateWatch {
  readonly files: CertificateFiles;
  /** Reads the files: `readCertificate`. */
  readonly read: (files: CertificateFiles) => Promise<CertificatePair>;
  /** Contents in use. */
  readonly present: CertificatePair;
  readonly use: (pair: CertificatePair) => void;
  readonly clock: RuntimeEnvironment['clock'];
  readonly log: Logger;
}

/**
 * Reads the files every 10 seconds and calls `use` after a change. An invalid pair is logged once, and the
 * present one stays in use. Returns a function that ends this.
 */
export function watchCertificate(watch: CertificateWatch): () => void {
  const { files, present, use, clock, log } = watch;
  let inUse = present;
  let problem: string | undefined;
  let isEnded = false;
  const read = async (): Promise<void> => {
    try {
      const pair = await watch.read(files);
      if (!isEnded && (pair.cert !== inUse.cert || pair.key !== inUse.key)) use(pair);
      inUse = pair;
      problem = undefined;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message !== problem) {
        childLogger(log, {}).error(
          { ...files, error },
          'certificate was not read; the previous one stays in use',
        );
      }
      problem = message;
    }
    if (!isEnded) cancel = clock.timer(readMs, () => void read());
  };
  let cancel = clock.timer(readMs, () => void read());
  return () => {
    isEnded = true;
    cancel();
  };
}
