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
    ['127.0.0.1:7443', undefined, { origin: 'http://127.0.0.1:7443', secure: false }],
    ['127.0.0.1:7443/', { serverName: 'h' }, { origin: 'http://127.0.0.1:7443', prefix: '' }],
    ['127.0.0.1:7443', { ca: 'PEM' }, { origin: 'https://127.0.0.1:7443', secure: true, loopback: true }],
    ['127.0.0.1:7443', { caFile: '/ca.crt' }, { origin: 'https://127.0.0.1:7443', secure: true }],
    ['127.0.0.1:7443', { cert: 'PEM', key: 'PEM' }, { origin: 'https://127.0.0.1:7443' }],
    ['127.0.0.1:7443', { certFile: '/tls.crt', keyFile: '/tls.key' }, { origin: 'https://127.0.0.1:7443' }],
    ['[::1]:7443', { ca: 'PEM' }, { origin: 'https://[::1]:7443' }],
    ['http://127.0.0.1:7443', { ca: 'PEM' }, { origin: 'http://127.0.0.1:7443' }],
    ['localhost', { ca: '' }, { origin: 'http://localhost' }],
    ['example.com', { insecureSkipTlsVerify: true }, { origin: 'https://example.com' }],
    ['example.com', { insecureSkipTlsVerify: false }, { origin: 'http://example.com' }],
    [
      'https://[fe80::1%25eth0]:6443/k8s',
      undefined,
      { origin: 'https://[fe80::1]:6443', zone: 'eth0', prefix: '/k8s' },
    ],
    ['[fe80::1%25en-0.1]', undefined, { origin: 'http://[fe80::1]', zone: 'en-0.1' }],
    ['https://h?token=x#y', undefined, { origin: 'https://h', prefix: '' }],
  ];
  it.each(cases)('%s', (given, tls, want) => {
    expect(parseServer(given, tls)).toMatchObject(want);
  });

  it('throws for a configuration without a server, as plain JavaScript may pass', () => {
    const forgotten = Promise.resolve({ server: 'https://h' }) as unknown as { server: string };
    expect(() => parseServer(forgotten.server)).toThrow('await');
  });

  it.each([
    '',
    'https://',
    'ftp://h',
    'https://a:b@h',
    'http://a b',
    'h/prefix',
    'h:7443/k8s/clusters/c-1',
    'https://[fe80::1%25]',
    'https://[fe80::1%eth0]',
    'https://[fe80::1%25a/b]',
  ])('throws ConfigError for %j', (given) => {
    expect(() => parseServer(given)).toThrow(expect.objectContaining({ name: 'ConfigError' }));
  });
});
