/** Needs of webhooks: of their certificates, and of their registration at run time. */
import type { ts } from 'ts-morph';
import { error, quote } from '../../common/problems.ts';
import type { ResourceId } from '../permissions/resources.ts';
import type { Scan } from '../permissions/scan.ts';
import { optionScopes, ownNamespace, wholeCluster } from '../permissions/scopes.ts';
import { memberOf, origin, stringsOf } from '../permissions/values.ts';

type WebhookFunction = (scan: Scan, call: ts.CallExpression, name: string) => void;

/** The functions of `@kgen/controller/webhooks` whose calls need permissions. */
export const webhookFunctions: Readonly<Record<string, WebhookFunction>> = {
  defaults: recorded,
  validates: recorded,
  converts: recorded,
  webhooks: served,
  admissionPolicy: recorded,
};

const definitions = clusterResource('apiextensions.k8s.io', 'customresourcedefinitions');
const configurations = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'].map((plural) =>
  clusterResource('admissionregistration.k8s.io', plural),
);
const secrets: ResourceId = { group: '', plural: 'secrets', isNamespaced: true };
/** Reads and writes of objects whose names are known. */
const kept = ['get', 'list', 'watch', 'patch'];

function clusterResource(group: string, plural: string): ResourceId {
  return { group, plural, isNamespaced: false };
}

/**
 * Adds the needs of a certificate that the replicas keep: its authority is part of the configuration of each
 * webhook, or of its definition.
 */
export function addAuthorityNeeds(scan: Scan): void {
  if (!scan.webhooks.some(({ keepsCertificate }) => keepsCertificate)) return;
  for (const { name, call, resources } of scan.webhooks) {
    const reason = `authority of the certificate of ${name}()`;
    if (name === 'converts') {
      const names = resources.map(({ group, plural }) => `${plural}.${group}`);
      scan.add(call, kept, { resources: [definitions], scopes: wholeCluster, names }, reason);
    } else if (name === 'defaults' || name === 'validates') {
      const isMutating = name === 'defaults';
      const own = configurations.filter(({ plural }) => plural.startsWith('mutating') === isMutating);
      scan.add(call, kept, { resources: own, scopes: wholeCluster, names: ownNames(scan, '') }, reason);
    }
  }
}

/**
 * Adds an error for each manager of webhooks that has another name than its manifests: its Service selects
 * Pods by the name, and the Secret of its certificate and the owner of bundles contain it.
 */
export function checkManagerNames(scan: Scan): void {
  const { operator, managers, webhooks, problems } = scan;
  if (operator === undefined || !webhooks.some(({ name }) => name === 'webhooks')) return;
  for (const { name, node } of managers) {
    if (name === operator) continue;
    const fault = `the manager has the name ${quote(name)}, and its manifests ${quote(operator)}`;
    const effect = 'the Service, the certificate and the permissions of its webhooks are those of the name';
    problems.push(error(`${fault}: ${effect}: pass --name ${name}, or rename one`, scan.placeOf(node)));
  }
}

function recorded(scan: Scan, call: ts.CallExpression, name: string): void {
  const [first, options] = call.arguments;
  const resources = first === undefined ? [] : scan.resources.ofName(first);
  const node = name === 'admissionPolicy' ? memberOf(scan.checker, options, 'params') : undefined;
  const params = node && { node, resources: scan.resources.ofName(node) };
  scan.webhooks.push({ name, call, resources, keepsCertificate: false, params });
}

/** RBAC cannot restrict creations to names. */
function served(scan: Scan, call: ts.CallExpression, name: string): void {
  const [options] = call.arguments;
  const { checker } = scan;
  const certificates = memberOf(checker, options, 'certificates');
  const keepsCertificate = memberOf(checker, certificates, 'directory') === undefined;
  const registration = memberOf(checker, options, 'register');
  const service =
    memberOf(checker, memberOf(checker, certificates, 'secret'), 'service') ??
    memberOf(checker, memberOf(checker, registration, 'service'), 'name');
  scan.webhooks.push({ name, call, resources: [], keepsCertificate, service });
  if (keepsCertificate) {
    const place = memberOf(checker, certificates, 'secret');
    const secret = { resources: [secrets], scopes: optionScopes(checker, place) ?? ownNamespace };
    const reason = 'certificate of the webhooks';
    scan.add(call, ['create'], secret, reason);
    const named = memberOf(checker, place, 'name');
    const names = named === undefined ? ownNames(scan, '-webhook-certificates') : stringsOf(checker, named);
    scan.add(call, ['get', 'list', 'watch', 'update'], { ...secret, names }, reason);
  }
  if (registration === undefined || isFalse(scan, registration)) return;
  const own = { resources: configurations, scopes: wholeCluster };
  scan.add(call, ['create'], own, 'registration of the webhooks');
  scan.add(
    call,
    ['get', 'patch', 'delete'],
    { ...own, names: ownNames(scan, '') },
    'registration of the webhooks',
  );
}

function isFalse({ checker }: Scan, node: ts.Expression): boolean {
  return ['false', 'undefined'].includes(origin(checker, node).getText());
}

function ownNames({ operator }: Scan, suffix: string): readonly string[] {
  return operator === undefined ? [] : [`${operator}${suffix}`];
}
