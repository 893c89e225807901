/** Webhook configurations and definitions whose `caBundle` is kept: the parts that matter to it. */
import type { ClusterResourceName } from '@kgen/runtime/dynamic';
import { isObject, type JsonObject, member, metadataString } from '../../members.ts';

/** A configuration, or a definition with a conversion webhook, by its name. */
export interface BundleTarget {
  readonly kind: keyof typeof kinds;
  readonly name: string;
}

const kinds = {
  MutatingWebhookConfiguration: {
    group: 'admissionregistration.k8s.io',
    resource: 'mutatingwebhookconfigurations',
  },
  ValidatingWebhookConfiguration: {
    group: 'admissionregistration.k8s.io',
    resource: 'validatingwebhookconfigurations',
  },
  CustomResourceDefinition: { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
} as const;

/** Returns the resource of a target. */
export function resourceOf({ kind }: BundleTarget): ClusterResourceName {
  return { ...kinds[kind], version: 'v1', scope: 'Cluster' };
}

/** Returns the template of the path of targets of a kind; its parameter is `name`. */
export function pathOf({ kind }: BundleTarget): string {
  return `/apis/${kinds[kind].group}/v1/${kinds[kind].resource}/{name}`;
}

/** Returns the bundles of an object by its webhooks that `isOwn` selects. A definition has one, named ''. */
export function bundlesOf(
  object: unknown,
  isOwn: (clientConfig: JsonObject) => boolean,
): ReadonlyMap<string, string> {
  const configs = [...webhooksOf(object), ...conversionsOf(object)];
  return new Map(
    configs.flatMap(([name, config]) => {
      const bundle = member(config, 'caBundle');
      if (!isObject(config) || !isOwn(config)) return [];
      return [[name, typeof bundle === 'string' ? Buffer.from(bundle, 'base64').toString() : ''] as const];
    }),
  );
}

function webhooksOf(object: unknown): readonly (readonly [string, unknown])[] {
  const webhooks = member(object, 'webhooks');
  if (!Array.isArray(webhooks)) return [];
  return webhooks.map((webhook: unknown) => [
    String(member(webhook, 'name')),
    member(webhook, 'clientConfig'),
  ]);
}

function conversionsOf(object: unknown): readonly (readonly [string, unknown])[] {
  const conversion = member(member(object, 'spec'), 'conversion');
  return member(conversion, 'strategy') === 'Webhook'
    ? [['', member(member(conversion, 'webhook'), 'clientConfig')]]
    : [];
}

/**
 * Returns the body of an apply that sets the bundles and nothing else, and only if the object has the version
 * that was read.
 */
export function applyBody(target: BundleTarget, read: unknown, bundles: ReadonlyMap<string, string>): object {
  const { kind, name } = target;
  const metadata = {
    name,
    resourceVersion: metadataString(read, 'resourceVersion'),
    uid: metadataString(read, 'uid'),
  };
  const configs = [...bundles].map(([webhook, bundle]) => ({
    name: webhook,
    clientConfig: { caBundle: Buffer.from(bundle).toString('base64') },
  }));
  if (kind !== 'CustomResourceDefinition') {
    return { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata, webhooks: configs };
  }
  const clientConfig = configs[0]?.clientConfig;
  const conversion = { strategy: 'Webhook', webhook: { clientConfig } };
  return { apiVersion: 'apiextensions.k8s.io/v1', kind, metadata, spec: { conversion } };
}

/** Returns the names of the field managers that own the bundle of a webhook of an object. */
export function bundleOwners(object: unknown, webhook: string): readonly string[] {
  const entries = member(member(object, 'metadata'), 'managedFields');
  if (!Array.isArray(entries)) return [];
  const config =
    webhook === ''
      ? ['f:spec', 'f:conversion', 'f:webhook']
      : ['f:webhooks', `k:{"name":${JSON.stringify(webhook)}}`];
  const path = [...config, 'f:clientConfig', 'f:caBundle'];
  const owning = entries.filter((entry) => path.reduce(member, member(entry, 'fieldsV1')) !== undefined);
  return owning.map((entry) => String(member(entry, 'manager')));
}
