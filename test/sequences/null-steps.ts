/** Applies of nulls, and updates whose name and values are both wrong. */
import type { Json, JsonObject } from '../../src/schema/values/json.ts';
import type { Step } from './step.ts';

const services = '/api/v1/namespaces/{ns}/services';
const leases = '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases';

/** Parts of a service that an apply sets to null: owned by part, as a whole, or a scalar. */
const nulls: readonly JsonObject[] = [
  { metadata: { labels: null } },
  { metadata: { finalizers: null } },
  { spec: null },
  { spec: { ports: null } },
  { spec: { ports: [{ port: 80, protocol: 'TCP', name: null }] } },
  { spec: { ports: [{ port: 80, protocol: null }] } },
  { spec: { selector: null } },
  { spec: { externalIPs: null, loadBalancerSourceRanges: null } },
  { spec: { type: null, sessionAffinity: null, sessionAffinityConfig: null } },
];

const applied = (name: string, { metadata, ...rest }: JsonObject, force: string): Step => ({
  method: 'PATCH',
  path: `${services}/${name}`,
  query: { fieldManager: 'other', force },
  type: 'application/apply-patch+yaml',
  body: { apiVersion: 'v1', kind: 'Service', ...rest, metadata: { name, ...Object(metadata) } },
});

const appliedSteps = nulls.flatMap((part, index): readonly Step[] => {
  const name = `null-${index}`;
  const metadata = { name, labels: { x: 'y' }, finalizers: ['example.com/a'] };
  const spec = { selector: { a: 'b' }, externalIPs: ['192.0.2.7'], ports: [{ port: 80, name: 'p' }] };
  return [
    { method: 'POST', path: services, body: { metadata, spec } },
    applied(name, part, 'false'),
    applied(name, part, 'true'),
  ];
});

const updated = (spec: Json, namespace = '{ns}'): Step => ({
  method: 'PUT',
  path: `${leases}/a`,
  body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'b', namespace }, spec },
});

const widgets = '/apis/sequences.example.com/v1/namespaces/{ns}/widgets';

/** Null in fields of a custom resource with and without defaults. */
const widgetSpecs: readonly JsonObject[] = [
  { color: null },
  { replicas: null },
  { name: null },
  { any: null },
  { free: null },
  { free: { a: null } },
  { empty: null },
  { tags: null },
  { ports: null },
  { ports: [{ port: 1, protocol: null }] },
  { ports: [{ port: 1, name: null }] },
  { limits: null },
  { atom: null },
  { atom: { a: null } },
];

const widget = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'sequences.example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec,
});

const appliedWidget = (name: string, spec: JsonObject, force: string): Step => ({
  method: 'PATCH',
  path: `${widgets}/${name}`,
  query: { fieldManager: 'other', force },
  type: 'application/apply-patch+yaml',
  body: widget(name, spec),
});

const widgetSteps = widgetSpecs.flatMap((spec, index): readonly Step[] => {
  const [none, some, fresh] = [`none-${index}`, `some-${index}`, `fresh-${index}`];
  return [
    { method: 'POST', path: widgets, body: widget(none, { size: 1 }) },
    appliedWidget(none, spec, 'false'),
    appliedWidget(none, spec, 'true'),
    { method: 'POST', path: widgets, body: widget(some, { size: 1, ...spec }) },
    appliedWidget(some, spec, 'false'),
    appliedWidget(some, { size: 1 }, 'true'),
    appliedWidget(fresh, { size: 1, ...spec }, 'false'),
    appliedWidget(fresh, { size: 1 }, 'false'),
  ];
});

/** All requests. */
export const nullSteps: readonly Step[] = [
  ...appliedSteps,
  { method: 'POST', path: leases, body: { metadata: { name: 'a' }, spec: { holderIdentity: 'a' } } },
  updated({ leaseDurationSeconds: 'a' }),
  updated({ renewTime: 'a' }),
  updated({}),
  updated({}, 'elsewhere'),
  ...widgetSteps,
];
