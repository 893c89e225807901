import { createAuthority } from '@kgen/certificates/authority';
import { describe, expect, it } from 'vitest';
import { setEntry } from './editing/change.ts';
import { base64, kubeconfig, problem } from './kubeconfig-text.fixture.ts';
import { parseKubeconfig } from './load.ts';

const program =
  'exec: { apiVersion: client.authentication.k8s.io/v1, command: plugin, interactiveMode: Never, provideClusterInfo: true }';
const withoutToken = (user: string, cluster = ''): string =>
  kubeconfig({ user, cluster }).replace('token: t1', '');

describe('the user of a kubeconfig', () => {
  it('has an empty password where there is none', async () => {
    const { auth } = await parseKubeconfig(withoutToken('username: jane'));
    expect(auth).toEqual({ username: 'jane', password: '' });
  });

  it('runs no program beside a client certificate, and one without it', async () => {
    const { cert, key } = await (await createAuthority()).issueClient('jane', []);
    const pair = `client-certificate-data: ${base64(cert)}\nclient-key-data: ${base64(key)}`;
    const both = await parseKubeconfig(withoutToken(`${pair}\n${program}`), { allowExec: true });
    expect(both.auth).toBe(undefined);
    expect(both.tls).toMatchObject({ cert, key });
    const alone = await parseKubeconfig(withoutToken(program), { allowExec: true });
    expect(alone.auth?.exec).toMatchObject({ command: 'plugin' });
    expect(await parseKubeconfig(withoutToken(''))).not.toHaveProperty('auth');
  });

  it.each(['extensions: {}', 'extensions: text', 'extensions: null', 'extensions: []'])(
    'gives its program no configuration from a cluster with %s',
    async (extensions) => {
      const { auth } = await parseKubeconfig(withoutToken(program, extensions), { allowExec: true });
      expect(auth?.exec).not.toHaveProperty('clusterConfig');
    },
  );

  it('gives its program the configuration that the cluster has for programs', async () => {
    const extension = '{ name: client.authentication.k8s.io/exec, extension: { audience: a } }';
    const extensions = `extensions: [ { name: other, extension: 1 }, ${extension} ]`;
    const { auth } = await parseKubeconfig(withoutToken(program, extensions), { allowExec: true });
    expect(auth?.exec?.clusterConfig).toEqual({ audience: 'a' });
  });

  it('needs a name when it is set', async () => {
    expect(await problem(Promise.resolve().then(() => setEntry('user', '', {})))).toContain('needs a name');
  });
});

it('a context that names no cluster cannot be used', async () => {
  const text = kubeconfig().replace('cluster: c1', '');
  expect(await problem(parseKubeconfig(text))).toMatch(/context "dev" names no cluster$/);
});
