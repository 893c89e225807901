import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../api/errors.ts';
import { readNamed } from './kubeconfig/material.ts';
import { shownProxyUrl } from './kubeconfig/proxy.ts';
import { known } from './kubeconfig/select.ts';
import { isInCluster } from './pod.ts';
import { hideCluster, hideUser } from './redact/redact-entries.ts';

describe('the address of a proxy is shown without its user and password', () => {
  it.each([
    ['http://proxy.example:3128', 'http://proxy.example:3128'],
    ['http://user@proxy.example:3128', 'http://hidden@proxy.example:3128/'],
    ['http://:secret@proxy.example:3128', 'http://hidden@proxy.example:3128/'],
    ['http://user:secret@proxy.example:3128', 'http://hidden@proxy.example:3128/'],
    ['not an address', '[hidden]'],
  ])('%s', (proxyUrl, shown) => {
    expect(shownProxyUrl(proxyUrl)).toBe(shown);
    const cluster = { server: 'https://a', 'proxy-url': proxyUrl };
    expect(inspect(hideCluster(cluster))).toContain(`'proxy-url': '${shown}'`);
    expect(hideCluster(cluster)).toEqual(cluster);
  });

  it('unless it is not a string: then it is hidden', () => {
    expect(inspect(hideCluster({ server: 'https://a', 'proxy-url': 5 }))).toContain(
      "'proxy-url': '[hidden]'",
    );
    expect(inspect(hideCluster({ server: 'https://a' }))).toContain("server: 'https://a'");
  });
});

describe('members of a user', () => {
  it.each([
    'client-certificate',
    'client-certificate-data',
    'client-key',
    'tokenFile',
    'username',
    'as',
    'as-uid',
    'as-groups',
    'as-user-extra',
  ])('%s is shown', (name) => {
    expect(inspect(hideUser({ [name]: 'shown' }))).toContain('shown');
  });

  it.each(['client-key-data', 'token', 'password', 'unknown', 'extensions', 'exec', 'auth-provider'])(
    '%s is hidden where it is a string',
    (name) => {
      expect(inspect(hideUser({ [name]: 's3cret' }))).not.toContain('s3cret');
    },
  );

  it('exec and auth-provider are shown without their secrets', () => {
    const exec = {
      command: 'login',
      args: ['--token=s3cret', '--password', 's3cret', '--user', 'me'],
      env: [{ name: 'KEY', value: 's3cret' }],
    };
    const provider = { name: 'oidc', config: { 'client-id': 'me', 'id-token': 's3cret' } };
    const text = inspect(hideUser({ exec, 'auth-provider': provider }), { depth: 9 });
    expect(text).not.toContain('s3cret');
    for (const shown of ['login', 'KEY', 'oidc', 'client-id']) expect(text).toContain(shown);
  });
});

it.each<[env: Record<string, string>, inCluster: boolean]>([
  [{ KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' }, true],
  [{ KUBERNETES_SERVICE_HOST: '10.0.0.1' }, false],
  [{ KUBERNETES_SERVICE_PORT: '443' }, false],
  [{ KUBERNETES_SERVICE_HOST: '', KUBERNETES_SERVICE_PORT: '443' }, false],
  [{}, false],
])('with the environment %j a program is in a cluster: %s', (env, inCluster) => {
  expect(isInCluster(env)).toBe(inCluster);
});

it.each(['', ' \n\t'])('a named file that holds %j is refused', async (content) => {
  const read = readNamed(async () => content, '/token', 'user "a"');
  await expect(read).rejects.toThrow(new ConfigError('user "a": /token is empty'));
});

it.each([
  [0, 'none exist'],
  [1, 'existing: "n0"'],
  [20, /"n19"$/],
  [21, /"n19" and 1 more$/],
])('of %d names a message lists at most twenty', (count, want) => {
  const names = Array.from({ length: count }, (_, index) => `n${index}`);
  expect(known(['', ...names])).toMatch(want);
});
