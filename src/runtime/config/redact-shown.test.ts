import { describe, expect, it } from 'vitest';
import { hideAuth, hideConfig, hideTls } from './redact/redact.ts';
import { hideCluster, hideContext, hideUser } from './redact/redact-entries.ts';
import type { ClusterConfig } from './types.ts';

/** What is printed of a value that is written as JSON. */
function printed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const tls = {
  ca: 'CA',
  cert: 'CERT',
  caFile: '/ca',
  certFile: '/cert',
  keyFile: '/key',
  serverName: 'api',
  insecureSkipTlsVerify: false,
};
const exec = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: 'plugin',
  interactiveMode: 'Never',
  stdinUnavailable: true,
  provideClusterInfo: true,
  installHint: 'install it',
  timeoutMs: 5,
} as const;
const oidc = {
  issuerUrl: 'https://issuer',
  clientId: 'me',
  ca: 'CA',
  origin: { file: '/config', user: 'u' },
};

describe('settings that are no secrets are printed', () => {
  it('of a configuration', () => {
    const config = { server: 'https://h', disableCompression: true, namespace: 'shop', context: 'dev' };
    const impersonate = { user: 'joe' };
    const given: ClusterConfig = hideConfig({
      ...config,
      impersonate,
      proxyUrl: 'http://p:3128',
      tls: hideTls(tls),
      auth: hideAuth({ tokenFile: '/token', username: 'jane' }),
    });
    expect(printed(given)).toEqual({
      ...config,
      impersonate,
      proxyUrl: 'http://p:3128',
      tls,
      auth: { tokenFile: '/token', username: 'jane' },
    });
  });

  it('of programs and issuers', () => {
    expect(printed(hideAuth({ exec }))).toEqual({ exec });
    expect(printed(hideAuth({ oidc }))).toEqual({ oidc });
  });

  it('of the entries of a kubeconfig', () => {
    const cluster = {
      server: 'https://h',
      'certificate-authority': '/ca',
      'certificate-authority-data': 'Q0E=',
      'tls-server-name': 'api',
      'insecure-skip-tls-verify': true,
      'proxy-url': 'http://p:3128',
      'disable-compression': true,
    };
    expect(printed(hideCluster(cluster))).toEqual(cluster);
    const context = { cluster: 'c', user: 'u', namespace: 'n' };
    expect(printed(hideContext(context))).toEqual(context);
    const user = {
      'client-certificate': '/c',
      'client-certificate-data': 'Qw==',
      'client-key': '/k',
      tokenFile: '/t',
      username: 'jane',
      as: 'joe',
      'as-uid': '7',
      'as-groups': ['a'],
      'as-user-extra': { a: ['b'] },
    };
    expect(printed(hideUser(user))).toEqual(user);
    const { stdinUnavailable: _, timeoutMs: __, ...program } = exec;
    expect(printed(hideUser({ exec: program }))).toEqual({ exec: program });
    const provider = {
      name: 'oidc',
      config: {
        'idp-issuer-url': 'https://issuer',
        'client-id': 'me',
        'idp-certificate-authority': '/ca',
        'extra-scopes': 'groups',
      },
    };
    expect(printed(hideUser({ 'auth-provider': provider }))).toEqual({ 'auth-provider': provider });
  });
});
