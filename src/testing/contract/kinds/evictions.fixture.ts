/** Evictions: with and without a disruption budget, and 429 with `Retry-After` if the budget forbids them. */
import type { JsonObject } from '../../../schema/values/json.ts';
import type { Step } from '../exchange.fixture.ts';
import { clusterCollection, collection, create, get, merge, replace } from './steps.fixture.ts';

const pods = collection('v1', 'Pod', 'pods');
const budgets = collection('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets');
const labels = { app: 'evicted' };

function pod(name: string): Step {
  return create(pods, name, { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'x' }] } });
}

function ready(name: string): Step {
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];
  return merge(pods, name, { status: { phase: 'Running', conditions } }, '/status');
}

function evict(name: string, members: JsonObject = {}, query = ''): Step {
  return {
    method: 'POST',
    path: `${pods.path}/${name}/eviction${query}`,
    body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name }, ...members },
  };
}

function budget(observedGeneration: number, disruptionsAllowed: number): Step {
  const health = { currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 };
  const status = { observedGeneration, disruptionsAllowed, ...health };
  return merge(budgets, 'guard', { status }, '/status');
}

const now = '?gracePeriodSeconds=0';
const policies = clusterCollection(
  'admissionregistration.k8s.io/v1',
  'ValidatingAdmissionPolicy',
  'validatingadmissionpolicies',
);
const bindings = clusterCollection(
  'admissionregistration.k8s.io/v1',
  'ValidatingAdmissionPolicyBinding',
  'validatingadmissionpolicybindings',
);

/** A policy that denies requests to pods, with the attributes of the request as its message. */
function denial(name: string, rule: JsonObject, expression: string): readonly Step[] {
  const attributes = [
    'operation',
    'kind.group',
    'kind.version',
    'kind.kind',
    'resource.resource',
    'subResource',
    'name',
  ];
  const messageExpression = `[${attributes.map((each) => `request.${each}`).join(', ')}].join(' ')`;
  const spec = {
    matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], ...rule }] },
    validations: [{ expression, messageExpression }],
  };
  return [
    { ...create(policies, name, { spec }), ignore: true },
    { ...create(bindings, name, { spec: { policyName: name, validationActions: ['Deny'] } }), ignore: true },
  ];
}

function end(name: string): readonly Step[] {
  return [bindings, policies].map(({ path }) => ({
    method: 'DELETE',
    path: `${path}/${name}`,
    ignore: true,
  }));
}

export const evictionSteps: Readonly<Record<string, readonly Step[]>> = {
  evictions: [
    pod('e1'),
    evict('nope'),
    evict('e1', { metadata: { name: 'other' } }),
    evict('e1', { apiVersion: 'policy/v1', kind: 'Bogus' }),
    evict('e1', {}, '?dryRun=All'),
    evict('e1', { deleteOptions: { dryRun: ['All'] } }),
    get(pods, 'e1'),
    ready('e1'),
    create(budgets, 'guard', { spec: { minAvailable: 1, selector: { matchLabels: labels } } }),
    evict('e1'),
    budget(1, 0),
    evict('e1'),
    evict('e1', {}, '?dryRun=All'),
    budget(1, 1),
    evict('e1', { deleteOptions: { preconditions: { uid: '11111111-2222-3333-4444-555555555555' } } }),
    create(budgets, 'second', { spec: { maxUnavailable: 1, selector: { matchLabels: labels } } }),
    evict('e1'),
    replace(budgets, 'guard', { spec: { minAvailable: '50%', selector: { matchLabels: labels } } }),
    { method: 'DELETE', path: `${budgets.path}/second` },
    { method: 'DELETE', path: `${budgets.path}/guard` },
    evict('e1', { deleteOptions: { gracePeriodSeconds: 0 } }),
    get(pods, 'e1'),
    pod('e2'),
    create(budgets, 'guard', { spec: { maxUnavailable: 0, selector: { matchLabels: labels } } }),
    // Pods that are not ready do not count.
    evict('e2', { deleteOptions: { gracePeriodSeconds: 0 } }),
    get(pods, 'e2'),
    { method: 'DELETE', path: `${budgets.path}/guard` },
    { method: 'DELETE', path: `${pods.path}/e1${now}` },
    { method: 'DELETE', path: `${pods.path}/e2${now}` },
  ],
  // An eviction is the creation of a subresource; the deletion of its pod is not admitted again.
  'admission of evictions': [
    pod('e3'),
    pod('e4'),
    ...denial(
      'no-evictions',
      { resources: ['pods/eviction'], operations: ['*'] },
      "object.metadata.name == 'e4'",
    ),
    { ...evict('e3', {}, '?dryRun=All'), until: 422 },
    evict('e3', { metadata: { name: 'other' } }),
    evict('nope'),
    ...denial('no-deletions', { resources: ['pods'], operations: ['DELETE'] }, 'false'),
    { method: 'DELETE', path: `${pods.path}/e3?dryRun=All`, until: 422 },
    evict('e4', { deleteOptions: { gracePeriodSeconds: 0 } }),
    get(pods, 'e4'),
    ...['no-evictions', 'no-deletions'].flatMap(end),
    { method: 'DELETE', path: `${pods.path}/e3${now}`, until: 200, ignore: true },
  ],
};
