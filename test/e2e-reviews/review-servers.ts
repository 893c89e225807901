/** Servers of webhooks for a real API server: HTTPS on this machine, and the configurations that name it. */

import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '@kgen/certificates/authority';
import type { ReviewResponse } from '@kgen/controller/webhooks';

/** A server of webhooks on this machine. */
export interface ReviewServer {
  /** `clientConfig` for a path. */
  clientConfig(path: string): { readonly url: string; readonly caBundle: string };
  close(): Promise<void>;
}

/** Starts a server that passes the body of each request to `respond`. */
export async function startReviewServer(
  respond: (path: string, body: Uint8Array) => Promise<ReviewResponse>,
): Promise<ReviewServer> {
  const authority = createAuthority();
  const { cert, key } = authority.issueServer('webhooks', { names: [], addresses: ['127.0.0.1'] });
  const server: Server = createServer({ cert, key, keepAliveTimeout: 120_000 }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname } = new URL(request.url ?? '', 'https://localhost');
    const { status, body } = await respond(pathname, Buffer.concat(chunks));
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The address of a TCP server is never a string.
  const { port } = server.address() as AddressInfo;
  const caBundle = Buffer.from(authority.cert).toString('base64');
  return {
    clientConfig: (path) => ({ url: `https://127.0.0.1:${port}${path}`, caBundle }),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
