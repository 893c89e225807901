import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../errors.ts';
import { inClusterConfig } from './in-cluster.ts';
import { loadConfig, parseKubeconfig } from './load.ts';
import type { ClusterConfig } from './types.ts';

const pem = (name: string): string => `-----BEGIN ${name}-----\nAA==\n-----END ${name}-----\n`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface Parts {
  readonly cluster?: string;
  readonly user?: string;
  readonly context?: string;
  readonly rest?: string;
}

/** A kubeconfig with one entry of each sort, each with these lines besides. */
function kubeconfig({
  cluster = '',
  user = '',
  context = '',
  rest = 'current-context: dev',
}: Parts = {}): string {
  const lines = (text: string): string => text.replaceAll(/^/gm, '    ');
  return `
apiVersion: v1
kind: Config
clusters:
- name: c1
  cluster:
    server: https://10.0.0.1:6443
${lines(cluster)}
users:
- name: u1
  user:
    token: t1
${lines(user)}
contexts:
- name: dev
  context:
    cluster: c1
    user: u1
${lines(context)}
${rest}
`;
}

async function problem(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => new Error('no problem'),
    (reason: unknown) => reason,
  );
  if (error instanceof ConfigError) return error.message;
  throw error;
}

const base: ClusterConfig = {
  server: 'https://10.0.0.1:6443',
  auth: { token: 't1' },
  namespace: 'default',
  context: 'dev',
};

describe('parseKubeconfig', () => {
  const cases: Readonly<Record<string, { given: Parts; want: ClusterConfig }>> = {
    'the current context': { given: {}, want: base },
    'a namespace': { given: { context: 'namespace: shop' }, want: { ...base, namespace: 'shop' } },
    'inline certificates': {
      given: {
        cluster: `certificate-authority-data: ${base64(pem('CERTIFICATE'))}\ntls-server-name: api.example`,
        user: `client-certificate-data: ${base64(pem('CERTIFICATE'))}\nclient-key-data: ${base64(pem('PRIVATE KEY'))}`,
      },
      want: {
        ...base,
        tls: {
          ca: pem('CERTIFICATE'),
          cert: pem('CERTIFICATE'),
          key: pem('PRIVATE KEY'),
          serverName: 'api.example',
        },
      },
    },
    'no verification': {
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

  it('takes what is named instead of what the file says', async () => {
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

  const problems: Readonly<Record<string, { given: string; want: string | RegExp }>> = {
    'a tab': { given: 'clusters:\n\t- name: x', want: /^the kubeconfig:2:\d+: not YAML: / },
    'a broken line': { given: 'clusters: [', want: /^the kubeconfig:1:\d+: not YAML: / },
    'a key that is there twice': { given: 'a: 1\na: 2', want: 'the kubeconfig:2:1: not YAML: duplicate key' },
    'a list': { given: '- a', want: 'the kubeconfig is not a kubeconfig: it is not a mapping' },
    'another kind': { given: 'kind: Pod', want: 'the kubeconfig is not a kubeconfig: its kind is "Pod"' },
    'clusters that are no list': { given: 'clusters: {}', want: 'the kubeconfig: clusters is not a list' },
    'two users of one name': {
      given: kubeconfig({ rest: 'users: [{ name: a }, { name: a }]' }).replace(
        /users:\n[\s\S]*contexts/,
        'contexts',
      ),
      want: 'the kubeconfig: users has two entries named "a"; remove one',
    },
    'no current context': {
      given: kubeconfig({ rest: '' }),
      want: 'the kubeconfig: current-context is not set; set it, or name a context: there are "dev"',
    },
    'an unknown context': {
      given: kubeconfig({ rest: 'current-context: prod' }),
      want: 'the kubeconfig: no context "prod"; there are "dev"',
    },
    'an unknown cluster': {
      given: kubeconfig().replace('cluster: c1', 'cluster: c9'),
      want: 'the kubeconfig: no cluster "c9", which context "dev" uses; there are "c1"',
    },
    'an unknown user': {
      given: kubeconfig().replace('user: u1', 'user: __proto__'),
      want: 'the kubeconfig: no user "__proto__", which context "dev" uses; there are "u1"',
    },
    'a number for a token': {
      given: kubeconfig().replace('token: t1', 'token: 1234'),
      want: 'user "u1": token is not text; put it in quotes',
    },
    'no server': {
      given: kubeconfig().replace(/server: .*/, ''),
      want: 'cluster "c1" has no server',
    },
    'a server that is no URL': {
      given: kubeconfig().replace(/server: .*/, 'server: "https://a b"'),
      want: 'cluster "c1": the server is not a URL; write it like https://10.0.0.1:6443',
    },
    'a secret in the server': {
      given: kubeconfig().replace(/server: .*/, 'server: https://jane:secret@host'),
      want: 'cluster "c1": the server has a user or a password in its URL; give them as username and password',
    },
    'bad base64': {
      given: kubeconfig({ cluster: 'certificate-authority-data: "%%%"' }),
      want: 'cluster "c1": certificate-authority-data is not base64',
    },
    'data that is no certificate': {
      given: kubeconfig({ cluster: `certificate-authority-data: ${base64('hello')}` }),
      want: 'cluster "c1": certificate-authority-data is not PEM: it has no "-----BEGIN" line',
    },
    'an encrypted key': {
      given: kubeconfig({
        user: `client-certificate-data: ${base64(pem('CERTIFICATE'))}\nclient-key-data: ${base64(pem('ENCRYPTED PRIVATE KEY'))}`,
      }),
      want: /^user "u1": client-key-data is an encrypted key/,
    },
    'a certificate without a key': {
      given: kubeconfig({ user: `client-certificate-data: ${base64(pem('CERTIFICATE'))}` }),
      want: 'user "u1": client-certificate has no client-key beside it',
    },
    'two ways to trust': {
      given: kubeconfig({
        cluster: `insecure-skip-tls-verify: true\ncertificate-authority-data: ${base64(pem('CERTIFICATE'))}`,
      }),
      want: 'cluster "c1": certificate-authority and insecure-skip-tls-verify exclude each other; remove one',
    },
    'two ways to authenticate': {
      given: kubeconfig({ user: 'username: jane' }),
      want: 'user "u1": a token and a username are both given; remove one',
    },
    'groups without a user': {
      given: kubeconfig({ user: 'as-groups: [a]' }),
      want: 'user "u1": as-uid, as-groups and as-user-extra need a user to act as; set as',
    },
    'an exec plugin': {
      given: kubeconfig({ user: 'exec: { command: aws }' }),
      want: /^user "u1": exec is not supported by this version; give the user a token or a client certificate, or choose/,
    },
    'an auth provider': {
      given: kubeconfig({ user: 'auth-provider: { name: oidc }' }),
      want: /^user "u1": auth-provider is not supported by this version; give the user a token/,
    },
    'a proxy': {
      given: kubeconfig({ cluster: 'proxy-url: socks5://proxy' }),
      want: /^cluster "c1": proxy-url is not supported by this version; remove it .* or choose another context, with another cluster$/,
    },
    'a file, which a text must not make us read': {
      given: kubeconfig({ user: 'tokenFile: /etc/passwd' }),
      want: /^user "u1": tokenFile names a file; a kubeconfig that is given as text must hold its data inline$/,
    },
  };

  it.each(Object.entries(problems))('refuses %s', async (_, { given, want }) => {
    const message = await problem(parseKubeconfig(given));
    if (want instanceof RegExp) expect(message).toMatch(want);
    else expect(message).toBe(want);
  });

  it('is not drowned by aliases', async () => {
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

describe('loadConfig', () => {
  let dir = '';
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kgen-config-'));
    await mkdir(join(dir, 'home', '.kube'), { recursive: true });
    await mkdir(join(dir, 'pki'));
    await writeFile(join(dir, 'pki', 'ca.crt'), pem('CERTIFICATE'));
    await writeFile(join(dir, 'pki', 'token'), 'from-file\n');
    await writeFile(join(dir, 'home', '.kube', 'config'), kubeconfig({ context: 'namespace: home' }));
    await writeFile(
      join(dir, 'pki', 'files'),
      kubeconfig({ cluster: 'certificate-authority: ca.crt', user: 'tokenFile: ./token' }).replace(
        'token: t1',
        '',
      ),
    );
    await writeFile(join(dir, 'first'), 'clusters: [{ name: c1, cluster: { server: https://first } }]');
    await writeFile(join(dir, 'second'), kubeconfig());
    await writeFile(join(dir, 'empty'), '# nothing\n');
    await writeFile(join(dir, 'broken'), 'clusters: [\n');
    await writeFile(join(dir, 'lost'), kubeconfig({ cluster: 'certificate-authority: nowhere.crt' }));
  });
  afterAll(() => rm(dir, { recursive: true }));

  const at = (...path: string[]): string => join(dir, ...path);
  const pod = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };

  it('takes the file of the home folder', async () => {
    expect(await loadConfig({ env: { HOME: at('home') } })).toEqual({ ...base, namespace: 'home' });
  });

  it('takes the named file, whatever the environment says', async () => {
    const config = await loadConfig({ kubeconfig: at('second'), env: { KUBECONFIG: at('broken') } });
    expect(config).toEqual(base);
  });

  it('merges the files of KUBECONFIG, of which the first wins', async () => {
    const files = [at('missing'), at('first'), at('empty'), at('second'), at('second')].join(delimiter);
    expect(await loadConfig({ env: { KUBECONFIG: files } })).toEqual({ ...base, server: 'https://first' });
  });

  it('finds files beside the kubeconfig that names them', async () => {
    expect(await loadConfig({ kubeconfig: at('pki', 'files') })).toEqual({
      ...base,
      tls: { ca: pem('CERTIFICATE') },
      auth: { token: 'from-file', tokenFile: at('pki', 'token') },
    });
  });

  it('says what is wrong and where', async () => {
    const message = (options: Parameters<typeof loadConfig>[0]): Promise<string> =>
      problem(loadConfig(options));
    expect(await message({ kubeconfig: at('nowhere') })).toBe(`there is no kubeconfig ${at('nowhere')}`);
    expect(await message({ kubeconfig: at('broken') })).toMatch(`${at('broken')}:`);
    expect(await message({ kubeconfig: dir })).toBe(`cannot read the kubeconfig ${dir} (EISDIR)`);
    expect(await message({ kubeconfig: at('lost') })).toBe(
      `${at('lost')}: cluster "c1": certificate-authority: cannot read ${at('nowhere.crt')}`,
    );
    expect(await message({ env: { HOME: at('nobody') } })).toMatch(/^no configuration: .*set KUBECONFIG/);
    expect(await message({ env: { ...pod, HOME: at('nobody') }, context: 'dev' })).toMatch(
      /no context "dev"; there are none/,
    );
  });
});

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
      tls: { ca: pem('CERTIFICATE') },
      auth: { token: 'tok', tokenFile: join(dir, 'token') },
    });
  });

  it('needs the variables and the files of a pod', async () => {
    expect(await problem(inClusterConfig({ env: {} }))).toMatch(/^not in a pod/);
    const env = { KUBERNETES_SERVICE_HOST: 'h', KUBERNETES_SERVICE_PORT: '443' };
    expect(await problem(inClusterConfig({ env, dir: join(dir, 'no') }))).toMatch(
      /service account: cannot read .*no.token$/,
    );
  });
});
