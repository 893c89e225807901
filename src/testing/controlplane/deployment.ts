/** Operators that run in a test process as they are deployed: with all their objects, under their account. */
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '@kgen/certificates/authority';
import type { ClusterConfig } from '@kgen/runtime';
import { array, at, type JsonObject, object, putAt, text } from '@kgen/schema/values/json';
import type { AccountSource } from '@kgen/testserver/internal/server/account';
import type { ServedReviews } from '../values/served-reviews.ts';
import { addServiceAccount } from './service-account.ts';

/** An operator whose manifests are applied, and which runs in this process. */
export interface DeployedOperator {
  /** Configuration of its service account, in its namespace. */
  readonly config: ClusterConfig;
  /**
   * Option of its `Manager`. The API server calls the webhooks of the manifests in this process; calls before
   * the manager serves them wait for it.
   */
  readonly serveWebhooks: (reviews: ServedReviews) => () => void;
}

/** Applies manifests for `ControlPlane.deploy`. Call `close` of the result before the API server ends. */
export async function deployOperator(
  admin: ClusterConfig,
  manifests: AccountSource,
): Promise<DeployedOperator & { readonly close: () => void }> {
  const webhooks = new LocalWebhooks();
  await webhooks.start();
  try {
    const config = await addServiceAccount(admin, manifests, (each) => webhooks.redirected(each));
    return { config, serveWebhooks: (reviews) => webhooks.serve(reviews), close: () => webhooks.close() };
  } catch (error) {
    webhooks.close();
    throw error;
  }
}

/** HTTPS server on this machine, in place of the Service of webhooks. */
class LocalWebhooks {
  readonly #server: Server;
  readonly #caBundle: string;
  /** Emits `served` once a manager serves its webhooks. */
  readonly #events = new EventEmitter().setMaxListeners(0);
  #reviews: ServedReviews | undefined;

  constructor() {
    const authority = createAuthority({ name: 'kgen-testing' });
    const { cert, key } = authority.issueServer('webhooks', { names: [], addresses: ['127.0.0.1'] });
    this.#caBundle = Buffer.from(authority.cert).toString('base64');
    this.#server = createServer({ cert, key }, (request, response) => {
      const closed = new AbortController();
      response.once('close', () => closed.abort());
      const headers = { 'content-type': 'application/json' };
      this.#respond(request.url ?? '', request, closed.signal)
        .then(({ status, body }) => response.writeHead(status, headers).end(body))
        .catch(() => response.destroy());
    });
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1').unref();
    await once(this.#server, 'listening');
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  serve(reviews: ServedReviews): () => void {
    this.#reviews = reviews;
    this.#events.emit('served');
    return () => {
      if (this.#reviews === reviews) this.#reviews = undefined;
    };
  }

  /** Returns an object with the address of this server in place of Services. */
  redirected(value: JsonObject): JsonObject {
    const webhook = object(value, 'spec', 'conversion', 'webhook');
    if (at(webhook, 'clientConfig', 'service') !== undefined) {
      const clientConfig = this.#client(object(webhook, 'clientConfig'));
      return putAt(value, ['spec', 'conversion', 'webhook'], { ...webhook, clientConfig });
    }
    if (!/^(Validating|Mutating)WebhookConfiguration$/.test(text(value, 'kind'))) return value;
    const webhooks = array(value, 'webhooks').map((each) => ({
      ...object(each),
      clientConfig: this.#client(object(each, 'clientConfig')),
    }));
    return { ...value, webhooks };
  }

  #client(config: JsonObject): JsonObject {
    if (config['service'] === undefined) return config;
    const { port } = this.#server.address() as AddressInfo; // seam: it listens on TCP
    const path = text(config, 'service', 'path');
    return { url: `https://127.0.0.1:${port}${path}`, caBundle: this.#caBundle };
  }

  async #respond(url: string, content: AsyncIterable<Buffer>, signal: AbortSignal) {
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(chunk);
    while (this.#reviews === undefined) await once(this.#events, 'served', { signal });
    const { pathname } = new URL(url, 'https://localhost');
    return this.#reviews.respond(pathname, Buffer.concat(chunks), { signal });
  }
}
