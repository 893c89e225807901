import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CertificateAuthority, createAuthority } from './certificates.ts';

describe('createAuthority', () => {
  let authority: CertificateAuthority;
  beforeAll(async () => {
    authority = await createAuthority();
  });

  it('signs certificates of servers for their names and addresses', async () => {
    const { cert } = await authority.issueServer('server', {
      names: ['localhost'],
      addresses: ['127.0.0.1'],
    });
    const parsed = new X509Certificate(cert);
    expect(parsed.verify(new X509Certificate(authority.cert).publicKey)).toBe(true);
    expect(parsed.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(parsed.checkHost('localhost')).toBe('localhost');
    expect(parsed.checkIP('127.0.0.2')).toBeUndefined();
  });

  it.each([
    { name: 'admin', groups: ['system:masters'], want: 'CN=admin\nO=system:masters' },
    { name: 'jane@example.com', groups: ['a b', 'c/d'], want: 'CN=jane@example.com\nO=a b\nO=c/d' },
    { name: 'jürgen', groups: [], want: 'CN=jürgen' },
  ])('has the user $name in the subject', async ({ name, groups, want }) => {
    const { cert } = await authority.issueClient(name, groups);
    expect(new X509Certificate(cert).subject).toBe(want);
  });

  it.each(['', ' a', 'a,O=system:masters', 'a+O=b', 'a\nO=b', 'a\\', '"a', 'a;b', '#a'])(
    'throws for %j as a name or group',
    async (name) => {
      await expect(authority.issueClient(name, [])).rejects.toThrow(TypeError);
      await expect(authority.issueClient('a', [name])).rejects.toThrow(TypeError);
    },
  );
});
