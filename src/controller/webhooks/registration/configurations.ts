/** Configurations of webhooks as API servers read them, from declarations. Pure. */

import { subdomainProblem } from '@kgen/runtime/selectors';
import type { WebhookSelector } from '../declarations/options.ts';
import {
  type RegisteredAdmission,
  type RegisteredConversion,
  type RegisteredDeclaration,
  type RegisteredResource,
  resourceName,
  subresourceOf,
} from '../declarations/registered.ts';
import { pathOf } from '../declarations/webhook.ts';
import { webhookName } from './names.ts';
import { checkDeclarations, namesNamespaces, namespaceLabel, usualOperations } from './problems.ts';

/** Place of the webhooks of an operator. */
export interface RegistrationSettings {
  /** Name of the operator, which its configurations have. */
  readonly name: string;
  /** Namespace of the operator. Webhooks of built-in kinds are not called for its objects. */
  readonly namespace: string;
  /** Service of the webhooks in the namespace. Default: `NAME-webhook`, port 443. */
  readonly service?: { readonly name?: string | undefined; readonly port?: number | undefined } | undefined;
  /**
   * Base URL of the webhooks, in place of a service: `https://127.0.0.1:9443`. For servers outside of the
   * cluster.
   */
  readonly url?: string | undefined;
  /**
   * Program that writes the `caBundle`: of cert-manager's Certificate `NAME-webhook`, or of OpenShift's
   * service-ca. Either writes the certificate to the Secret `NAME-webhook`. Default: the operator itself.
   */
  readonly injectCa?: 'cert-manager' | 'service-ca' | undefined;
}

/** Address of a webhook. */
export interface WebhookClientConfig {
  readonly url?: string;
  readonly service?: {
    readonly name: string;
    readonly namespace: string;
    readonly path: string;
    readonly port: number;
  };
  readonly caBundle?: string;
}

/** A webhook of a configuration. */
export interface ConfiguredWebhook {
  readonly name: string;
  readonly clientConfig: WebhookClientConfig;
  readonly rules: readonly {
    readonly apiGroups: readonly string[];
    readonly apiVersions: readonly string[];
    readonly resources: readonly string[];
    readonly operations: readonly string[];
  }[];
  readonly admissionReviewVersions: readonly string[];
  readonly sideEffects: 'None' | 'NoneOnDryRun';
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly matchPolicy?: 'Equivalent' | 'Exact';
  readonly namespaceSelector?: WebhookSelector;
  readonly objectSelector?: WebhookSelector;
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  readonly timeoutSeconds?: number;
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
}

/** A ValidatingWebhookConfiguration or MutatingWebhookConfiguration of admissionregistration.k8s.io/v1. */
export interface WebhookConfiguration {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration';
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly webhooks: readonly ConfiguredWebhook[];
}

/** The part of a CustomResourceDefinition that names its conversion webhook. */
export interface ConfiguredConversion {
  /** Name of the definition. */
  readonly name: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** `spec.conversion`. */
  readonly conversion: {
    readonly strategy: 'Webhook';
    readonly webhook: {
      readonly clientConfig: WebhookClientConfig;
      readonly conversionReviewVersions: readonly string[];
    };
  };
}

/** Configurations of the webhooks of an operator. */
export interface WebhookConfigurations {
  /** At most one of each kind; the mutating one first. */
  readonly configurations: readonly WebhookConfiguration[];
  readonly conversions: readonly ConfiguredConversion[];
}

/**
 * Returns the configurations of declarations. They have no `caBundle`, which another field manager writes at
 * run time.
 * @throws {TypeError} if a declaration has errors, or a setting is invalid
 */
export function webhookConfigurations(
  declarations: readonly RegisteredDeclaration[],
  settings: RegistrationSettings,
): WebhookConfigurations {
  checkSettings(settings);
  checkDeclarations(declarations, settings.namespace);
  const admissions = declarations.filter((each) => each.type !== 'converts');
  const conversions = declarations.filter((each) => each.type === 'converts');
  const kinds = [
    ['MutatingWebhookConfiguration', 'defaults'],
    ['ValidatingWebhookConfiguration', 'validates'],
  ] as const;
  return {
    configurations: kinds.flatMap(([kind, type]) => {
      const webhooks = admissions
        .filter((each) => each.type === type)
        .map((each) => configuredWebhook(each, settings));
      if (webhooks.length === 0) return [];
      const labels = { 'app.kubernetes.io/managed-by': settings.name };
      const metadata = { name: settings.name, labels, ...annotationsOf(settings) };
      return [{ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata, webhooks }];
    }),
    conversions: conversions.map((each) => configuredConversion(each, settings)),
  };
}

function checkSettings({ name, namespace, service, url }: RegistrationSettings): void {
  for (const [setting, value] of Object.entries({ name, namespace, service: service?.name ?? name })) {
    const problem = subdomainProblem(value);
    if (problem !== undefined)
      throw new TypeError(`webhooks: ${setting} ${JSON.stringify(value)}: ${problem}`);
  }
  const port = service?.port ?? 443;
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new TypeError(`webhooks: the port of the service must be an integer from 1 to 65535, got ${port}`);
  if (url !== undefined) checkUrl(url);
}

function checkUrl(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isPlain =
    parsed?.protocol === 'https:' &&
    `${parsed.username}${parsed.password}${parsed.search}${parsed.hash}` === '';
  if (isPlain) return;
  throw new TypeError(
    'webhooks: url must be https://HOST[:PORT][/PATH], without user, query and fragment: API servers accept no other',
  );
}

function configuredWebhook(
  declaration: RegisteredAdmission,
  settings: RegistrationSettings,
): ConfiguredWebhook {
  const { resource, options } = declaration;
  const { operations = usualOperations, failurePolicy = 'Fail', sideEffects = 'None' } = options;
  const namespaceSelector = namespaceSelectorOf(declaration, settings.namespace);
  const { matchPolicy, objectSelector, matchConditions, timeoutSeconds, reinvocationPolicy } = options;
  return {
    name: webhookName(declaration),
    clientConfig: clientConfig(pathOf(declaration), settings),
    rules: [
      {
        apiGroups: [resource.group],
        apiVersions: [resource.version],
        resources: [[resource.plural, ...subresourceOf(declaration)].join('/')],
        operations: [...operations],
      },
    ],
    admissionReviewVersions: ['v1'],
    sideEffects,
    failurePolicy,
    ...(matchPolicy !== undefined && { matchPolicy }),
    ...(namespaceSelector !== undefined && { namespaceSelector }),
    ...(objectSelector !== undefined && { objectSelector }),
    ...(matchConditions !== undefined && { matchConditions }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(reinvocationPolicy !== undefined && { reinvocationPolicy }),
  };
}

/** Objects of the operator and of the cluster itself can be written while the webhook is down. */
function namespaceSelectorOf(
  { resource, options: { namespaceSelector } }: RegisteredAdmission,
  namespace: string,
): WebhookSelector | undefined {
  if (!isExcluding(resource) || namesNamespaces(namespaceSelector)) return namespaceSelector;
  const values = [...new Set(['kube-system', namespace])];
  return {
    ...namespaceSelector,
    matchExpressions: [
      ...(namespaceSelector?.matchExpressions ?? []),
      { key: namespaceLabel, operator: 'NotIn', values },
    ],
  };
}

/** Cluster-scoped objects have no namespace; of Namespaces, the selector matches their own labels. */
function isExcluding({ builtIn, scope, group, plural }: RegisteredResource): boolean {
  return builtIn === true && (scope === 'Namespaced' || (group === '' && plural === 'namespaces'));
}

function clientConfig(
  path: string,
  { name, namespace, service, url }: RegistrationSettings,
): WebhookClientConfig {
  if (url !== undefined) return { url: `${url.replace(/(?<!\/)\/+$/, '')}${path}` };
  return {
    service: { name: service?.name ?? serviceName(name), namespace, path, port: service?.port ?? 443 },
  };
}

/** Returns the name of the service of an operator's webhooks, of its Secret and its Certificate. */
export function serviceName(operator: string): string {
  return `${operator}-webhook`;
}

function configuredConversion(
  declaration: RegisteredConversion,
  settings: RegistrationSettings,
): ConfiguredConversion {
  return {
    name: resourceName(declaration.resource),
    ...annotationsOf(settings),
    conversion: {
      strategy: 'Webhook',
      webhook: {
        clientConfig: clientConfig(pathOf(declaration), settings),
        conversionReviewVersions: ['v1'],
      },
    },
  };
}

function annotationsOf({ name, namespace, injectCa }: RegistrationSettings): {
  readonly annotations?: Readonly<Record<string, string>>;
} {
  if (injectCa === 'cert-manager')
    return { annotations: { 'cert-manager.io/inject-ca-from': `${namespace}/${serviceName(name)}` } };
  if (injectCa === 'service-ca')
    return { annotations: { 'service.beta.openshift.io/inject-cabundle': 'true' } };
  return {};
}

/**
 * Returns the Service of the webhooks: its Pods have the label `app.kubernetes.io/name` with the name of the
 * operator.
 * @param port of the server in the Pods
 */
export function webhookService(settings: RegistrationSettings, port: number): object {
  const { name, namespace, service, injectCa } = settings;
  const serving = { 'service.beta.openshift.io/serving-cert-secret-name': serviceName(name) };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: service?.name ?? serviceName(name),
      namespace,
      ...(injectCa === 'service-ca' && { annotations: serving }),
    },
    spec: {
      selector: { 'app.kubernetes.io/name': name },
      ports: [{ name: 'webhooks', port: service?.port ?? 443, protocol: 'TCP', targetPort: port }],
    },
  };
}

/**
 * Returns the objects of cert-manager for a server behind a Service: an authority of its own, and the
 * certificate that it issues. The authority stays when the certificate is renewed, so that API servers trust
 * the previous certificate and the next one.
 */
export function webhookCertificate(settings: RegistrationSettings): readonly object[] {
  const { name, namespace, service } = settings;
  const own = serviceName(name);
  const authority = `${own}-authority`;
  const host = `${service?.name ?? own}.${namespace}.svc`;
  const object = (kind: string, named: string, spec: object): object => ({
    ...{ apiVersion: 'cert-manager.io/v1', kind, metadata: { name: named, namespace }, spec },
  });
  return [
    object('Issuer', authority, { selfSigned: {} }),
    object('Certificate', authority, {
      ...{ isCA: true, commonName: authority, secretName: authority, duration: '87600h' },
      privateKey: { algorithm: 'ECDSA', size: 256 },
      issuerRef: { kind: 'Issuer', name: authority },
    }),
    object('Issuer', own, { ca: { secretName: authority } }),
    object('Certificate', own, {
      ...{ secretName: own, dnsNames: [host, `${host}.cluster.local`] },
      issuerRef: { kind: 'Issuer', name: own },
    }),
  ];
}
