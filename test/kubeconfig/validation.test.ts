import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, type KeyPair } from '@kgen/certificates/authority';
import { isConfigError, loadConfig } from '@kgen/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kubectlMeanwhile, pathOfKubectl, titled } from './kubectl.ts';

const path = pathOfKubectl();
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/**
 * Returns a kubeconfig for a port without a listener: kubectl either fails to connect, or rejects the
 * kubeconfig before.
 */
const config = (user: string, cluster = 'insecure-skip-tls-verify: true'): string => `
clusters: [{ name: c, cluster: { server: "https://127.0.0.1:1", ${cluster} } }]
users: [{ name: u, user: { ${user} } }]
contexts: [{ name: x, context: { cluster: c, user: u } }]
current-context: x
`;
const exec = (members: string): string => `exec: { command: "no-such-program", ${members} }`;
const v1 = 'apiVersion: client.authentication.k8s.io/v1';
const oidc = (members: string): string => `auth-provider: { name: oidc, config: { ${members} } }`;

describe.skipIf(path === undefined)(titled('the runtime rejects the same kubeconfigs as kubectl'), () => {
  let dir = '';
  let jane: KeyPair;
  let joe: KeyPair;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kgen-verdict-'));
    const authority = await createAuthority();
    [jane, joe] = await Promise.all([authority.issueClient('jane', []), authority.issueClient('joe', [])]);
    await writeFile(join(dir, 'ca.crt'), authority.cert);
    await writeFile(join(dir, 'jane.crt'), jane.cert);
    await writeFile(join(dir, 'jane.key'), jane.key);
    await writeFile(join(dir, 'token'), 'from-file\n');
  });
  afterAll(() => rm(dir, { recursive: true }));

  const pair = (): string =>
    `client-certificate-data: ${base64(jane.cert)}, client-key-data: ${base64(jane.key)}`;

  const cases: Readonly<Record<string, readonly [given: () => string, want: 'taken' | 'refused']>> = {
    'a token': [() => config('token: t'), 'taken'],
    'a token and a token file': [() => config('token: t, tokenFile: token'), 'taken'],
    'a token and a missing token file': [() => config('token: t, tokenFile: nowhere'), 'taken'],
    'a token file': [() => config('tokenFile: token'), 'taken'],
    'a missing token file': [() => config('tokenFile: nowhere'), 'refused'],
    'a token file and a password': [() => config('tokenFile: token, username: u'), 'refused'],
    'a token and a password': [() => config('token: t, username: u'), 'refused'],
    'a certificate': [() => config(pair()), 'taken'],
    'a certificate and a token': [() => config(`token: t, ${pair()}`), 'taken'],
    'files of a certificate': [() => config('client-certificate: jane.crt, client-key: jane.key'), 'taken'],
    'a certificate from a file, its key inline': [
      () => config(`client-certificate: jane.crt, client-key-data: ${base64(jane.key)}`),
      'taken',
    ],
    'a certificate twice': [() => config(`client-certificate: jane.crt, ${pair()}`), 'refused'],
    'a certificate without a key': [() => config('client-certificate: jane.crt'), 'refused'],
    'a missing certificate file': [
      () => config('client-certificate: nowhere, client-key: jane.key'),
      'refused',
    ],
    'a key of another certificate': [
      () => config(`client-certificate: jane.crt, client-key-data: ${base64(joe.key)}`),
      'refused',
    ],
    'a certificate that is a key': [
      () => config(`client-certificate-data: ${base64(jane.key)}, client-key-data: ${base64(jane.key)}`),
      'refused',
    ],
    'base64 that is none': [() => config('client-certificate-data: "%%%", client-key: jane.key'), 'refused'],
    'a CA file': [() => config('token: t', 'certificate-authority: ca.crt'), 'taken'],
    'a missing CA file': [() => config('token: t', 'certificate-authority: nowhere'), 'refused'],
    'a CA twice': [
      () => config('token: t', 'certificate-authority: ca.crt, certificate-authority-data: Q0E='),
      'refused',
    ],
    'a CA and no verification': [
      () => config('token: t', 'certificate-authority: ca.crt, insecure-skip-tls-verify: true'),
      'refused',
    ],
    'a proxy of another protocol': [() => config('token: t', 'proxy-url: "ftp://proxy"'), 'refused'],
    'a proxy without a protocol': [() => config('token: t', 'proxy-url: "proxy:3128"'), 'refused'],
    'groups without a user to act as': [() => config('token: t, as-groups: [a]'), 'refused'],
    'a uid without a user to act as': [() => config('token: t, as-uid: a'), 'refused'],
    impersonation: [() => config('token: t, as: jane, as-groups: [a]'), 'taken'],
    'a program beside a token': [() => config(`token: t, ${exec(`${v1}, interactiveMode: Never`)}`), 'taken'],
    'a program beside a certificate': [
      () => config(`${pair()}, ${exec(`${v1}, interactiveMode: Never`)}`),
      'taken',
    ],
    'a program without interactiveMode': [() => config(`token: t, ${exec(v1)}`), 'refused'],
    'a program of v1beta1 without interactiveMode': [
      () => config(`token: t, ${exec(`${v1}beta1`)}`),
      'taken',
    ],
    'a program of v1alpha1': [() => config(exec(`${v1}alpha1, interactiveMode: Never`)), 'refused'],
    'a program with a variable without a name': [
      () => config(`token: t, ${exec(`${v1}, interactiveMode: Never, env: [{ value: v }]`)}`),
      'refused',
    ],
    'a program of no version': [() => config(exec('interactiveMode: Never')), 'refused'],
    'a program without a command': [() => config(`exec: { ${v1}, interactiveMode: Never }`), 'refused'],
    'a program and an auth provider': [
      () => config(`${exec(`${v1}, interactiveMode: Never`)}, ${oidc('client-id: a')}`),
      'refused',
    ],
    'an issuer beside a token': [
      () => config(`token: t, ${oidc('idp-issuer-url: "https://127.0.0.1:1", client-id: a')}`),
      'taken',
    ],
    'no issuer': [() => config(oidc('client-id: a')), 'refused'],
    'no client of the issuer': [() => config(oidc('idp-issuer-url: "https://127.0.0.1:1"')), 'refused'],
    'a provider that is gone': [() => config('token: t, auth-provider: { name: gcp }'), 'refused'],
    'a provider that never was': [() => config('token: t, auth-provider: { name: x }'), 'refused'],
    'a missing user': [() => config('token: t').replace('user: u }', 'user: v }'), 'refused'],
    'a missing cluster': [() => config('token: t').replace('cluster: c,', 'cluster: d,'), 'refused'],
    'a missing context': [
      () => config('token: t').replace('current-context: x', 'current-context: y'),
      'refused',
    ],
    'another kind': [() => `kind: Pod\napiVersion: v1\n${config('token: t')}`, 'refused'],
    'another apiVersion': [() => `apiVersion: v2\n${config('token: t')}`, 'refused'],
    'a list': [() => '- a', 'refused'],
    'two users of one name': [
      () => config('token: t').replace('users: [', 'users: [{ name: u, user: { token: z } }, '),
      'refused',
    ],
    'a text for a list of groups': [() => config('token: t, as: jane, as-groups: a'), 'refused'],
    'clusters that are a mapping': [
      () => config('token: t').replace(/clusters:.*/, 'clusters: {}'),
      'refused',
    ],
    'another boolean of YAML 1.1': [() => config('token: t', 'insecure-skip-tls-verify: yes'), 'taken'],
    'a boolean of YAML 1.1 as a string': [
      () => config('token: t', 'insecure-skip-tls-verify: "yes"'),
      'refused',
    ],
    'a boolean of YAML 1.1 as a token': [() => config('token: yes'), 'refused'],
    'an entry that is nothing': [() => config('token: t').replace('clusters: [', 'clusters: [~, '), 'taken'],
    'a number for a token': [() => config('token: 1234'), 'refused'],
    'invalid YAML': [() => config('token: "t'), 'refused'],
  };

  it.each(Object.entries(cases))('%s', async (name, [given, want]) => {
    const file = `${Object.keys(cases).indexOf(name)}.yaml`;
    await writeFile(join(dir, file), given());
    const stated = await kubectlMeanwhile(
      path ?? '',
      dir,
      [file],
      ['get', '--raw', '/x', '--request-timeout=5s'],
    );
    const theirs = stated.includes('The connection to the server 127.0.0.1:1 was refused')
      ? 'taken'
      : 'refused';
    expect(theirs, stated).toBe(want);
    const ours = await loadConfig({ kubeconfig: join(dir, file) }).then(
      () => 'taken',
      (error: unknown) => (isConfigError(error) ? 'refused' : error),
    );
    expect(ours).toBe(want);
  });
});
