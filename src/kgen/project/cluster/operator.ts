/** The operator of a project as its manifests describe it. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { WholeObject } from '@kgen/runtime/manifests';
import { array, isObject, type Json, type JsonObject, object, text } from '@kgen/schema/values/json';
import { Refusal } from '../../cluster/refusal.ts';
import { formatPlace, quote } from '../../common/problems.ts';
import { objectsOf } from '../file-objects.ts';
import { type ObjectKind, refOf } from './cluster.ts';

/** Name of the operator of a project, and its namespace. */
export interface OperatorPlace {
  readonly name: string;
  readonly namespace: string;
}

/** Owner of the fields that the commands write. */
export const fieldManager = 'kgen';

/** Label of every object that `kgen deploy` and `kgen install` apply: the name of the operator. */
export const operatorLabel = 'kgen.dev/operator';

export const deploymentKind: ObjectKind = { apiVersion: 'apps/v1', kind: 'Deployment' };
export const definitionKind: ObjectKind = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
};

/** Kinds of the configurations of webhooks. */
export const webhookKinds: readonly ObjectKind[] = [
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
].map((kind) => ({ apiVersion: 'admissionregistration.k8s.io/v1', kind }));

/** Kinds through which servers call an operator, or which refuse writes: first to go, last to come. */
export const interceptingKinds: readonly string[] = [
  ...webhookKinds.map(({ kind }) => kind),
  'MutatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingAdmissionPolicy',
];

/** Kinds that kgen writes, to find objects of earlier versions of an operator. */
export const deployedKinds: readonly ObjectKind[] = [
  ...interceptingKinds.map((kind) => ({
    apiVersion: `admissionregistration.k8s.io/${kind.startsWith('MutatingAdmission') ? 'v1beta1' : 'v1'}`,
    kind,
  })),
  deploymentKind,
  { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' },
  { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' },
  ...['Service', 'ConfigMap', 'Secret'].map((kind) => ({ apiVersion: 'v1', kind })),
  ...['RoleBinding', 'ClusterRoleBinding', 'Role', 'ClusterRole'].map((kind) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind,
  })),
  { apiVersion: 'v1', kind: 'ServiceAccount' },
];

/**
 * Returns the objects of a file, or of all YAML files of a folder in the order of their names.
 * @throws {Refusal} it does not exist, or is not YAML
 */
export function readObjects(cwd: string, path: string): readonly JsonObject[] {
  try {
    const whole = resolve(cwd, path);
    if (!statSync(whole).isDirectory()) return parseObjects(readFileSync(whole, 'utf8'), path);
    const files = readdirSync(whole).filter((name) => /\.ya?ml$/.test(name));
    return files.sort().flatMap((name) => readObjects(cwd, join(path, name)));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // seam: errors of node:fs have a code
    if (cause instanceof Refusal || code === undefined) throw cause;
    throw new Refusal(`${path} cannot be read (${code})`);
  }
}

/**
 * Returns the objects of YAML documents. Items of lists count individually.
 * @throws {Refusal} it is not YAML, or a document is not an object
 */
export function parseObjects(content: string, source: string): readonly JsonObject[] {
  const { value, problems } = objectsOf([{ file: source, text: content }]);
  const [problem] = problems;
  if (problem !== undefined)
    throw new Refusal(`${formatPlace(problem.where ?? { file: source })}: ${problem.what}`);
  const objects: readonly Json[] = value.flatMap((each) =>
    text(each.value, 'kind') === 'List' ? array(each.value, 'items') : [each.value],
  );
  const found = objects.filter((each): each is JsonObject => isObject(each) && refOf(each).name !== '');
  if (found.length === objects.length && found.length > 0) return found;
  throw new Refusal(
    found.length === objects.length
      ? `${source} has no objects`
      : `${source}: every document must be an object with apiVersion, kind and metadata.name`,
  );
}

/** Returns the objects with the label of their operator, in the form of `applyManifests`. */
export function labelled(objects: readonly JsonObject[], name: string): readonly WholeObject[] {
  return objects.map((each) => {
    const metadata = object(each, 'metadata');
    const labels = { ...object(metadata, 'labels'), [operatorLabel]: name };
    const { apiVersion, kind } = refOf(each);
    return { ...each, apiVersion, kind, metadata: { ...metadata, labels } };
  });
}

/**
 * Returns the objects with another image of the first container of each Deployment.
 * @throws {Refusal} there is no Deployment
 */
export function withImage(objects: readonly JsonObject[], image: string): readonly JsonObject[] {
  if (!objects.some(isDeployment)) throw new Refusal(`no Deployment takes the image ${quote(image)}`);
  return objects.map((each) => {
    if (!isDeployment(each)) return each;
    const [first, ...others] = array(each, 'spec', 'template', 'spec', 'containers');
    const containers: readonly Json[] = [{ ...object(first), image }, ...others];
    const template = object(each, 'spec', 'template');
    const spec = { ...object(template, 'spec'), containers };
    return { ...each, spec: { ...object(each, 'spec'), template: { ...template, spec } } };
  });
}

/** Returns whether an object is a Deployment. */
export function isDeployment(each: JsonObject): boolean {
  return text(each, 'kind') === 'Deployment';
}

/** Returns whether an object is a definition. */
export function isDefinition(each: JsonObject): boolean {
  return text(each, 'kind') === definitionKind.kind;
}

/** Returns whether servers call the operator because of an object, or refuse writes. */
export function isIntercepting(each: JsonObject): boolean {
  return interceptingKinds.includes(text(each, 'kind'));
}

/** Returns the selector of the Pods of a Deployment. */
export function selectorOf(deployment: JsonObject | undefined): string {
  const labels = Object.entries(object(deployment, 'spec', 'selector', 'matchLabels'));
  return labels.map(([key, value]) => `${key}=${value}`).join(',');
}
