/** Operators are deployed to a real control plane with its controllers; the test is their kubelet. */
import { type CertificateAuthority, createAuthority } from '@kgen/certificates/authority';
import { applyManifests } from '@kgen/runtime/manifests';
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deploy } from '../../src/kgen/project/cluster/deploy.ts';
import { doctor } from '../../src/kgen/project/cluster/doctor.ts';
import { undeploy } from '../../src/kgen/project/cluster/undeploy.ts';
import { pause, resume } from '../../src/kgen/project/local/pause.ts';
import { openSession, setPods, type TestSession, testOperator } from './operator.ts';

const { available } = controlPlaneAvailability({ controllerManager: true });
const isRequired = process.env['KGEN_NOTHING_SKIPPED'] !== undefined;

describe.skipIf(!available && !isRequired)('a real control plane', { timeout: 120_000 }, () => {
  let plane: ControlPlane;
  let ann: TestSession;

  beforeAll(async () => {
    plane = await startControlPlane({ controllerManager: true });
    ann = openSession(plane.config);
  }, 1_200_000);
  afterAll(async () => {
    await ann.cluster.close();
    await plane.stop();
  });

  it('names the quota that refuses Pods', async () => {
    const target = testOperator('quota');
    const metadata = { name: 'small', namespace: target.namespace };
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard: { pods: '0' } } };
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: target.namespace } };
    await applyManifests(plane.config, [namespace, quota], { fieldManager: 'admin' });
    const deployed = deploy(ann.cluster, { ...target, patienceMs: 0 }, ann.session);
    await expect(deployed).rejects.toThrow(/cannot be created: .*exceeded quota: small.*raise the/);
  });

  it('finds a Secret of certificates that is missing, or whose authority no webhook trusts', async () => {
    const target = testOperator('certificates', { replicas: 0, keepsCertificate: true });
    const { cluster, session, lines } = ann;
    await deploy(cluster, target, session);
    const found = async (): Promise<readonly string[]> => {
      const start = lines.length;
      await expect(doctor(cluster, target, session)).rejects.toThrow(/problems?$/);
      return lines.slice(start).filter((line) => line.includes(' certificate: '));
    };
    const secretName = 'certificates-webhook-certificates';
    const absent = `Secret ${secretName} does not exist, but API servers call the operator`;
    expect(await found()).toEqual([expect.stringContaining(`error    certificate: ${absent}`)]);
    const [authority, other] = [createAuthority(), createAuthority()];
    const keep = async (issuer: CertificateAuthority): Promise<void> => {
      const { cert, key } = issuer.issueServer('webhooks', { names: ['a.b.svc'], addresses: [] });
      const metadata = { name: secretName, namespace: target.namespace };
      const stringData = { 'tls.crt': cert, 'tls.key': key };
      const secret = { apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls', metadata, stringData };
      await applyManifests(plane.config, [secret], { fieldManager: 'certificates' });
    };
    const configuration = {
      ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' },
      metadata: { name: target.name },
    };
    const caBundle = Buffer.from(authority.cert).toString('base64');
    const path = '/webhooks/0/clientConfig/caBundle';
    await cluster.objects.patch(configuration, [{ op: 'add', path, value: caBundle }], { type: 'json' });
    await keep(other);
    expect(await found()).toEqual([expect.stringContaining('does not contain the authority')]);
    await keep(authority);
    expect(await found()).toEqual([expect.stringMatching(/^ok/)]);
  });

  it('deploys an operator whose Pods become available, and removes everything', async () => {
    const target = testOperator('boxes');
    const { cluster, session, lines } = ann;
    const started = new Date().toISOString();
    const ready = {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: started }],
    };
    const sleep = async (ms: number): Promise<void> => {
      await setPods(cluster, target.namespace, ready);
      await session.sleep(ms);
    };
    await deploy(cluster, { ...target, patienceMs: 60_000 }, { ...session, sleep });
    expect(lines.at(-1)).toBe('boxes is deployed.');
    await expect(doctor(cluster, target, session)).rejects.toThrow('boxes has 1 problem');
    expect(lines).toContain('ok       permissions: 3 granted');
    const holder = `${session.user}/${2 ** 30}`;
    const { signal } = new AbortController();
    await pause(cluster, { ...target, holder, signal, willPause: () => undefined }, session);
    expect(await resume(cluster, target, { holder, replicas: 2 })).toMatch(/^restored .*: 2 replicas$/);
    const { metadata } = Object(await cluster.find({ apiVersion: 'apps/v1', kind: 'Deployment', ...target }));
    const managers = metadata.managedFields.map(({ manager }: { readonly manager: string }) => manager);
    expect(managers).not.toContain('kgen-dev');
    const choice = { deleteObjects: false, keepObjects: false, force: false, dryRun: false, kinds: [] };
    await undeploy(cluster, { ...target, ...choice }, session);
    expect(lines.slice(-2)).toEqual(['deleted    Namespace boxes', 'boxes is removed.']);
    const found = await cluster.list(
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' },
      { labelSelector: 'kgen.dev/operator=boxes' },
    );
    expect(found).toEqual([]);
  });
});
