import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { createAuthority, type KeyPair } from '@kgen/certificates/authority';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { base, base64, kubeconfig, problem } from '../kubeconfig-text.fixture.ts';
import { loadConfig, parseKubeconfig } from '../load.ts';

let dir = '';
let jane: KeyPair;
let joe: KeyPair;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kgen-pair-'));
  const authority = await createAuthority();
  [jane, joe] = await Promise.all([authority.issueClient('jane', []), authority.issueClient('joe', [])]);
});
afterAll(() => rm(dir, { recursive: true }));

const inline = (cert: string, key: string): string =>
  kubeconfig({ user: `client-certificate-data: ${base64(cert)}\nclient-key-data: ${base64(key)}` });

it('reads a certificate and its key', async () => {
  expect(await parseKubeconfig(inline(jane.cert, jane.key))).toEqual({
    ...base,
    tls: { cert: jane.cert, key: jane.key },
  });
});

it('returns the files of the certificate and the key', async () => {
  await writeFile(join(dir, 'jane.crt'), jane.cert);
  await writeFile(join(dir, 'jane.key'), jane.key);
  const path = join(dir, 'config');
  await writeFile(path, kubeconfig({ user: 'client-certificate: jane.crt\nclient-key: ./jane.key' }));
  expect(await loadConfig({ kubeconfig: path })).toEqual({
    ...base,
    tls: {
      cert: jane.cert,
      key: jane.key,
      certFile: join(dir, 'jane.crt'),
      keyFile: join(dir, 'jane.key'),
    },
  });
  await writeFile(join(dir, 'jane.key'), joe.key);
  expect(await problem(loadConfig({ kubeconfig: path }))).toBe(
    `${path}: user "u1": client-key: ${join(dir, 'jane.key')} is not the key of the certificate in ` +
      `${join(dir, 'jane.crt')}; use the two that belong together`,
  );
});

it.each(['ec', 'rsa'] as const)('accepts unencrypted %s keys in every format', async (type) => {
  const { privateKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const traditional = privateKey.export({ format: 'pem', type: type === 'ec' ? 'sec1' : 'pkcs1' }).toString();
  // The certificate belongs to another key, which is detected only by parsing this one.
  expect(await problem(parseKubeconfig(inline(jane.cert, traditional)))).toMatch(/is not the key of/);
  const encrypted = { format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'sesame' } as const;
  const text = privateKey.export(encrypted).toString();
  expect(await problem(parseKubeconfig(inline(jane.cert, text)))).toMatch(
    /is an encrypted key, .*decrypt it$/,
  );
});

it.each([
  [
    'a key of another certificate',
    () => inline(jane.cert, joe.key),
    /client-key-data is not the key of the certificate in client-/,
  ],
  [
    'a key in place of a certificate',
    () => inline(jane.key, jane.key),
    /certificate-data contains no valid certificate/,
  ],
  [
    'a certificate in place of a key',
    () => inline(jane.cert, jane.cert),
    /client-key-data contains no valid private key/,
  ],
])('throws for %s without repeating it', async (_, given, want) => {
  const error: unknown = await parseKubeconfig(given()).catch((reason: unknown) => reason);
  expect(String(error)).toMatch(want);
  const printed = inspect(error, { depth: null, showHidden: true });
  const [, secret = 'no key'] = jane.key.split('\n');
  expect(printed).not.toContain(secret);
});
