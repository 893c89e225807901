import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { base, base64, kubeconfig, type Parts, pem, problem } from './kubeconfig-text.fixture.ts';
import { parseKubeconfig } from './load.ts';
import type { ClusterConfig } from './types.ts';

describe('parseKubeconfig', () => {
  const cases: Readonly<Record<string, { given: Parts; want: ClusterConfig }>> = {
    'the current context': { given: {}, want: base },
    'a namespace': { given: { context: 'namespace: shop' }, want: { ...base, namespace: 'shop' } },
    'an inline CA': {
      given: {
        cluster: `certificate-authority-data: ${base64(pem('CERTIFICATE'))}\ntls-server-name: api.example`,
      },
      want: { ...base, tls: { ca: pem('CERTIFICATE'), serverName: 'api.example' } },
    },
    'a proxy': {
      given: { cluster: 'proxy-url: socks5://jane:secret@proxy:1080' },
      want: { ...base, proxyUrl: 'socks5://jane:secret@proxy:1080' },
    },
    'insecure-skip-tls-verify': {
      given: { cluster: 'insecure-skip-tls-verify: true\ndisable-compression: true' },
      want: { ...base, tls: { insecureSkipTlsVerify: true }, disableCompression: true },
    },
    impersonation: {
      given: { user: 'as: jane\nas-uid: u\nas-groups: [a, b]\nas-user-extra: { reason: [x] }' },
      want: {
        ...base,
        impersonate: { user: 'jane', uid: 'u', groups: ['a', 'b'], extra: { reason: ['x'] } },
      },
    },
  };

  it.each(Object.entries(cases))('reads %s', async (_, { given, want }) => {
    expect(await parseKubeconfig(kubeconfig(given))).toEqual(want);
  });

  it('reads a user name and a password', async () => {
    const text = kubeconfig().replace('token: t1', 'username: jane\n    password: secret');
    expect(await parseKubeconfig(text)).toEqual({ ...base, auth: { username: 'jane', password: 'secret' } });
  });

  it('reads JSON', async () => {
    const config = {
      clusters: [{ name: 'c', cluster: { server: 'https://h' } }],
      contexts: [{ name: 'x', context: { cluster: 'c' } }],
      'current-context': 'x',
    };
    expect(await parseKubeconfig(JSON.stringify(config))).toEqual({
      server: 'https://h',
      namespace: 'default',
      context: 'x',
    });
  });

  it('sends credentials over plain http only to this machine', async () => {
    const loopback = kubeconfig().replace('https://10.0.0.1', 'http://127.0.0.1');
    expect(await parseKubeconfig(loopback)).toEqual({ ...base, server: 'http://127.0.0.1:6443' });
  });

  it('sends no credentials over plain http to another machine, as kubectl', async () => {
    const text = kubeconfig({ user: 'as: jane' }).replace('https://', 'http://');
    expect(await parseKubeconfig(text)).toEqual({
      server: 'http://10.0.0.1:6443',
      impersonate: { user: 'jane' },
      namespace: 'default',
      context: 'dev',
    });
  });

  it('prefers the options over the values of the file', async () => {
    const text = kubeconfig({ rest: '' }).replace(
      '- name: u1',
      '- name: u2\n  user: { token: t2 }\n- name: u1',
    );
    expect(await parseKubeconfig(text, { context: 'dev', user: 'u2', namespace: 'n' })).toEqual({
      ...base,
      auth: { token: 't2' },
      namespace: 'n',
    });
  });

  it.each([
    ['a token', 'token: sesame'],
    ['a password', 'username: jane\npassword: sesame'],
    [
      'a program',
      'exec: { apiVersion: client.authentication.k8s.io/v1, command: p, interactiveMode: Never, env: [{ name: K, value: sesame }] }',
    ],
    [
      'an issuer',
      'auth-provider: { name: oidc, config: { idp-issuer-url: "https://i", client-id: me, client-secret: sesame, id-token: sesame, refresh-token: sesame } }',
    ],
  ])('prints no secret of %s', async (_, user) => {
    const text = kubeconfig({ user, cluster: 'proxy-url: http://jane:sesame@proxy:3128' });
    const config = await parseKubeconfig(text.replace('token: t1', ''), { allowExec: true });
    expect(inspect(config, { depth: null }) + JSON.stringify(config)).not.toContain('sesame');
    expect(JSON.stringify(Object.values(config.auth ?? {}))).toMatch(/sesame|hidden/);
    expect(config.proxyUrl).toContain('sesame');
  });

  it('needs no context if a cluster is named', async () => {
    const { context: _, ...want } = base;
    const text = kubeconfig({ rest: '' });
    expect(await parseKubeconfig(text, { cluster: 'c1', user: 'u1' })).toEqual(want);
    expect(await problem(parseKubeconfig(text, { cluster: 'c1', user: 'u2' }))).toBe(
      'the kubeconfig: no user "u2"; existing: "u1"',
    );
    expect(await problem(parseKubeconfig(`${text}current-context: gone`, { cluster: 'c1' }))).toBe(
      'the kubeconfig: no context "gone"; existing: "dev"',
    );
    expect(await problem(parseKubeconfig(text, { cluster: 'c9' }))).toBe(
      'the kubeconfig: no cluster "c9"; existing: "c1"',
    );
  });

  const problems: Readonly<Record<string, { given: string; want: string | RegExp }>> = {
    'a tab': { given: 'clusters:\n\t- name: x', want: /^the kubeconfig:2:\d+: not YAML: / },
    'a malformed line': { given: 'clusters: [', want: /^the kubeconfig:1:\d+: not YAML: / },
    'a duplicate key': { given: 'a: 1\na: 2', want: 'the kubeconfig:2:1: not YAML: duplicate key' },
    'a list': { given: '- a', want: 'the kubeconfig is not a kubeconfig: it is not a mapping' },
    'another kind': { given: 'kind: Pod', want: 'the kubeconfig is not a kubeconfig: its kind is "Pod"' },
    'another apiVersion': {
      given: 'apiVersion: v2',
      want: 'the kubeconfig has the apiVersion "v2"; only v1 is supported',
    },
    'clusters that are not a list': { given: 'clusters: {}', want: 'the kubeconfig: clusters is not a list' },
    'two users with one name': {
      given: kubeconfig({ rest: 'users: [{ name: a }, { name: a }]' }).replace(
        /users:\n[\s\S]*contexts/,
        'contexts',
      ),
      want: 'the kubeconfig: users has two entries named "a"; remove one',
    },
    'no current context': {
      given: kubeconfig({ rest: '' }),
      want: 'the kubeconfig: current-context is not set; set it, or name a context: existing: "dev"',
    },
    'an unknown context': {
      given: kubeconfig({ rest: 'current-context: prod' }),
      want: 'the kubeconfig: no context "prod"; existing: "dev"',
    },
    'an unknown context, of many': {
      given: `contexts: [${Array.from({ length: 2000 }, (_, index) => `{ name: c${index} }`).join(', ')}]\ncurrent-context: x`,
      want: /^the kubeconfig: no context "x"; existing: "c0", .{0,200}"c19" and 1980 more$/,
    },
    'an unknown cluster': {
      given: kubeconfig().replace('cluster: c1', 'cluster: c9'),
      want: 'the kubeconfig: no cluster "c9", which context "dev" uses; existing: "c1"',
    },
    'an unknown user': {
      given: kubeconfig().replace('user: u1', 'user: __proto__'),
      want: 'the kubeconfig: no user "__proto__", which context "dev" uses; existing: "u1"',
    },
    'a token that is a number': {
      given: kubeconfig().replace('token: t1', 'token: 1234'),
      want: 'user "u1": token is not a string; put it in quotes',
    },
    'no server': {
      given: kubeconfig().replace(/server: .*/, ''),
      want: 'cluster "c1" has no server',
    },
    'a server that is not a URL': {
      given: kubeconfig().replace(/server: .*/, 'server: "https://a b"'),
      want: 'cluster "c1": the server must be a URL such as https://10.0.0.1:6443, got "https://a b"',
    },
    'credentials in a server that is not a URL': {
      given: kubeconfig().replace(/server: .*/, 'server: "https://jane:se/cr@et@a b?token=sesame#x"'),
      want: 'cluster "c1": the server must be a URL such as https://10.0.0.1:6443, got "https://a b"',
    },
    'a secret in the server': {
      given: kubeconfig().replace(/server: .*/, 'server: https://jane:secret@host'),
      want: 'cluster "c1": the server has credentials in its URL; set them as username and password',
    },
    'bad base64': {
      given: kubeconfig({ cluster: 'certificate-authority-data: "%%%"' }),
      want: 'cluster "c1": certificate-authority-data is not base64',
    },
    'data that is not a certificate': {
      given: kubeconfig({ cluster: `certificate-authority-data: ${base64('hello')}` }),
      want: 'cluster "c1": certificate-authority-data is not PEM: it has no "-----BEGIN" line',
    },
    'an encrypted key': {
      given: kubeconfig({
        user: `client-certificate-data: ${base64(pem('CERTIFICATE'))}\nclient-key-data: ${base64(pem('ENCRYPTED PRIVATE KEY'))}`,
      }),
      want: /^user "u1": client-key-data is an encrypted key/,
    },
    'a CA that is set twice': {
      given: kubeconfig({
        cluster: `certificate-authority: /ca.crt\ncertificate-authority-data: ${base64(pem('CERTIFICATE'))}`,
      }),
      want: 'cluster "c1": certificate-authority and certificate-authority-data are both set; remove one',
    },
    'a certificate without a key': {
      given: kubeconfig({ user: `client-certificate-data: ${base64(pem('CERTIFICATE'))}` }),
      want: 'user "u1": client-certificate is set without client-key',
    },
    'a CA together with insecure-skip-tls-verify': {
      given: kubeconfig({
        cluster: `insecure-skip-tls-verify: true\ncertificate-authority-data: ${base64(pem('CERTIFICATE'))}`,
      }),
      want: 'cluster "c1": certificate-authority and insecure-skip-tls-verify exclude each other; remove one',
    },
    'a token together with a user name': {
      given: kubeconfig({ user: 'username: jane' }),
      want: 'user "u1": a token and a username are both set; remove one',
    },
    'groups without a user': {
      given: kubeconfig({ user: 'as-groups: [a]' }),
      want: 'user "u1": as-uid, as-groups and as-user-extra need a user to act as; set as',
    },
    'a proxy of another protocol': {
      given: kubeconfig({ cluster: 'proxy-url: "ftp://jane:sesame@proxy"' }),
      want: 'cluster "c1": proxy-url has the protocol ftp://; only http://, https:// and socks5:// are supported',
    },
    'a proxy without a protocol': {
      given: kubeconfig({ cluster: 'proxy-url: "sesame:3128"' }),
      want: 'cluster "c1": proxy-url is not a URL; write it like http://proxy.example:3128',
    },
    'a file, which a string must not name': {
      given: kubeconfig({ user: 'tokenFile: /etc/passwd' }),
      want: /^user "u1": tokenFile names a file; a kubeconfig string must contain its data inline$/,
    },
  };

  it.each(Object.entries(problems))('throws for %s', async (_, { given, want }) => {
    const message = await problem(parseKubeconfig(given));
    if (want instanceof RegExp) expect(message).toMatch(want);
    else expect(message).toBe(want);
  });

  it('limits the expansion of aliases', async () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const item = level === 0 ? 'x' : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array.from({ length: 10 }, () => item).join(', ')}]`;
    });
    expect(await problem(parseKubeconfig(levels.join('\n')))).toMatch(/aliases/);
  });

  it('does not repeat a line of the file in a message', async () => {
    const text = 'users:\n- name: u\n  user:\n    token: sesame\n   password: "sesame\n';
    expect(await problem(parseKubeconfig(text))).not.toContain('sesame');
  });
});
