/** Meaning of full names of definitions, such as `io.k8s.api.core.v1.Pod`. */
import type { RuntimeType } from '../ir.ts';

/** Returns the last part of a definition's full name: `Pod` of `io.k8s.api.core.v1.Pod`. */
export function shortNameOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Returns whether a definition is shared by all APIs, whatever group its kinds declare. */
export function isShared(name: string): boolean {
  return name.startsWith('io.k8s.apimachinery.pkg.');
}

/** Returns whether a definition is part of the Kubernetes API reference. */
export function isKubernetesOwn(name: string): boolean {
  return /^io\.k8s\.(?:api|apimachinery|apiextensions-apiserver|kube-aggregator)\./.test(name);
}

/** Full name of the definition of ObjectMeta. */
export const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** Returns the type of the runtime that replaces a definition. */
export function runtimeTypeOf(name: string): RuntimeType | undefined {
  return runtimeTypes.get(name);
}

const metaTypes: readonly RuntimeType[] = [
  'Condition',
  'LabelSelector',
  'LabelSelectorRequirement',
  'ListMeta',
  'ManagedFieldsEntry',
  'MicroTime',
  'ObjectMeta',
  'OwnerReference',
  'Status',
  'StatusCause',
  'StatusDetails',
  'Time',
];
const scaleTypes: readonly RuntimeType[] = ['Scale', 'ScaleSpec', 'ScaleStatus'];

const runtimeTypes: ReadonlyMap<string, RuntimeType> = new Map([
  ...metaTypes.map((type) => [`io.k8s.apimachinery.pkg.apis.meta.v1.${type}`, type] as const),
  ...scaleTypes.map((type) => [`io.k8s.api.autoscaling.v1.${type}`, type] as const),
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', 'Quantity'] as const,
]);
