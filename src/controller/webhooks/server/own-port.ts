/** Check of the own port, as an API server would reach it. */
import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';

/** Server whose port is checked. */
export interface OwnPort {
  readonly host: string | undefined;
  /** `undefined` before it listens. */
  readonly port: number | undefined;
  /** Certificate in use, in PEM. */
  readonly certificate: string | undefined;
}

/**
 * Connects to a server of this process by TLS.
 * @throws {Error} if it does not listen, presents another certificate than the one in use, or an expired one
 */
export async function checkOwnPort({ host, port, certificate }: OwnPort): Promise<void> {
  if (port === undefined || certificate === undefined) throw new Error('the webhooks do not listen yet');
  const own = new X509Certificate(certificate);
  const presented = await certificateOf(port, addressOf(host));
  if (presented?.fingerprint256 !== own.fingerprint256)
    throw new Error(`port ${port} does not present the certificate of the webhooks`);
  if (Date.parse(own.validTo) < Date.now())
    throw new Error(`the certificate of the webhooks has expired: ${own.validTo}`);
}

/** Addresses of all interfaces cannot be dialed everywhere. */
function addressOf(host = 'localhost'): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

function certificateOf(port: number, host: string): Promise<X509Certificate | undefined> {
  return new Promise((resolve, reject) => {
    // The certificate is compared with the own one.
    const socket = connect({ port, host, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
    socket.once('secureConnect', () => {
      resolve(socket.getPeerX509Certificate());
      socket.destroy();
    });
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
    socket.setTimeout(4_000, () => socket.destroy(new Error('the handshake took longer than 4 s')));
  });
}
