import { expect, it } from 'vitest';
import { base64, kubeconfig, pem, problem } from '../kubeconfig-text.fixture.ts';
import { parseKubeconfig } from '../load.ts';

function withProvider(config: string, besides = '', name = 'oidc'): string {
  const user = `${besides}\nauth-provider: { name: ${name}, config: { ${config} } }`;
  return kubeconfig({ user }).replace('token: t1', '');
}

const minimal = 'idp-issuer-url: "https://issuer.example", client-id: me';

it.each([
  ['the required members', minimal, { issuerUrl: 'https://issuer.example', clientId: 'me' }],
  [
    'every member',
    `${minimal}, client-secret: s, id-token: i, refresh-token: r, extra-scopes: groups, idp-certificate-authority-data: ${base64(pem('CERTIFICATE'))}`,
    {
      issuerUrl: 'https://issuer.example',
      clientId: 'me',
      clientSecret: 's',
      idToken: 'i',
      refreshToken: 'r',
      ca: pem('CERTIFICATE'),
    },
  ],
  [
    'an issuer on this machine',
    'idp-issuer-url: "http://127.0.0.1:5556", client-id: me',
    { issuerUrl: 'http://127.0.0.1:5556', clientId: 'me' },
  ],
])('reads %s', async (_, config, want) => {
  expect((await parseKubeconfig(withProvider(config))).auth).toEqual({ oidc: want });
});

it('has lower precedence than a token, as with kubectl', async () => {
  expect((await parseKubeconfig(withProvider(minimal, 'token: t'))).auth).toEqual({ token: 't' });
});

it.each([
  [
    'a missing issuer',
    withProvider('client-id: me'),
    /^user "u1": auth-provider.config has no idp-issuer-url;/,
  ],
  [
    'a missing client-id',
    withProvider('idp-issuer-url: "https://i"'),
    /auth-provider.config has no client-id$/,
  ],
  [
    'an issuer without https',
    withProvider('idp-issuer-url: "http://issuer.example", client-id: me'),
    /idp-issuer-url is not a URL that begins with https:\/\/$/,
  ],
  [
    'gcp',
    withProvider('', '', 'gcp'),
    /auth-provider "gcp" is not supported; .*exec with .*gke-gcloud-auth-plugin$/,
  ],
  [
    'azure, even together with a token',
    withProvider('', 'token: t', 'azure'),
    /"azure" is not supported; .*kubelogin$/,
  ],
  [
    'any other provider',
    withProvider('', '', '__proto__'),
    /"__proto__" is not supported; .*exec with a credential plugin$/,
  ],
  ['a string', kubeconfig({ user: 'auth-provider: oidc' }), /auth-provider is not a mapping$/],
  [
    'a secret that is a number',
    withProvider(`${minimal}, client-secret: 5`),
    /client-secret is not a string;/,
  ],
])('throws for %s', async (_, given, want) => {
  expect(await problem(parseKubeconfig(given))).toMatch(want);
});
