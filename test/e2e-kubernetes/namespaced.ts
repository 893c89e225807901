import { isForbidden, isInvalid } from '@kgen/runtime';
import { describe, expect, it, vi } from 'vitest';
import { deadline } from '../support/cluster-tests.ts';
import { apiErrorOf, causesOf } from '../support/errors.ts';
import type { Env } from './env.ts';

const labels = { app: 'web' };
const template = {
  metadata: { labels },
  spec: { restartPolicy: 'Never', containers: [{ name: 'web', image: 'web:1' }] },
};

/** Registers tests of the other namespaced kinds, each created, changed and deleted. */
export function namespacedTests(env: Env): void {
  describe('namespaced resources', () => {
    it('include a quota, which rejects objects above its limit', async () => {
      const namespace = await env.namespace();
      const { coreV1 } = env.clientset;
      const quotas = coreV1.resourceQuotas(namespace);
      await quotas.create({ metadata: { name: 'few' }, spec: { hard: { secrets: '1' } } });
      const counted = await quotas.waitFor('few', (quota) => quota?.status.used?.['secrets'] !== undefined);
      expect(counted?.status).toEqual({ hard: { secrets: '1' }, used: { secrets: '0' } });
      const create = () => coreV1.secrets(namespace).create({ metadata: { generateName: 'one-' } });
      await create();
      // An earlier count of the quota may still be in effect and admit another one.
      const error = await vi.waitFor(() => apiErrorOf(isForbidden, create()), deadline);
      expect(error.message).toContain('exceeded quota: few');
      const patched = await quotas.patchStatus('few', { status: { used: { secrets: null } } });
      expect(patched.spec.hard).toEqual({ secrets: '1' });
      expect((await quotas.getStatus('few')).metadata.uid).toBe(patched.metadata.uid);
    });

    it('include a claim of a volume', async () => {
      const claims = env.clientset.coreV1.persistentVolumeClaims(await env.namespace());
      const created = await claims.create({
        metadata: { name: 'data' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'none',
          resources: { requests: { storage: '1Gi' } },
        },
      });
      expect(created.status.phase).toBe('Pending');
      const patch = claims.patch('data', { spec: { accessModes: ['ReadWriteMany'] } });
      expect(causesOf(await apiErrorOf(isInvalid, patch))).toEqual(['spec: FieldValueForbidden']);
      await claims.deleteAndWait('data');
    });

    it('include a service, whose ports are merged by number', async () => {
      const services = env.clientset.coreV1.services(await env.namespace());
      const created = await services.create({
        metadata: { name: 'web' },
        spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
      });
      expect(created.spec.clusterIP).toMatch(/^10\.0\.0\./);
      const patched = await services.patch('web', {
        spec: { ports: [{ port: 443, name: 'https', targetPort: 8443 }] },
      });
      expect(patched.spec.ports?.map(({ port, targetPort }) => `${port}:${targetPort}`).sort()).toEqual([
        '443:8443',
        '80:http',
      ]);
      await services.delete('web');
    });

    networkTests(env);
    batchTests(env);
  });
}

function networkTests(env: Env): void {
  it('include an ingress', async () => {
    const ingresses = env.clientset.networkingV1.ingresses(await env.namespace());
    const backend = { service: { name: 'web', port: { number: 80 } } };
    const http = { paths: [{ path: '/', pathType: 'Prefix', backend }] };
    await ingresses.create({
      metadata: { name: 'web' },
      spec: { rules: [{ host: 'web.example.com', http }] },
    });
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
    const updated = await ingresses.patchStatus('web', { status });
    expect(updated.status).toEqual(status);
    expect(updated.spec.rules?.[0]?.http?.paths[0]?.backend.service?.port).toEqual({ number: 80 });
  });

  it('include a network policy', async () => {
    const policies = env.clientset.networkingV1.networkPolicies(await env.namespace());
    const ports = [{ port: 53, protocol: 'UDP' }, { port: 'dns' }];
    const created = await policies.create({
      metadata: { name: 'dns' },
      spec: {
        podSelector: { matchLabels: labels },
        policyTypes: ['Egress'],
        egress: [{ ports, to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }],
      },
    });
    expect(created.spec.egress?.[0]?.ports).toEqual([ports[0], { port: 'dns', protocol: 'TCP' }]);
  });

  it('include an endpoint slice', async () => {
    const slices = env.clientset.discoveryV1.endpointSlices(await env.namespace());
    const created = await slices.create({
      metadata: { name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.7'], conditions: { ready: true } }],
      ports: [{ name: 'http', port: 80 }],
    });
    expect(created.ports?.[0]).toEqual({ name: 'http', port: 80, protocol: 'TCP' });
    const moved = slices.update({ ...created, addressType: 'IPv6' });
    expect(causesOf(await apiErrorOf(isInvalid, moved))).toContain('addressType: FieldValueInvalid');
  });
}

function batchTests(env: Env): void {
  it('include an autoscaler, in both versions', async () => {
    const namespace = await env.namespace();
    const scalers = env.clientset.autoscalingV2.horizontalPodAutoscalers(namespace);
    const created = await scalers.create({
      metadata: { name: 'web' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        minReplicas: 1,
        maxReplicas: 5,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
          },
        ],
      },
    });
    expect(created.spec.metrics?.[0]?.resource?.target.averageUtilization).toBe(60);
    const old = await env.clientset.autoscalingV1.horizontalPodAutoscalers(namespace).get('web');
    expect(old.spec.targetCPUUtilizationPercentage).toBe(60);
    await scalers.deleteAndWait('web');
  });

  it('include a suspended cron job, and a job with pods', async () => {
    const namespace = await env.namespace();
    const { batchV1, coreV1 } = env.clientset;
    const crons = batchV1.cronJobs(namespace);
    const jobTemplate = { spec: { template } };
    await crons.create({
      metadata: { name: 'nightly' },
      spec: { schedule: '0 3 * * *', timeZone: 'Etc/UTC', jobTemplate },
    });
    const patched = await crons.patch('nightly', { spec: { suspend: true } });
    expect(patched.spec).toMatchObject({ concurrencyPolicy: 'Allow', suspend: true });
    const wrong = crons.patch('nightly', { spec: { schedule: 'at night' } });
    expect(causesOf(await apiErrorOf(isInvalid, wrong))).toEqual(['spec.schedule: FieldValueInvalid']);
    const jobs = batchV1.jobs(namespace);
    await jobs.create({ metadata: { name: 'once' }, spec: { template } });
    const started = await jobs.waitFor('once', (job) => job?.status.active === 1);
    expect(started?.spec.backoffLimit).toBe(6);
    const { items } = await coreV1
      .pods(namespace)
      .list({ labelSelector: 'batch.kubernetes.io/job-name=once' });
    expect(items).toHaveLength(1);
    await jobs.deleteAndWait('once', { propagationPolicy: 'Foreground' });
  });
}
