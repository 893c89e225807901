/** Server-side apply and patches of built-in kinds. */
import type { Json, JsonObject } from '../../../schema/values/json.ts';
import type { Step } from '../exchange.fixture.ts';
import { type Collection, collection, create, get, merge, remove } from './steps.fixture.ts';

const deployments = collection('apps/v1', 'Deployment', 'deployments');
const services = collection('v1', 'Service', 'services');
const configMaps = collection('v1', 'ConfigMap', 'configmaps');
const pods = collection('v1', 'Pod', 'pods');

function apply(of: Collection, name: string, members: JsonObject, query: string, part = ''): Step {
  return {
    method: 'PATCH',
    path: `${of.path}/${name}${part}?${query}`,
    type: 'application/apply-patch+yaml',
    body: { apiVersion: of.apiVersion, kind: of.kind, metadata: { name }, ...members },
  };
}

function strategic(of: Collection, name: string, patch: Json): Step {
  return {
    method: 'PATCH',
    path: `${of.path}/${name}`,
    type: 'application/strategic-merge-patch+json',
    body: patch,
  };
}

function deployment(containers: readonly JsonObject[], members: JsonObject = {}): JsonObject {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers } };
  return { spec: { selector: { matchLabels: { a: 'b' } }, template, ...members } };
}

const app = { name: 'app', image: 'x:1', ports: [{ containerPort: 80 }] };
const side = { name: 'side', image: 'y:1' };

const applies: readonly Step[] = [
  apply(deployments, 'web', deployment([app]), ''),
  apply(deployments, 'web', deployment([app], { replicas: 2 }), 'fieldManager=one'),
  apply(deployments, 'web', deployment([app], { replicas: 2 }), 'fieldManager=one'),
  apply(deployments, 'web', deployment([side], { replicas: 3 }), 'fieldManager=two'),
  apply(deployments, 'web', deployment([side], { replicas: 3 }), 'fieldManager=two&force=true'),
  get(deployments, 'web'),
  apply(deployments, 'web', deployment([{ ...app, ports: [{ containerPort: 81 }] }]), 'fieldManager=one'),
  apply(deployments, 'web', { spec: { unknown: 1 } }, 'fieldManager=one'),
  apply(deployments, 'web', { status: { replicas: 1 } }, 'fieldManager=status', '/status'),
  merge(deployments, 'web', { spec: { replicas: 5 } }),
  apply(deployments, 'web', deployment([app], { replicas: 2 }), 'fieldManager=one'),
  remove(deployments, 'web'),
  apply(
    services,
    'web',
    { spec: { ports: [{ port: 80, name: 'http' }], selector: { a: 'b' } } },
    'fieldManager=one',
  ),
  apply(services, 'web', { spec: { ports: [{ port: 81, name: 'more' }] } }, 'fieldManager=two'),
  apply(services, 'web', { spec: { selector: { c: 'd' } } }, 'fieldManager=two'),
  remove(services, 'web'),
  apply(configMaps, 'conf', { data: { a: '1' } }, 'fieldManager=one'),
  apply(configMaps, 'conf', { data: { b: '2' } }, 'fieldManager=two'),
  apply(configMaps, 'conf', { data: { a: '3' } }, 'fieldManager=two'),
  apply(configMaps, 'conf', {}, 'fieldManager=one'),
  remove(configMaps, 'conf'),
  apply(
    pods,
    'web',
    { spec: { containers: [app], tolerations: [{ key: 'a', operator: 'Exists' }] } },
    'fieldManager=one',
  ),
  apply(pods, 'web', { metadata: { name: 'web', labels: { c: 'd' } } }, 'fieldManager=two'),
  remove(pods, 'web'),
];

const patches: readonly Step[] = [
  create(deployments, 'smp', deployment([app])),
  strategic(deployments, 'smp', { spec: { template: { spec: { containers: [side] } } } }),
  strategic(deployments, 'smp', {
    spec: { template: { spec: { containers: [{ name: 'app', image: 'x:2' }] } } },
  }),
  strategic(deployments, 'smp', {
    spec: { template: { spec: { containers: [{ name: 'side', $patch: 'delete' }] } } },
  }),
  strategic(deployments, 'smp', { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }),
  strategic(deployments, 'smp', { spec: { replicas: 'x' } }),
  strategic(deployments, 'smp', { spec: { unknown: 1 } }),
  merge(deployments, 'smp', { spec: { template: { spec: { containers: [side] } } } }),
  {
    method: 'PATCH',
    path: `${deployments.path}/smp`,
    type: 'application/json-patch+json',
    body: [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'z' }],
  },
  remove(deployments, 'smp'),
];

/** Rows about apply and patches. */
export const applySteps: Readonly<Record<string, readonly Step[]>> = {
  'apply: managers of built-in kinds': applies,
  'patches of built-in kinds': patches,
};
