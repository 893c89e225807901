import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inClusterConfig } from './in-cluster.ts';
import { pem, problem } from './kubeconfig-text.fixture.ts';

describe('inClusterConfig', () => {
  let dir = '';
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kgen-pod-'));
    await writeFile(join(dir, 'token'), 'tok\n');
    await writeFile(join(dir, 'ca.crt'), pem('CERTIFICATE'));
    await writeFile(join(dir, 'namespace'), 'shop\n');
  });
  afterAll(() => rm(dir, { recursive: true }));

  const cases = [
    { host: '10.96.0.1', env: {}, want: { server: 'https://10.96.0.1:443', namespace: 'shop' } },
    { host: 'fd00::1', env: {}, want: { server: 'https://[fd00::1]:443', namespace: 'shop' } },
    {
      host: '10.96.0.1',
      env: { POD_NAMESPACE: 'pod' },
      want: { server: 'https://10.96.0.1:443', namespace: 'pod' },
    },
  ];
  it.each(cases)('$host $env', async ({ host, env, want }) => {
    const variables = { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: '443', ...env };
    expect(await inClusterConfig({ env: variables, dir })).toEqual({
      ...want,
      tls: { ca: pem('CERTIFICATE'), caFile: join(dir, 'ca.crt') },
      auth: { token: 'tok', tokenFile: join(dir, 'token') },
    });
  });

  it('throws without the variables and the files of a pod', async () => {
    expect(await problem(inClusterConfig({ env: {} }))).toMatch(/^not in a pod/);
    const env = { KUBERNETES_SERVICE_HOST: 'h', KUBERNETES_SERVICE_PORT: '443' };
    expect(await problem(inClusterConfig({ env, dir: join(dir, 'no') }))).toMatch(
      /^the service account of this pod \(see automountServiceAccountToken\): cannot read .*no.token \(ENOENT\)$/,
    );
  });

  const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount';
  it.skipIf(existsSync(serviceAccount))('reads the service account that Kubernetes mounts', async () => {
    const env = { KUBERNETES_SERVICE_HOST: 'h', KUBERNETES_SERVICE_PORT: '443' };
    expect(await problem(inClusterConfig({ env }))).toContain(`cannot read ${serviceAccount}/token (ENOENT)`);
  });
});
