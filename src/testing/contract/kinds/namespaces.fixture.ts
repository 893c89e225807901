/**
 * Namespaces from their creation to their end, bindings of pods to nodes, and refused requests for tokens.
 */
import type { JsonObject } from '../../../schema/values/json.ts';
import type { Step } from '../exchange.fixture.ts';
import { clusterCollection, collection, create, get, merge, remove } from './steps.fixture.ts';

const namespaces = clusterCollection('v1', 'Namespace', 'namespaces');
const pods = collection('v1', 'Pod', 'pods');
const accounts = collection('v1', 'ServiceAccount', 'serviceaccounts');

const inEnding: Step = {
  method: 'POST',
  path: '/api/v1/namespaces/ending/configmaps',
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'late' } },
};

function finalize(name: string, finalizers: readonly string[]): Step {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers } };
  return { method: 'PUT', path: `${namespaces.path}/${name}/finalize`, body };
}

function bind(name: string, target: JsonObject, members: JsonObject = {}): Step {
  const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target, ...members };
  return { method: 'POST', path: `${pods.path}/${name}/binding`, body };
}

function requestToken(name: string, spec: JsonObject): Step {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  return { method: 'POST', path: `${accounts.path}/${name}/token`, body };
}

export const namespaceSteps: Readonly<Record<string, readonly Step[]>> = {
  'namespaces: creation and deletion': [
    create(namespaces, 'ending', { metadata: { labels: { team: 'x' } } }),
    create(namespaces, 'ending'),
    create(namespaces, 'Bad_Name'),
    create(namespaces, 'tried', { spec: { finalizers: ['bogus'] } }),
    get(namespaces, 'ending'),
    merge(namespaces, 'ending', { metadata: { labels: { 'kubernetes.io/metadata.name': 'other' } } }),
    merge(namespaces, 'ending', { status: { phase: 'Terminating' } }),
    merge(namespaces, 'ending', { spec: { finalizers: [] } }),
    remove(namespaces, 'ending', '?dryRun=All'),
    remove(namespaces, 'ending'),
    inEnding,
    remove(namespaces, 'ending'),
    merge(namespaces, 'ending', { metadata: { labels: { team: 'y' } } }),
    finalize('other', []),
    finalize('ending', ['kubernetes']),
    finalize('ending', []),
    get(namespaces, 'ending'),
    inEnding,
    remove(namespaces, 'ending'),
    remove(namespaces, 'default'),
    remove(namespaces, 'kube-system'),
  ],
  'bindings and tokens': [
    create(pods, 'bound', { spec: { containers: [{ name: 'c', image: 'x' }] } }),
    bind('nope', { kind: 'Node', name: 'n1' }),
    bind('bound', {}),
    bind('bound', { kind: 'Pod', name: 'n1' }),
    bind('bound', { kind: 'Node', name: 'n1' }, { metadata: { name: 'bound', annotations: { a: 'b' } } }),
    get(pods, 'bound'),
    bind('bound', { kind: 'Node', name: 'n2' }),
    { method: 'GET', path: `${pods.path}/bound/binding` },
    remove(pods, 'bound', '?gracePeriodSeconds=0'),
    create(accounts, 'issuer'),
    requestToken('nope', { audiences: ['x'] }),
    requestToken('issuer', { audiences: ['x'], expirationSeconds: 10 }),
    requestToken('issuer', { audiences: ['x'], expirationSeconds: 10_000_000_000 }),
    requestToken('issuer', {
      audiences: ['x'],
      boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'nope' },
    }),
    requestToken('issuer', {
      audiences: ['x'],
      boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'x' },
    }),
    { method: 'GET', path: `${accounts.path}/issuer/token` },
    remove(accounts, 'issuer'),
  ],
};
