/** Reads the metrics of a manager whose manifests are those of kgen, with tokens of service accounts. */
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { Manager } from '@kgen/controller';
import { serviceAccounts } from '@kgen/kubernetes/core/v1';
import { type ClusterConfig, RESTClient, resource } from '@kgen/runtime';
import { applyManifests } from '@kgen/runtime/manifests';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plainPrinter, valuesOf } from '../../src/kgen/manifests/deployment/values.ts';
import { workloadText } from '../../src/kgen/manifests/deployment/workload.ts';
import { rbacFiles } from '../../src/kgen/manifests/permissions/roles/rbac-files.ts';
import { deadline, unique } from '../support/cluster-tests.ts';

const ignore = (): void => undefined;
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Registers the tests for a server. */
export function metricsTests(title: string, admin: () => ClusterConfig): void {
  describe(title, () => {
    it('are read over HTTPS by accounts with the role of readers alone', async () => {
      const name = unique('metrics');
      const { port, tokenOf } = await startOperator(admin(), name);
      const status = (token?: string): Promise<number | string> => statusOf(getHttps, port, token);
      await expect.poll(() => tokenOf('reader').then(status), deadline).toBe(200);
      expect(await status(await tokenOf('other'))).toBe(403);
      expect(await status()).toBe(401);
      expect(await status('invalid')).toBe(401);
      expect(await statusOf(getHttp, port, await tokenOf('reader'))).toBe('ECONNRESET');
    });

    it('are not served if the operator may not review access', async () => {
      const name = unique('metrics');
      const { port, tokenOf } = await startOperator(admin(), name, []);
      expect(await statusOf(getHttps, port, await tokenOf('reader'))).toBe(500);
    });
  });
}

interface Operator {
  readonly port: number;
  /** Returns a new token, whose review is not cached. */
  readonly tokenOf: (account: string) => Promise<string>;
}

const reviews = [
  ['authentication.k8s.io', 'tokenreviews'],
  ['authorization.k8s.io', 'subjectaccessreviews'],
] as const;

/** Starts a manager under the service account of its manifests, and creates an account of a reader. */
async function startOperator(
  admin: ClusterConfig,
  name: string,
  needed = reviews.slice(),
): Promise<Operator> {
  const needs = needed.map(([group, resource]) => ({
    ...{ group, resource, verbs: ['create'], names: [] },
    ...({
      scope: { type: 'cluster' },
      place: { file: 'operator.ts' },
      reason: 'access to the metrics',
    } as const),
  }));
  const files = [...rbacFiles(needs, { name }).values()];
  const served = { port: 8443, isSecure: true, isAuthorized: true, hasRecording: true };
  const workload = workloadText({ name, metrics: served }, plainPrinter(valuesOf(name, {}), name));
  for (const text of [...files, workload, readerText(name)])
    await applyManifests(admin, text, { fieldManager: 'test' });
  const rest = new RESTClient(admin);
  onTestFinished(() => rest.close());
  const tokenOf = async (account: string): Promise<string> => {
    const { status } = await resource(rest, serviceAccounts)
      .in(name)
      .createToken(account, { spec: { audiences: [] } });
    return status?.token ?? '';
  };
  // The client certificate of the administrator would be the identity of the connection.
  const { cert: _cert, key: _key, ...tls } = admin.tls ?? {};
  const config = { server: admin.server, tls, auth: { token: await tokenOf(name) } };
  const metrics = { port: 0, host: '127.0.0.1', tls: 'self-signed', authorize: true } as const;
  const manager = new Manager(config, { name, metrics, log, handleSignals: false });
  const stop = new AbortController();
  const ended = manager.run({ signal: stop.signal });
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  await expect.poll(() => manager.ports.metrics, deadline).toBeDefined();
  return { port: manager.ports.metrics ?? 0, tokenOf };
}

const readerText = (name: string): string => `apiVersion: v1
kind: ServiceAccount
metadata: { name: reader, namespace: ${name} }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: other, namespace: ${name} }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: ${name}-reader }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${name}-metrics-reader }
subjects: [{ kind: ServiceAccount, name: reader, namespace: ${name} }]
`;

/** Returns the status of a response, or the code of the error of a connection. */
function statusOf(get: typeof getHttps, port: number, token?: string): Promise<number | string> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve) => {
    const url = `${get === getHttp ? 'http' : 'https'}://127.0.0.1:${port}/metrics`;
    const request = get(url, { headers, agent: false, rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}
