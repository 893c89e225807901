import { catalog } from '@kgen/kubernetes/catalog';
import type { KubernetesList } from '@kgen/runtime';
import type { ResourceFacts } from '@kgen/runtime/client';
import { describe, expect, it } from 'vitest';
import type { Env } from './env.ts';

type Clientset = Env['clientset'];

const events = {
  'involvedObject.apiVersion': 'v1',
  'involvedObject.fieldPath': 'spec',
  'involvedObject.kind': 'Pod',
  'involvedObject.name': 'web',
  'involvedObject.namespace': 'shop',
  'involvedObject.resourceVersion': '7',
  'involvedObject.uid': 'u',
  reason: 'Started',
  reportingComponent: 'kubelet',
  source: 'kubelet',
  type: 'Normal',
};
const regardingEvents = {
  reason: 'Started',
  'regarding.apiVersion': 'v1',
  'regarding.fieldPath': 'spec',
  'regarding.kind': 'Pod',
  'regarding.name': 'web',
  'regarding.namespace': 'shop',
  'regarding.resourceVersion': '7',
  'regarding.uid': 'u',
  reportingController: 'kubelet',
  type: 'Normal',
};
const pods = {
  'spec.hostNetwork': 'true',
  'spec.nodeName': 'n1',
  'spec.restartPolicy': 'Always',
  'spec.schedulerName': 'me',
  'spec.serviceAccountName': 'me',
  'status.nominatedNodeName': 'n2',
  'status.phase': 'Running',
  'status.podIP': '10.0.0.1',
};
const namespaces = { 'status.phase': 'Lost' };
const nodes = { 'spec.unschedulable': 'true' };
const replicationControllers = { 'status.replicas': '7' };
const secrets = { type: 'example.com/none' };
const services = { 'spec.clusterIP': '10.0.0.1', 'spec.type': 'NodePort' };
const jobs = { 'status.successful': '7' };
const requests = { 'spec.signerName': 'example.com/none' };
const slices = { 'spec.driver': 'example.com', 'spec.nodeName': 'n1' };

/** All fields at once in the typed form, by key of the catalog. */
const requested: Readonly<
  Record<
    string,
    { readonly fields: object; readonly list: (to: Clientset) => Promise<KubernetesList<unknown>> }
  >
> = {
  'v1/Event': { fields: events, list: (to) => to.coreV1.events().list({ fieldSelector: events }) },
  'v1/Namespace': {
    fields: namespaces,
    list: (to) => to.coreV1.namespaces().list({ fieldSelector: namespaces }),
  },
  'v1/Node': { fields: nodes, list: (to) => to.coreV1.nodes().list({ fieldSelector: nodes }) },
  'v1/Pod': { fields: pods, list: (to) => to.coreV1.pods().list({ fieldSelector: pods }) },
  'v1/ReplicationController': {
    fields: replicationControllers,
    list: (to) => to.coreV1.replicationControllers().list({ fieldSelector: replicationControllers }),
  },
  'v1/Secret': { fields: secrets, list: (to) => to.coreV1.secrets().list({ fieldSelector: secrets }) },
  'v1/Service': { fields: services, list: (to) => to.coreV1.services().list({ fieldSelector: services }) },
  'batch/v1/Job': { fields: jobs, list: (to) => to.batchV1.jobs().list({ fieldSelector: jobs }) },
  'certificates.k8s.io/v1/CertificateSigningRequest': {
    fields: requests,
    list: (to) => to.certificatesV1.certificateSigningRequests().list({ fieldSelector: requests }),
  },
  'events.k8s.io/v1/Event': {
    fields: regardingEvents,
    list: (to) => to.eventsV1.events().list({ fieldSelector: regardingEvents }),
  },
  'resource.k8s.io/v1/ResourceSlice': {
    fields: slices,
    list: (to) => to.resourceV1.resourceSlices().list({ fieldSelector: slices }),
  },
  'resource.k8s.io/v1beta1/ResourceSlice': {
    fields: slices,
    list: (to) => to.resourceV1beta1.resourceSlices().list({ fieldSelector: slices }),
  },
  'resource.k8s.io/v1beta2/ResourceSlice': {
    fields: slices,
    list: (to) => to.resourceV1beta2.resourceSlices().list({ fieldSelector: slices }),
  },
};

/** Registers tests that the server accepts all field selectors of clients. */
export function selectableFieldTests(env: Env): void {
  describe('field selectors', () => {
    it('are tested for every field that clients support', async () => {
      const known = await Promise.all(
        Object.entries(catalog).map(async ([key, load]): Promise<[string, readonly string[]]> => {
          const { selectableFields = [] }: ResourceFacts = await load();
          return [key, selectableFields];
        }),
      );
      const tried = Object.entries(requested).map(([key, { fields }]) => [key, Object.keys(fields)]);
      expect(Object.fromEntries(known.filter(([, fields]) => fields.length > 0))).toEqual(
        Object.fromEntries(tried),
      );
    });

    it.each(Object.entries(requested))('of %s', async (_, { list }) => {
      expect((await list(env.clientset)).items).toEqual([]);
    });

    it('select objects', async () => {
      const { coreV1 } = env.clientset;
      const here = coreV1.pods(await env.namespace());
      const containers = [{ name: 'web', image: 'web:1' }];
      await here.create({ metadata: { name: 'waits' }, spec: { containers } });
      await here.create({ metadata: { name: 'runs' }, spec: { containers, nodeName: 'n1' } });
      const { items } = await here.list({ fieldSelector: { 'spec.nodeName': 'n1' } });
      expect(items.map(({ metadata }) => metadata.name)).toEqual(['runs']);
    });
  });
}
