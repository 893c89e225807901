/** The steps of `kgen undeploy`. Pure. */
import { array, type JsonObject, text } from '@kgen/schema/values/json';
import { type ObjectRef, refOf, refText } from './cluster.ts';
import { existingText } from './definitions.ts';
import { type DefinedObjects, heldText } from './objects.ts';
import { fieldManager, interceptingKinds, isIntercepting, type OperatorPlace } from './operator.ts';

/** State of a cluster from which an operator is removed. */
export interface UndeployFacts extends OperatorPlace {
  /** Objects that kgen has applied for the operator. */
  readonly deployed: readonly JsonObject[];
  /** Objects that the operator itself has created: its Lease, the certificates of its webhooks. */
  readonly own: readonly JsonObject[];
  /** Definitions among the deployed objects, and their objects. */
  readonly defined: readonly DefinedObjects[];
  /** Objects of others in the namespace of the operator. */
  readonly strangers: readonly ObjectRef[];
  /** Whether the Deployment exists and was not applied by kgen. */
  readonly isForeign: boolean;
  /** Whether a Pod of the operator is available, or another process holds its lease. */
  readonly isRunning: boolean;
}

/** Decisions of the user. */
export interface UndeployChoice {
  readonly deleteObjects: boolean;
  /** Whether the definitions and their objects stay. */
  readonly keepObjects: boolean;
  /** Whether objects that others have changed are deleted, too. */
  readonly force: boolean;
}

/** A step: objects that are deleted, before the next step begins. */
export interface UndeployStep {
  readonly title: string;
  readonly refs: readonly ObjectRef[];
}

/** Plan of `kgen undeploy`. */
export interface UndeployPlan {
  readonly steps: readonly UndeployStep[];
  /** Objects that stay, with the reason. */
  readonly kept: readonly string[];
  /** Reasons not to begin. */
  readonly refusals: readonly string[];
}

/**
 * Returns the steps: first the objects with which servers call the operator, since writes are refused once it
 * does not respond; custom objects while the operator runs; then the operator, its permissions, the
 * definitions and the namespace.
 */
export function undeployPlan(facts: UndeployFacts, choice: UndeployChoice): UndeployPlan {
  const { deployed, own, defined, strangers } = facts;
  const isKind = (kind: string) => (each: JsonObject) => text(each, 'kind') === kind;
  const definitions = deployed.filter(isKind('CustomResourceDefinition'));
  const namespaces = deployed.filter(isKind('Namespace'));
  const custom = choice.keepObjects ? [] : defined.flatMap(({ objects }) => objects);
  const staying = new Set([...definitions, ...namespaces]);
  const others = deployed.filter((each) => !isIntercepting(each) && !staying.has(each));
  const [workload, permissions] = [others.filter(isWorkload), others.filter((each) => !isWorkload(each))];
  const isNamespaceKept = strangers.length > 0;
  const steps = [
    { title: 'webhooks and policies', refs: inOrder(deployed.filter(isIntercepting)) },
    { title: 'custom objects, while the operator runs', refs: custom.map(refOf) },
    { title: 'the operator', refs: workload.map(refOf) },
    { title: 'its permissions, and objects that it has created', refs: [...permissions, ...own].map(refOf) },
    { title: 'definitions', refs: choice.keepObjects ? [] : definitions.map(refOf) },
    { title: 'the namespace', refs: isNamespaceKept ? [] : namespaces.map(refOf) },
  ];
  return {
    steps: steps.filter(({ refs }) => refs.length > 0),
    kept: [
      ...(choice.keepObjects ? definitions.map((each) => `${refText(refOf(each))} and its objects`) : []),
      ...(isNamespaceKept ? namespaces.map((each) => namespaceText(each, strangers)) : []),
    ],
    refusals: refusalsOf(facts, choice),
  };
}

/** Server configurations first of all, bindings before their policies. */
function inOrder(objects: readonly JsonObject[]): readonly ObjectRef[] {
  const place = (each: JsonObject): number => interceptingKinds.indexOf(text(each, 'kind'));
  return objects.toSorted((a, b) => place(a) - place(b)).map(refOf);
}

function isWorkload(each: JsonObject): boolean {
  return ['Deployment', 'Service', 'PodDisruptionBudget'].includes(text(each, 'kind'));
}

function namespaceText(namespace: JsonObject, strangers: readonly ObjectRef[]): string {
  const names = strangers.slice(0, 5).map(refText).join(', ');
  const more = strangers.length > 5 ? `, and ${strangers.length - 5} more` : '';
  return `${refText(refOf(namespace))}, since it contains objects of others: ${names}${more}`;
}

function refusalsOf(facts: UndeployFacts, choice: UndeployChoice): readonly string[] {
  const { name, deployed, defined, isForeign, isRunning } = facts;
  const existing = defined.filter(({ objects }) => objects.length > 0);
  const isDeleting = choice.deleteObjects && !choice.keepObjects;
  const held = existing.flatMap(heldLines);
  const changed = choice.force ? [] : deployed.flatMap((each) => changedText(each, name));
  return [
    ...(isForeign
      ? [`kgen has not deployed ${name}: remove it with the tool that has, such as kubectl or helm`]
      : []),
    ...(existing.length > 0 && !choice.deleteObjects && !choice.keepObjects
      ? [`${existingText(existing)} --keep-objects keeps them and their definitions.`]
      : []),
    ...(isDeleting && held.length > 0 && !isRunning
      ? [
          [
            'the operator does not run, without which these objects would never be deleted completely:',
            ...held.slice(0, 10),
            'Start it with kgen deploy and repeat the command, or with kgen dev --cluster and add --force.',
          ].join('\n'),
        ]
      : []),
    ...(changed.length > 0
      ? [['others have changed these objects; --force deletes them, too:', ...changed].join('\n')]
      : []),
  ];
}

/** Returns the objects that only a running operator lets go, with the reasons. */
function heldLines({ definition, objects }: DefinedObjects): readonly string[] {
  // A garbage collector cannot read the dependents' owners.
  const isConverted = text(definition, 'spec', 'conversion', 'strategy') === 'Webhook';
  return objects.flatMap((each) => {
    const reason = heldText(each) || (isConverted ? 'is converted by its webhook' : '');
    return reason === '' ? [] : [`  ${refText(refOf(each))} ${reason}`];
  });
}

function changedText(each: JsonObject, name: string): readonly string[] {
  const managers = foreignManagers(each, name);
  return managers.length === 0 ? [] : [`  ${refText(refOf(each))}: by ${managers.join(', ')}`];
}

/** Managers that belong to clusters themselves. */
const clusterManagers = [
  'kube-controller-manager',
  'kube-apiserver',
  'clusterrole-aggregation-controller',
  'cert-manager-cainjector',
  'cainjector',
  'service-ca-operator',
];

/** Returns the managers of fields that are neither kgen, nor the operator, nor a part of the cluster. */
export function foreignManagers(each: JsonObject, name: string): readonly string[] {
  const managers = array(each, 'metadata', 'managedFields')
    .filter((entry) => ['', 'scale'].includes(text(entry, 'subresource')))
    .map((entry) => text(entry, 'manager'));
  const isOurs = (manager: string): boolean =>
    manager === fieldManager || manager === name || manager.startsWith(`${name}-`);
  return [...new Set(managers)].filter((each) => !isOurs(each) && !clusterManagers.includes(each));
}
