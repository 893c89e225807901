import { readFileSync } from 'node:fs';
import { execPath } from 'node:process';
import { isConfigError, loadConfig } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { unique } from '../support/cluster-tests.ts';
import { failure } from '../support/errors.ts';
import { clientsetOf, type Env, whoIs } from './env.ts';

/**
 * An exec plugin: prints the content of the file named by its argument as JSON, and appends each run, with
 * its `KUBERNETES_EXEC_INFO`, to a file beside it.
 */
const plugin = `
const { appendFileSync, readFileSync } = require('node:fs');
const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
appendFileSync(process.argv[2] + '.runs', JSON.stringify(info) + '\\n');
const status = JSON.parse(readFileSync(process.argv[2], 'utf8'));
console.log(JSON.stringify({ apiVersion: info.apiVersion, kind: 'ExecCredential', status }));
`;

interface Plugin {
  /** Kubeconfig with this plugin. */
  readonly kubeconfig: string;
  /** Sets its output from now on. */
  response(status: object): void;
  /** Returns its input, run by run. */
  runs(): readonly { readonly spec: { readonly cluster?: { readonly server: string } } }[];
}

function usePlugin(env: Env, version: 'v1' | 'v1beta1', status: object): Plugin {
  const name = unique('plugin');
  const { server, tls } = env.controlPlane.config;
  const program = env.file('plugin.cjs', plugin);
  const responses = env.file(name, JSON.stringify(status));
  const ca = Buffer.from(tls?.ca ?? '').toString('base64');
  const exec = {
    apiVersion: `client.authentication.k8s.io/${version}`,
    command: execPath,
    args: [program, responses],
    interactiveMode: 'Never',
    provideClusterInfo: true,
  };
  const kubeconfig = env.file(
    `${name}.yaml`,
    JSON.stringify({
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': ca } }],
      users: [{ name: 'u', user: { exec } }],
    }),
  );
  return {
    kubeconfig,
    response: (next) => void env.file(name, JSON.stringify(next)),
    runs: () =>
      readFileSync(`${responses}.runs`, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}

/** Registers tests of exec plugins. */
export function execTests(env: Env): void {
  describe('a credential plugin', () => {
    it.for(['v1', 'v1beta1'] as const)(
      '%s returns a token, once for many calls',
      async (version, { onTestFinished }) => {
        const token = env.controlPlane.tokenConfig.auth?.token;
        const { kubeconfig, runs } = usePlugin(env, version, { token });
        const clientset = clientsetOf(await loadConfig({ kubeconfig }), onTestFinished);
        const identities = await Promise.all(Array.from({ length: 20 }, () => whoIs(clientset)));
        expect(new Set(identities.map(({ username }) => username))).toEqual(new Set(['token-admin']));
        expect(runs().map(({ spec }) => spec.cluster?.server)).toEqual([env.controlPlane.config.server]);
      },
    );

    it('returns a client certificate, and the next one after its expiry', async ({ onTestFinished }) => {
      const { addUser } = env.controlPlane;
      const certificateOf = async (name: string) => {
        const { tls } = await addUser(name);
        return { clientCertificateData: tls?.cert, clientKeyData: tls?.key };
      };
      const over = new Date(Date.now() - 60_000).toISOString();
      const first = { ...(await certificateOf('first')), expirationTimestamp: over };
      const { kubeconfig, response } = usePlugin(env, 'v1', first);
      const clientset = clientsetOf(await loadConfig({ kubeconfig }), onTestFinished);
      expect((await whoIs(clientset)).username).toBe('first');
      response(await certificateOf('second'));
      expect((await whoIs(clientset)).username).toBe('second');
    });

    it('runs again after a 401', async ({ onTestFinished }) => {
      const { kubeconfig, response, runs } = usePlugin(env, 'v1', { token: 'revoked' });
      const clientset = clientsetOf(await loadConfig({ kubeconfig }), onTestFinished);
      await expect(whoIs(clientset)).rejects.toMatchObject({ code: 401 });
      response({ token: env.controlPlane.tokenConfig.auth?.token });
      expect((await whoIs(clientset)).username).toBe('token-admin');
      const before = runs().length;
      await whoIs(clientset);
      expect(runs()).toHaveLength(before);
    });

    it('rejects the call with its name for invalid output', async ({ onTestFinished }) => {
      const { kubeconfig } = usePlugin(env, 'v1', { token: '', clientKeyData: 'sesame' });
      const clientset = clientsetOf(await loadConfig({ kubeconfig }), onTestFinished);
      const error = await failure(whoIs(clientset));
      expect(isConfigError(error), String(error)).toBe(true);
      expect(String(error)).toContain(execPath);
      expect(String(error)).not.toContain('sesame');
    });
  });
}
