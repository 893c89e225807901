import type { RuntimeType } from './ir.ts';

/** The last part of a definition's full name: `Pod` of `io.k8s.api.core.v1.Pod`. */
export function shortNameOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** True for what all APIs share, whatever group its kinds are said to be of. */
export function isShared(name: string): boolean {
  return name.startsWith('io.k8s.apimachinery.pkg.');
}

/** True for what is described in the reference documentation of Kubernetes. */
export function isKubernetesOwn(name: string): boolean {
  return /^io\.k8s\.(?:api|apimachinery|apiextensions-apiserver|kube-aggregator)\./.test(name);
}

/** Full name of the definition of ObjectMeta. */
export const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** The type of the runtime that stands for a definition. */
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
