/** Writes configurations of webhooks to a cluster, and removes them. */

import { type ClientConnection, isNotFound, type JsonPatchOperation } from '@kgen/runtime';
import { DynamicClient } from '@kgen/runtime/dynamic';
import { listAt, member, memberAt } from '../../members.ts';
import type { RegisteredDeclaration } from '../declarations/registered.ts';
import {
  type ConfiguredConversion,
  type RegistrationSettings,
  type WebhookClientConfig,
  type WebhookConfiguration,
  webhookConfigurations,
} from './configurations.ts';

/** Options of `registerWebhooks`. */
export interface RegisterOptions extends RegistrationSettings {
  /**
   * Authority of the server's certificate, in PEM, for objects that do not name one yet. Afterwards its own
   * field manager keeps it. Default: that of the system.
   */
  readonly caBundle?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of `unregisterWebhooks`. */
export type UnregisterOptions = Pick<RegisterOptions, 'name' | 'signal'>;

/** Returns the field manager of registered webhooks. */
export function registrationManager(name: string): string {
  return `${name}-webhooks`;
}

/**
 * Applies the configurations of webhooks, and the conversion of their definitions. Equal for each replica.
 * Objects of the operator that have no webhook any more are removed.
 * @throws {TypeError} if a declaration has errors
 * @throws {ApiError} if the server refuses an object, such as a definition that does not exist
 */
export async function registerWebhooks(
  connection: ClientConnection,
  declarations: readonly RegisteredDeclaration[],
  options: RegisterOptions,
): Promise<void> {
  const { configurations, conversions } = webhookConfigurations(declarations, options);
  const cluster = new Registrations(connection, options);
  for (const conversion of conversions) await cluster.applyConversion(conversion, options.caBundle);
  for (const configuration of configurations) await cluster.apply(configuration, options.caBundle);
  for (const kind of kinds)
    if (!configurations.some((each) => each.kind === kind)) await cluster.delete(kind);
}

/**
 * Removes the configurations of an operator, and the conversion of its definitions: first of all when it is
 * uninstalled, because API servers refuse writes of these kinds once the webhooks do not respond. Only
 * conversions that `registerWebhooks` has set are removed; without one, versions are exchanged unchanged.
 */
export async function unregisterWebhooks(
  connection: ClientConnection,
  declarations: readonly RegisteredDeclaration[],
  options: UnregisterOptions,
): Promise<void> {
  const settings = { ...options, namespace: 'default' };
  const cluster = new Registrations(connection, options);
  for (const kind of kinds) await cluster.delete(kind);
  for (const { name } of webhookConfigurations(declarations, settings).conversions)
    await cluster.releaseConversion(name);
}

const kinds = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'] as const;

/** Plurals of the resources, all of which are cluster-scoped. */
const plurals = {
  MutatingWebhookConfiguration: 'mutatingwebhookconfigurations',
  ValidatingWebhookConfiguration: 'validatingwebhookconfigurations',
} as const;

class Registrations {
  readonly #client: DynamicClient;
  readonly #options: UnregisterOptions;

  constructor(connection: ClientConnection, options: UnregisterOptions) {
    this.#client = new DynamicClient(connection);
    this.#options = options;
  }

  async apply({ kind, ...configuration }: WebhookConfiguration, caBundle: string | undefined): Promise<void> {
    const present = await this.#configurations(kind).find(this.#options.name, this.#call());
    const webhooks = configuration.webhooks.map(({ clientConfig, ...webhook }) => ({
      ...webhook,
      clientConfig: isNamed(present, webhook.name) ? clientConfig : withAuthority(clientConfig, caBundle),
    }));
    if (present !== undefined) await this.#removeOthers(kind, present, webhooks);
    const object = { ...configuration, kind, webhooks };
    await this.#configurations(kind).apply(object, this.#write());
  }

  /** An apply would leave the fields of other field managers, such as the authority, in an invalid entry. */
  async #removeOthers(
    kind: WebhookConfiguration['kind'],
    present: object,
    webhooks: readonly { readonly name: string }[],
  ): Promise<void> {
    const names = listAt(present, 'webhooks').map((each) => member(each, 'name'));
    const removals = names
      .map((name, index) => ({ op: 'remove' as const, path: `/webhooks/${index}`, name }))
      .filter(({ name }) => !webhooks.some((each) => each.name === name))
      .map(({ op, path }) => ({ op, path }))
      .reverse();
    if (removals.length === 0) return;
    const patch = [unchanged(present), ...removals];
    await this.#configurations(kind).patch(this.#options.name, patch, { ...this.#call(), type: 'json' });
  }

  async applyConversion(conversion: ConfiguredConversion, caBundle: string | undefined): Promise<void> {
    const { name, annotations, conversion: spec } = conversion;
    const present = await this.#definitions().get(name, this.#call());
    const { strategy, webhook } = spec;
    const clientConfig = hasWebhook(present)
      ? webhook.clientConfig
      : withAuthority(webhook.clientConfig, caBundle);
    const metadata = { name, ...(annotations !== undefined && { annotations }) };
    const value = { strategy, webhook: { ...webhook, clientConfig } };
    await this.#definitions().apply({ metadata, spec: { conversion: value } }, this.#write());
  }

  /** Replaces the conversion as a whole, also the authority of another field manager in it. */
  async releaseConversion(name: string): Promise<void> {
    const present = await this.#definitions().find(name, this.#call());
    if (present === undefined || !setsConversion(present, registrationManager(this.#options.name))) return;
    const none = { op: 'replace' as const, path: '/spec/conversion', value: { strategy: 'None' } };
    await this.#definitions().patch(name, [unchanged(present), none], { ...this.#call(), type: 'json' });
  }

  async delete(kind: (typeof kinds)[number]): Promise<void> {
    try {
      await this.#configurations(kind).delete(this.#options.name, this.#call());
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  #configurations(kind: (typeof kinds)[number]) {
    const resource = plurals[kind];
    return this.#client.resource({
      group: 'admissionregistration.k8s.io',
      version: 'v1',
      resource,
      kind,
      scope: 'Cluster',
    });
  }

  #definitions() {
    return this.#client.resource({
      group: 'apiextensions.k8s.io',
      version: 'v1',
      resource: 'customresourcedefinitions',
      kind: 'CustomResourceDefinition',
      scope: 'Cluster',
    });
  }

  #call() {
    const { signal } = this.#options;
    return signal === undefined ? {} : { signal };
  }

  #write() {
    return { ...this.#call(), fieldManager: registrationManager(this.#options.name), force: true };
  }
}

function withAuthority(config: WebhookClientConfig, caBundle: string | undefined): WebhookClientConfig {
  if (caBundle === undefined) return config;
  return { ...config, caBundle: Buffer.from(caBundle).toString('base64') };
}

/** Refuses a patch of an object that has changed since it was read. */
function unchanged(object: object): JsonPatchOperation {
  const value = memberAt(object, 'metadata', 'resourceVersion');
  return { op: 'test', path: '/metadata/resourceVersion', value };
}

function setsConversion(definition: object, manager: string): boolean {
  return listAt(definition, 'metadata', 'managedFields').some(
    (each) =>
      member(each, 'manager') === manager &&
      memberAt(each, 'fieldsV1', 'f:spec', 'f:conversion') !== undefined,
  );
}

function isNamed(configuration: unknown, name: string): boolean {
  const webhooks = member(configuration, 'webhooks');
  return Array.isArray(webhooks) && webhooks.some((each) => member(each, 'name') === name);
}

function hasWebhook(definition: unknown): boolean {
  return member(member(member(definition, 'spec'), 'conversion'), 'webhook') !== undefined;
}
