import type { JsonObject } from '@kgen/schema/values/json';
import { expect, it } from 'vitest';
import { type UndeployChoice, type UndeployFacts, undeployPlan } from './undeploy-plan.ts';

const object = (kind: string, name = 'box', finalizers: readonly string[] = []): JsonObject => ({
  ...{ apiVersion: 'v1', kind },
  metadata: { name, uid: `${kind}-${name}`, ...(finalizers.length > 0 && { finalizers }) },
});
const definition = { ...object('CustomResourceDefinition'), spec: { names: { plural: 'boxes' } } };
const facts: UndeployFacts = {
  ...{ name: 'box', namespace: 'box', own: [object('Lease')], defined: [], strangers: [] },
  ...{ isForeign: false, isRunning: true },
  deployed: [
    ...['Namespace', 'ClusterRole', 'Deployment', 'ValidatingAdmissionPolicy'].map((kind) => object(kind)),
    ...['MutatingWebhookConfiguration', 'ValidatingAdmissionPolicyBinding'].map((kind) => object(kind)),
    definition,
  ],
};
const choice: UndeployChoice = { deleteObjects: false, keepObjects: false, force: false };
const kindsOf = (changes: Partial<UndeployFacts>, chosen: Partial<UndeployChoice> = {}) =>
  undeployPlan({ ...facts, ...changes }, { ...choice, ...chosen }).steps.map(({ refs }) =>
    refs.map(({ kind }) => kind).join(' '),
  );
const defined = (objects: readonly JsonObject[]) => ({ defined: [{ definition, objects }] });

it('removes webhooks and bindings first, and the namespace last', () => {
  expect(kindsOf({})).toEqual([
    'MutatingWebhookConfiguration ValidatingAdmissionPolicyBinding ValidatingAdmissionPolicy',
    'Deployment',
    'ClusterRole Lease',
    'CustomResourceDefinition',
    'Namespace',
  ]);
});

it('deletes custom objects while the operator runs', () => {
  expect(kindsOf(defined([object('Box')]), { deleteObjects: true }).slice(1, 3)).toEqual([
    'Box',
    'Deployment',
  ]);
});

it('keeps definitions with their objects, and a namespace with objects of others', () => {
  const strangers = [{ apiVersion: 'v1', kind: 'Secret', name: 'mine' }];
  const plan = undeployPlan(
    { ...facts, ...defined([object('Box')]), strangers },
    { ...choice, keepObjects: true },
  );
  expect(plan.refusals).toEqual([]);
  expect(plan.steps.flatMap(({ refs }) => refs.map(({ kind }) => kind))).not.toContain('Box');
  expect(plan.kept).toEqual([
    'CustomResourceDefinition box and its objects',
    'Namespace box, since it contains objects of others: Secret mine',
  ]);
});

const converted = { ...definition, spec: { ...definition.spec, conversion: { strategy: 'Webhook' } } };
const changed = {
  ...object('Deployment'),
  metadata: { name: 'box', managedFields: [{ manager: 'kubectl-edit' }] },
};

it.each<readonly [string, Partial<UndeployFacts>, Partial<UndeployChoice>, RegExp | undefined]>([
  ['nothing is in the way', {}, {}, undefined],
  ['objects exist', defined([object('Box')]), {}, /1 boxes: box[\s\S]*--delete-objects[\s\S]*--keep-objects/],
  ['objects exist and go first', defined([object('Box')]), { deleteObjects: true }, undefined],
  [
    'finalizers and no operator',
    { ...defined([object('Box', 'a', ['x/y'])]), isRunning: false },
    { deleteObjects: true },
    /does not run[\s\S]*Box a waits for x\/y/,
  ],
  [
    'conversions and no operator',
    { defined: [{ definition: converted, objects: [object('Box', 'a')] }], isRunning: false },
    { deleteObjects: true },
    /does not run[\s\S]*Box a is converted by its webhook\nStart it/,
  ],
  [
    'conversions of no objects',
    { defined: [{ definition: converted, objects: [] }], isRunning: false },
    { deleteObjects: true },
    undefined,
  ],
  [
    'no finalizers and no operator',
    { ...defined([object('Box')]), isRunning: false },
    { deleteObjects: true },
    undefined,
  ],
  ['others have changed it', { deployed: [changed] }, {}, /Deployment box: by kubectl-edit/],
  ['others have changed it, by force', { deployed: [changed] }, { force: true }, undefined],
  ['another tool has deployed it', { deployed: [], isForeign: true }, {}, /kubectl or helm/],
])('begins only if %s allows it', (_, changes, chosen, message) => {
  const { refusals } = undeployPlan({ ...facts, ...changes }, { ...choice, ...chosen });
  if (message === undefined) expect(refusals).toEqual([]);
  else expect(refusals.join('\n')).toMatch(message);
});
