import { describe, expect, it } from 'vitest';
import type { TlsConfig } from '../types.ts';
import { parseServer } from './server.ts';

describe('parseServer', () => {
  const cases: readonly [given: string, tls: TlsConfig | undefined, want: object][] = [
    [
      'https://10.0.0.1:6443',
      undefined,
      { origin: 'https://10.0.0.1:6443', prefix: '', secure: true, loopback: false },
    ],
    ['https://h/k8s/clusters/c-1/', undefined, { origin: 'https://h', prefix: '/k8s/clusters/c-1' }],
    ['http://localhost:8001', undefined, { origin: 'http://localhost:8001', secure: false, loopback: true }],
    ['http://127.1.2.3', undefined, { loopback: true }],
    ['https://[::1]:6443', undefined, { origin: 'https://[::1]:6443', loopback: true }],
    ['10.0.0.1:8080', undefined, { origin: 'http://10.0.0.1:8080' }],
    ['example.com', { insecureSkipTlsVerify: true }, { origin: 'https://example.com' }],
    ['https://h?token=x#y', undefined, { origin: 'https://h', prefix: '' }],
  ];
  it.each(cases)('%s', (given, tls, want) => {
    expect(parseServer(given, tls)).toMatchObject(want);
  });

  it('throws for a configuration without a server, as plain JavaScript may pass', () => {
    const forgotten = Promise.resolve({ server: 'https://h' }) as unknown as { server: string };
    expect(() => parseServer(forgotten.server)).toThrow('await');
  });

  it.each(['', 'https://', 'ftp://h', 'https://a:b@h', 'http://a b'])(
    'throws ConfigError for %j',
    (given) => {
      expect(() => parseServer(given)).toThrow(expect.objectContaining({ name: 'ConfigError' }));
    },
  );
});
