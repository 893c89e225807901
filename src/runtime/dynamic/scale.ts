/** Scales of all the versions that there are, as `autoscaling/v1`. */
import { apiVersionOf, type GroupVersionResource } from '../group-version.ts';
import type { Scale, ScaleStatus } from '../meta.ts';
import type { BodyKind } from '../resource.ts';
import { labelSelectorText } from '../selectors/labels.ts';

/** A scale as old groups have it: its selector is a map, and beside it a text that says it all. */
export interface OldScale extends Omit<Scale, 'apiVersion' | 'kind' | 'status'> {
  apiVersion?: string;
  kind?: string;
  status?: Omit<ScaleStatus, 'selector'> & {
    selector?: string | Readonly<Record<string, string>>;
    targetSelector?: string;
  };
}

const current = { apiVersion: 'autoscaling/v1', kind: 'Scale' } as const;

/** Group versions whose scales are of a kind of their own. */
const oldGroupVersions: ReadonlySet<string> = new Set(['extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2']);

/** Of which kind the scale of a resource is, where the server has not said it. */
export function scaleKindOf(resource: Pick<GroupVersionResource, 'group' | 'version'>): BodyKind {
  const apiVersion = apiVersionOf(resource);
  return oldGroupVersions.has(apiVersion) ? { apiVersion, kind: 'Scale' } : current;
}

function selectorOf({ selector, targetSelector }: NonNullable<OldScale['status']>): string | undefined {
  if (targetSelector !== undefined && targetSelector !== '') return targetSelector;
  return typeof selector === 'object' ? labelSelectorText(selector) : selector;
}

/** A scale as `autoscaling/v1` says it. */
export function scaleFrom({ apiVersion: _, kind: __, status, ...rest }: OldScale): Scale {
  if (status === undefined) return { ...current, ...rest };
  const selector = selectorOf(status);
  const { replicas } = status;
  return { ...current, ...rest, status: { replicas, ...(selector !== undefined && { selector }) } };
}

/** A scale as a resource takes it: what is read of it is `spec.replicas`, and the metadata. */
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
