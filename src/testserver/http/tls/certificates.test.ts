import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAuthority } from './certificates.ts';

describe('createAuthority', () => {
  const authority = createAuthority();

  it('signs certificates of servers for their names and addresses', () => {
    const { cert } = authority.issueServer('server', {
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
    { name: 'a,O=system:masters', groups: ['a+O=b'], want: 'CN=a\\,O=system:masters\nO=a\\+O=b' },
  ])('has the user $name in the subject', ({ name, groups, want }) => {
    const { cert } = authority.issueClient(name, groups);
    expect(new X509Certificate(cert).subject).toBe(want);
  });

  it('throws for an empty name or group', () => {
    expect(() => authority.issueClient('', [])).toThrow(TypeError);
    expect(() => authority.issueClient('a', [''])).toThrow(TypeError);
  });
});
