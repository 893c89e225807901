import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { loadConfig } from '@kgen/runtime';
import { expect, onTestFinished, test } from 'vitest';
import { kubeconfigOf, writeKubeconfig } from './kubeconfig.ts';

const entries = (values: Readonly<Record<string, Readonly<Record<string, unknown>>>>) =>
  new Map(Object.entries(values));

test.each([
  { user: { token: 't' }, want: { token: 't' } },
  { user: { tokenFile: 'a/t' }, want: { tokenFile: '/kube/a/t' } },
  {
    user: { 'client-certificate': 'c.pem', 'client-key': '/k.pem' },
    want: { 'client-certificate': '/kube/c.pem', 'client-key': '/k.pem' },
  },
  { user: { exec: { command: 'aws', args: ['x'] } }, want: { exec: { command: 'aws', args: ['x'] } } },
  { user: { exec: { command: './login' } }, want: { exec: { command: '/kube/login' } } },
  { user: { 'auth-provider': { name: 'oidc' } }, want: undefined },
])('contains one context, and the user with absolute paths: %j', ({ user, want }) => {
  const source = {
    file: '/kube/config',
    contexts: entries({ dev: { cluster: 'c', user: 'u' }, prod: { cluster: 'p', user: 'p' } }),
    clusters: entries({ c: { server: 'https://c', 'certificate-authority': 'ca.pem' }, p: {} }),
    users: entries({ u: user, p: { token: 'secret' } }),
  };
  const cluster = { server: 'https://c', 'certificate-authority': '/kube/ca.pem' };
  expect(kubeconfigOf([source], 'dev', 'shop')).toEqual({
    content: {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'dev' },
      contexts: [{ name: 'dev', context: { cluster: 'c', user: 'u', namespace: 'shop' } }],
      clusters: [{ name: 'c', cluster }],
      users: want === undefined ? [] : [{ name: 'u', user: want }],
    },
    others: want === undefined ? ['/kube/config'] : [],
  });
});

test('writes credentials for the owner only, of the first file with an entry', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-kubeconfig-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const part = (name: string, server: string) => ({
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: { server } }],
    users: [{ name, user: { token: `token-${server}` } }],
  });
  writeFileSync(first, JSON.stringify(part('a', 'https://one')));
  writeFileSync(second, JSON.stringify({ ...part('a', 'https://two'), 'current-context': 'a' }));
  const env = { KUBECONFIG: [first, second].join(delimiter) };
  const written = await writeKubeconfig({ context: 'a', namespace: 'shop', env });
  const file = written.env['KUBECONFIG'] ?? '';
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toContain('two');
  const config = await loadConfig({ kubeconfig: file });
  expect(config).toMatchObject({ context: 'a', namespace: 'shop', server: 'https://one' });
  expect(config.auth?.token).toBe('token-https://one');
  written.remove();
  expect(() => statSync(file)).toThrow();
});
