/** Needs of webhooks: of their certificates, and of their registration at run time. */
import type { ts } from 'ts-morph';
import type { ResourceId } from '../permissions/resources.ts';
import type { Scan } from '../permissions/scan.ts';
import { optionScopes, ownNamespace, wholeCluster } from '../permissions/scopes.ts';
import { memberOf, origin, stringsOf } from '../permissions/values.ts';

type WebhookFunction = (scan: Scan, call: ts.CallExpression, name: string) => void;

/** The functions of `@kgen/controller/webhooks` whose calls need permissions. */
export const webhookFunctions: Readonly<Record<string, WebhookFunction>> = {
  defaults: declaration,
  validates: declaration,
  converts: declaration,
  webhooks: served,
  admissionPolicy: (scan, call, name) => recorded(scan, call, name),
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

/** The authority of the certificate is kept in the configuration of the webhook, or in its definition. */
function declaration(scan: Scan, call: ts.CallExpression, name: string): void {
  const resources = recorded(scan, call, name);
  const reason = `authority of the certificate of ${name}()`;
  if (name === 'converts') {
    const names = resources.map(({ group, plural }) => `${plural}.${group}`);
    scan.add(call, kept, { resources: [definitions], scopes: wholeCluster, names }, reason);
    return;
  }
  const own = configurations.filter(({ plural }) => plural.startsWith('mutating') === (name === 'defaults'));
  scan.add(call, kept, { resources: own, scopes: wholeCluster, names: ownNames(scan, '') }, reason);
}

function recorded(scan: Scan, call: ts.CallExpression, name: string): readonly ResourceId[] {
  const [first] = call.arguments;
  const resources = first === undefined ? [] : scan.resources.ofName(first);
  scan.webhooks.push({ name, call, resources });
  return resources;
}

/** RBAC cannot restrict creations to names. */
function served(scan: Scan, call: ts.CallExpression, name: string): void {
  const [options] = call.arguments;
  const { checker } = scan;
  scan.webhooks.push({ name, call, resources: [] });
  const certificates = memberOf(checker, options, 'certificates');
  if (memberOf(checker, certificates, 'directory') === undefined) {
    const place = memberOf(checker, certificates, 'secret');
    const secret = { resources: [secrets], scopes: optionScopes(checker, place) ?? ownNamespace };
    const reason = 'certificate of the webhooks';
    scan.add(call, ['create'], secret, reason);
    const named = memberOf(checker, place, 'name');
    const names = named === undefined ? ownNames(scan, '-webhook-certificates') : stringsOf(checker, named);
    scan.add(call, ['get', 'list', 'watch', 'update'], { ...secret, names }, reason);
  }
  const registration = memberOf(checker, options, 'register');
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
