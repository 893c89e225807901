/** Clients for the webhooks of servers, by the store of their definitions. */
import type { Store } from '../store/store.ts';
import { WebhookClient } from './client.ts';

const clients = new WeakMap<Store, WebhookClient>();

/** Returns the client for the webhooks of a server, which types find by the store of their definitions. */
export function webhookClientOf(store: Store): WebhookClient {
  const known = clients.get(store);
  if (known !== undefined) return known;
  const client = new WebhookClient();
  clients.set(store, client);
  return client;
}

/** Sets the client of a server, before its first request. */
export function setWebhookClient(store: Store, client: WebhookClient): void {
  clients.set(store, client);
}
