/** Conversion of scales of all versions to `autoscaling/v1`. */
import { apiVersionOf, type GroupVersionResource } from '../../api/group-version.ts';
import type { Scale, ScaleStatus } from '../../api/meta.ts';
import type { BodyKind } from '../../api/resource.ts';
import { labelSelectorText } from '../../selectors/labels.ts';

/** A scale of a deprecated group: its selector is a map, with the complete selector as a string beside it. */
export interface OldScale extends Omit<Scale, 'apiVersion' | 'kind' | 'status'> {
  apiVersion?: string;
  kind?: string;
  status?: Omit<ScaleStatus, 'selector'> & {
    selector?: string | Readonly<Record<string, string>> | undefined;
    targetSelector?: string;
  };
}

const current = { apiVersion: 'autoscaling/v1', kind: 'Scale' } as const;

/** Group versions whose scales have a kind of their own. */
const oldGroupVersions: ReadonlySet<string> = new Set(['extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2']);

/** Returns the default kind of a resource's scale. */
export function scaleKindOf(resource: Pick<GroupVersionResource, 'group' | 'version'>): BodyKind {
  const apiVersion = apiVersionOf(resource);
  return oldGroupVersions.has(apiVersion) ? { apiVersion, kind: 'Scale' } : current;
}

/** Converts a scale to `autoscaling/v1`. */
export function scaleFrom({ apiVersion: _, kind: __, status, ...rest }: OldScale): Scale {
  if (status === undefined) return { ...current, ...rest };
  const selector = selectorOf(status);
  const { replicas } = status;
  return { ...current, ...rest, status: { replicas, ...(selector !== undefined && { selector }) } };
}

function selectorOf({ selector, targetSelector }: NonNullable<OldScale['status']>): string | undefined {
  if (targetSelector !== undefined && targetSelector !== '') return targetSelector;
  return typeof selector === 'object' ? labelSelectorText(selector) : selector;
}

/** Converts a scale to the kind of a resource, which reads `spec.replicas` and the metadata. */
export function scaleTo(kind: BodyKind, { apiVersion: _, kind: __, status, ...rest }: Scale): OldScale {
  if (kind.apiVersion === current.apiVersion)
    return { ...kind, ...rest, ...(status !== undefined && { status }) };
  if (status === undefined) return { ...kind, ...rest };
  const { replicas, selector } = status;
  return {
    ...kind,
    ...rest,
    status: { replicas, ...(selector !== undefined && { targetSelector: selector }) },
  };
}
