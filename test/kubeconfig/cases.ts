/** Kubeconfigs that kubectl and the runtime read: names of the files in `KUBECONFIG`, with their contents. */
export type Files = Readonly<Record<string, string>>;

const one = (cluster: string, user: string, context = ''): string => `apiVersion: v1
kind: Config
current-context: x
clusters: [{ name: c, cluster: { server: "https://10.0.0.1:6443", ${cluster} } }]
users: [{ name: u, user: { ${user} } }]
contexts: [{ name: x, context: { cluster: c, user: u, ${context} } }]
`;

const exec = 'client.authentication.k8s.io/v1';

/** Returns a cluster, a user and a context named `name`. */
const entries = (name: string, extra = ''): string => `
clusters:
- name: ${name}
  cluster:
    server: https://${name}.example
    certificate-authority: pki/${name}.crt
users:
- name: ${name}
  user:
    client-certificate: ./${name}.crt
    client-key: ../${name}.key
contexts:
- name: ${name}
  context:
    cluster: ${name}
    user: ${name}
${extra}`;

/** Kubeconfigs that both accept. */
export const readable: Readonly<Record<string, Files>> = {
  'the least': {
    config:
      'current-context: x\ncontexts: [{ name: x, context: { cluster: c } }]\nclusters: [{ name: c, cluster: { server: h } }]',
  },
  'nothing at all': { config: '' },
  'lists that are null': {
    config: 'clusters: null\nusers: null\ncontexts: null\ncurrent-context: ""\npreferences: {}',
  },
  JSON: {
    config: JSON.stringify({
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server: 'https://h' } }],
      contexts: [{ name: 'x', context: { cluster: 'c' } }],
      'current-context': 'x',
    }),
  },
  'every member of a cluster': {
    config: one(
      'tls-server-name: api.example, proxy-url: "socks5://proxy:1080", disable-compression: true, certificate-authority: ca.crt, extensions: [{ name: client.authentication.k8s.io/exec, extension: { a: [1, { b: c }] } }]',
      'token: t',
    ),
  },
  'no verification': { config: one('insecure-skip-tls-verify: true', 'token: t') },
  'booleans of YAML 1.1': {
    config: one('insecure-skip-tls-verify: yes, disable-compression: On', 'token: t'),
  },
  'numbers in an extension, as YAML 1.1 writes them': {
    config: one(
      'extensions: [{ name: e, extension: { a: 0644, b: 1_000, c: 0x1F, d: 2001-01-01, e: 1:30, f: n } }]',
      '',
    ),
  },
  'entries without a name, or without anything': {
    config: one('', 'token: t')
      .replace('users: [', 'users: [~, ')
      .replace('contexts: [', 'contexts: [{ name: "", context: { cluster: "" } }, '),
  },
  'inline data': {
    config: one('certificate-authority-data: Q0E=', 'client-certificate-data: Q0E=, client-key-data: S0VZ'),
  },
  impersonation: {
    config: one('', 'as: jane, as-uid: "7", as-groups: [a, b], as-user-extra: { reason: [x, z], other: [] }'),
  },
  'a password': { config: one('', 'username: jane, password: "p: #"') },
  'a token and where the next ones are': { config: one('', 'token: t, tokenFile: ./token') },
  'a namespace': { config: one('', 'token: t', 'namespace: shop') },
  'a program': {
    config: one(
      '',
      `exec: { apiVersion: ${exec}, command: ./bin/plugin, args: [get, token], env: [{ name: A, value: b }], installHint: "get it", provideClusterInfo: true, interactiveMode: IfAvailable }`,
    ),
  },
  'a program of v1beta1': {
    config: one(
      '',
      `exec: { apiVersion: ${exec}beta1, command: plugin, args: null, interactiveMode: Never }`,
    ),
  },
  'an auth provider': {
    config: one(
      '',
      'auth-provider: { name: oidc, config: { idp-issuer-url: "https://i", client-id: me, client-secret: s, id-token: i, refresh-token: r, idp-certificate-authority: ca.crt } }',
    ),
  },
  'unknown members': { config: one('future: 1', 'future: { a: b }', 'future: [1]') },
  'anchors and merged mappings': {
    config: `base: &base { token: t }\n${one('', '<<: *base, as: jane').replace('"https://10.0.0.1:6443"', '&s "https://10.0.0.1:6443"')}`,
  },
  'a mark of the byte order, and lines that end in two characters': {
    config: `\ufeff${one('', 'token: t').replaceAll('\n', '\r\n')}`,
  },
  'several lines of text': { config: one('', 'token: "a\\\n      b"') },
  'names that look like something else': {
    config: one('', 'token: t')
      .replaceAll('name: c,', 'name: "123",')
      .replaceAll('cluster: c,', 'cluster: "123",'),
  },
  'two files': { a: entries('a', 'current-context: a'), b: entries('b', 'current-context: b') },
  'two files, of which the second names the context': {
    a: entries('a'),
    b: entries('b', 'current-context: b'),
  },
  'a context of one file with a cluster and a user of the other': {
    a: entries('a').replace(/clusters:[\s\S]*contexts:/, 'contexts:'),
    b: `${entries('a')}\ncurrent-context: a`,
  },
  'entries of one name: the first one holds, as a whole': {
    a: entries('a', 'current-context: a'),
    b: entries('a')
      .replaceAll('a.example', 'b.example')
      .replace('client-key:', 'tokenFile: t\n    client-key:'),
  },
  'files that are missing or empty': {
    empty: '',
    a: entries('a'),
    comment: '# nothing',
    b: entries('b', 'current-context: a'),
  },
  'names of prototypes': {
    config: entries('__proto__', 'current-context: __proto__'),
    constructor: entries('constructor'),
  },
};
