import { inspect } from 'node:util';
import { createAuthority, type KeyPair } from '@kgen/certificates/authority';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ExecConfig } from '../../config/types.ts';
import { readExecCredential } from './result.ts';

const exec: ExecConfig = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: 'login',
  interactiveMode: 'Never',
};

function output(status: unknown, more: object = {}): Uint8Array {
  return Buffer.from(
    JSON.stringify({ kind: 'ExecCredential', apiVersion: exec.apiVersion, status, ...more }),
  );
}

describe('readExecCredential', () => {
  let jane: KeyPair;
  let joe: KeyPair;
  beforeAll(async () => {
    const authority = await createAuthority();
    [jane, joe] = await Promise.all([authority.issueClient('jane', []), authority.issueClient('joe', [])]);
  });

  const forever = Number.POSITIVE_INFINITY;
  const times: readonly (readonly [given: unknown, want: number])[] = [
    [undefined, forever],
    [null, forever],
    ['0001-01-01T00:00:00Z', forever],
    ['2030-01-02T03:04:05Z', Date.UTC(2030, 0, 2, 3, 4, 5)],
    ['2030-01-02T03:04:05.123456789+02:00', Date.UTC(2030, 0, 2, 1, 4, 5, 123)],
  ];
  it.each(times)('returns a token with the expiry %j', async (expirationTimestamp, expiresAt) => {
    const stdout = output({ token: ' sesame\n', expirationTimestamp });
    expect(await readExecCredential(stdout, exec)).toEqual({
      credential: { authorization: 'Bearer sesame' },
      expiresAt,
    });
  });

  it.each([
    ['block', `apiVersion: ${exec.apiVersion}\nkind: ExecCredential\nstatus:\n  token: sesame\n`],
    ['flow', `{apiVersion: ${exec.apiVersion}, kind: ExecCredential, status: {token: sesame}}`],
    [
      'documents',
      `---\n# kept\nkind: ExecCredential\napiVersion: ${exec.apiVersion}\nstatus: {token: "sesame"}\n---\na: 1`,
    ],
    ['indented JSON', JSON.stringify(JSON.parse(String(output({ token: 'sesame' }))), null, '\t')],
    [
      'a time',
      `{apiVersion: ${exec.apiVersion}, kind: ExecCredential, status: {token: sesame, expirationTimestamp: 2030-01-02T03:04:05Z}}`,
    ],
  ])('returns a token of YAML: %s', async (_, yaml) => {
    const { credential } = await readExecCredential(Buffer.from(yaml), exec);
    expect(credential).toEqual({ authorization: 'Bearer sesame' });
  });

  it('returns the certificate of a block of YAML', async () => {
    const indented = (pem: string): string => pem.replaceAll(/^/gm, '    ');
    const yaml = `kind: ExecCredential
apiVersion: ${exec.apiVersion}
status:
  clientCertificateData: |
${indented(jane.cert)}
  clientKeyData: |
${indented(jane.key)}
`;
    const { credential } = await readExecCredential(Buffer.from(yaml), exec);
    expect(credential.cert?.trim()).toBe(jane.cert.trim());
  });

  it('returns a certificate, or both', async () => {
    const status = { clientCertificateData: jane.cert, clientKeyData: jane.key };
    expect((await readExecCredential(output(status), exec)).credential).toEqual(jane);
    const both = await readExecCredential(output({ ...status, token: 'sesame' }), exec);
    expect(both.credential).toEqual({
      authorization: 'Bearer sesame',
      ...jane,
    });
  });

  const version = 'client.authentication.k8s.io/v1';
  const problems: readonly (readonly [name: string, given: () => string | Uint8Array, want: string])[] = [
    [
      'nothing',
      () => '',
      'did not write an ExecCredential to standard output: it is not an object in JSON or YAML',
    ],
    ['nonsense', () => 'sesame', 'it is not an object in JSON or YAML'],
    [
      'truncated JSON',
      () => '{"kind":"ExecCredential","status":{"token":"sesame',
      'it is not an object in JSON or YAML',
    ],
    ['malformed YAML', () => 'status: {token: sesame', 'it is not an object in JSON or YAML'],
    ['a list', () => '["sesame"]', 'it is not an object in JSON or YAML'],
    [
      'another kind',
      () => output({ token: 'sesame' }, { kind: 'Secret' }),
      'whose kind is not ExecCredential',
    ],
    [
      'another version',
      () => output({ token: 'sesame' }, { apiVersion: `${version}beta1` }),
      `returned ${version}beta1, but is configured for ${version}; change apiVersion`,
    ],
    [
      'an invalid version',
      () => output({ token: 'sesame' }, { apiVersion: 'sesame' }),
      'returned another API version',
    ],
    ['no status', () => output(undefined), 'without a status'],
    ['a status that is not an object', () => output('sesame'), 'without a status'],
    [
      'an inherited status',
      () => output(undefined, JSON.parse('{"__proto__":{"status":{"token":"sesame"}}}')),
      'without a status',
    ],
    ['an empty status', () => output({}), 'returned neither a token nor a certificate with its key'],
    [
      'a token that is not a string',
      () => output({ token: ['sesame'] }),
      'returned a status.token that is not a string',
    ],
    [
      'a token that splits headers',
      () => output({ token: 'ses\r\name: x' }),
      'contains characters that are invalid in a token',
    ],
    ['a token of white space', () => output({ token: ' ' }), 'is empty'],
    [
      'a certificate alone',
      () => output({ clientCertificateData: jane.cert }),
      'returned a certificate without its key',
    ],
    [
      'a key alone',
      () => output({ token: 'sesame', clientKeyData: jane.key }),
      'returned a key without its certificate',
    ],
    [
      'a key of another certificate',
      () => output({ clientCertificateData: jane.cert, clientKeyData: joe.key }),
      'returned a key that does not belong to its certificate',
    ],
    [
      'a malformed key',
      () => output({ clientCertificateData: jane.cert, clientKeyData: 'sesame' }),
      'returned a certificate or a key that cannot be parsed',
    ],
    [
      'an encrypted key',
      () =>
        output({
          clientCertificateData: jane.cert,
          clientKeyData: '-----BEGIN ENCRYPTED PRIVATE KEY-----\nsesame',
        }),
      'returned an encrypted key',
    ],
    [
      'a malformed time',
      () => output({ token: 'sesame', expirationTimestamp: 'sesame' }),
      'returned a status.expirationTimestamp that is not an RFC 3339 time',
    ],
    [
      'a time that does not exist',
      () => output({ token: 'sesame', expirationTimestamp: '2030-13-01T00:00:00Z' }),
      'returned a status.expirationTimestamp',
    ],
    [
      'a number for a time',
      () => output({ token: 'sesame', expirationTimestamp: 1_900_000_000 }),
      'returned a status.expirationTimestamp',
    ],
  ];
  it.each(problems)('throws for %s without repeating it', async (_, given, want) => {
    const stdout = Buffer.from(given());
    const error: unknown = await readExecCredential(stdout, exec).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'ConfigError', message: expect.stringContaining(want) });
    expect(error).toMatchObject({ message: expect.stringContaining('the exec plugin "login"') });
    expect(`${inspect(error, { depth: 9, showHidden: true })}${JSON.stringify(error)}`).not.toMatch(
      /sesame|BEGIN/,
    );
  });
});
