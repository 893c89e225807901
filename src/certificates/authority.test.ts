import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAuthority, restoreAuthority } from './authority.ts';
import { certificateFacts, isSignedBy, splitBundle } from './facts.ts';

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

const hosts = { names: ['hooks', 'hooks.shop.svc'], addresses: ['127.0.0.1'] };
const hourMs = 3_600_000;
const present = Date.UTC(2040, 0, 1);

describe('options of an authority', () => {
  it('decide its name, and the validity of certificates', () => {
    const now = (): number => present;
    const authority = createAuthority({ name: 'own', validMs: hourMs, earlyMs: 1000, now });
    expect(new X509Certificate(authority.cert).subject).toBe('CN=own');
    expect(certificateFacts(authority.cert)).toMatchObject({ from: present - 1000, until: present + hourMs });
    expect(certificateFacts(authority.issueServer('hooks', hosts, 5000).cert)).toMatchObject({
      ...hosts,
      from: present - 1000,
      until: present + 5000,
    });
  });

  it('decide the keys and serial numbers', () => {
    const pairs = [1, 1, 2].map((byte) =>
      createAuthority({ randomBytes: (size) => Buffer.alloc(size, byte) }).pair(),
    );
    expect(new Set(pairs.map(({ key }) => key)).size).toBe(2);
    expect(new X509Certificate(pairs[0]?.cert ?? '').serialNumber).toBe(`40${'01'.repeat(15)}`);
  });
});

describe('restoreAuthority', () => {
  const original = createAuthority({ name: 'jürgen, O=x' });

  it('issues certificates that the original authority has signed', () => {
    const restored = restoreAuthority(original.pair());
    expect(restored.pair()).toEqual(original.pair());
    const { cert } = restored.issueServer('hooks', hosts);
    expect(isSignedBy(cert, original.cert)).toBe(true);
    expect(isSignedBy(cert, createAuthority({ name: 'jürgen, O=x' }).cert)).toBe(false);
  });

  const { cert, key } = original.pair();
  const leaf = original.issueServer('hooks', hosts);
  it.each([
    { name: 'a key of another certificate', pair: { cert, key: leaf.key } },
    { name: 'a certificate that issues none', pair: leaf },
    { name: 'a key that is not PEM', pair: { cert, key: key.replaceAll('A', '-') } },
    { name: 'a certificate that is not PEM', pair: { cert: cert.slice(0, 200), key } },
  ])('throws for $name, without a part of the key', ({ pair }) => {
    expect(() => restoreAuthority(pair)).toThrow(TypeError);
    expect(() => restoreAuthority(pair)).not.toThrow(key.split('\n')[1]);
  });
});

describe('addresses of a certificate', () => {
  it.each([
    { address: '10.0.0.1', found: '10.0.0.1' },
    { address: '::1', found: '0:0:0:0:0:0:0:1' },
    { address: 'fd00::A1:0:2', found: 'FD00:0:0:0:0:A1:0:2' },
    { address: '::ffff:10.0.0.1', found: '0:0:0:0:0:FFFF:A00:1' },
    { address: '1:2:3:4:5:6:7:8', found: '1:2:3:4:5:6:7:8' },
  ])('contain $address', ({ address, found }) => {
    const { cert } = createAuthority().issueServer('api', { names: [], addresses: [address] });
    expect(new X509Certificate(cert).subjectAltName).toBe(`IP Address:${found}`);
  });

  it.each(['localhost', 'fe80::1%eth0', ''])('cannot be "%s"', (address) => {
    expect(() => createAuthority().issueServer('api', { names: [], addresses: [address] })).toThrow(
      TypeError,
    );
  });
});

describe('crossSign', () => {
  it('lets clients trust a certificate that trust either authority', async () => {
    const [old, present, other] = [
      createAuthority({ name: 'old' }),
      createAuthority({ name: 'new' }),
      createAuthority(),
    ];
    const leaf = present.issueServer('hooks', { names: ['localhost'], addresses: [] });
    const server = createServer({ key: leaf.key, cert: leaf.cert + old.crossSign(present.pair()) });
    server.on('tlsClientError', () => undefined);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const connected = async (ca: string): Promise<boolean> => {
      const socket = connect({ host: '127.0.0.1', port, ca, servername: 'localhost' });
      const [isTrusted] = await Promise.race([
        once(socket, 'secureConnect').then(() => [true]),
        once(socket, 'close').then(() => [false]),
      ]).catch(() => [false]);
      socket.destroy();
      return isTrusted ?? false;
    };
    expect(await Promise.all([old, present, other].map(({ cert }) => connected(cert)))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('splitBundle', () => {
  it('returns the certificates of a text', () => {
    const [a, b] = [createAuthority().cert, createAuthority().cert];
    expect(splitBundle(`# first\n${a}\n\n# second\n${b.trim()}`)).toEqual([a, b]);
    expect(splitBundle('none')).toEqual([]);
  });
});
