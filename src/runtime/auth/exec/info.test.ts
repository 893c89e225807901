import { describe, expect, it } from 'vitest';
import type { ClusterConfig, ExecConfig } from '../../config/types.ts';
import { clusterInfo, execEnv, execInfo } from './info.ts';

const exec: ExecConfig = { apiVersion: 'client.authentication.k8s.io/v1beta1', command: 'login' };
const read = (path: string): Promise<string> =>
  path === '/ca' ? Promise.resolve('from a file') : Promise.reject(new Error('ENOENT'));

describe('clusterInfo', () => {
  const cases: readonly (readonly [
    given: Partial<ClusterConfig>,
    exec: Partial<ExecConfig>,
    want: object,
  ])[] = [
    [{}, {}, { server: 'https://a', config: null }],
    [
      {
        tls: { serverName: 'b', insecureSkipTlsVerify: true },
        proxyUrl: 'socks5://c',
        disableCompression: true,
      },
      { clusterConfig: { audience: ['d'] } },
      {
        server: 'https://a',
        'tls-server-name': 'b',
        'insecure-skip-tls-verify': true,
        'proxy-url': 'socks5://c',
        'disable-compression': true,
        config: { audience: ['d'] },
      },
    ],
    [{ tls: { ca: 'PEM' } }, {}, { server: 'https://a', 'certificate-authority-data': 'UEVN', config: null }],
    [
      { tls: { ca: 'PEM', caFile: '/other' } },
      {},
      { server: 'https://a', 'certificate-authority-data': 'UEVN', config: null },
    ],
    [
      { tls: { caFile: '/ca' } },
      {},
      { server: 'https://a', 'certificate-authority-data': 'ZnJvbSBhIGZpbGU=', config: null },
    ],
  ];
  it.each(cases)('%j %j', async (given, more, want) => {
    expect(await clusterInfo({ server: 'https://a', ...given }, { ...exec, ...more }, { read })).toEqual(
      want,
    );
  });

  it('throws an error with the path of an unreadable CA file', async () => {
    const config = { server: 'https://a', tls: { caFile: '/gone' } };
    await expect(clusterInfo(config, exec, { read })).rejects.toThrow(/the CA file \/gone .*cannot be read/);
  });
});

describe('execInfo', () => {
  it('returns an ExecCredential', () => {
    expect(JSON.parse(execInfo(exec, true, { server: 'https://a', config: null }))).toEqual({
      kind: 'ExecCredential',
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      spec: { cluster: { server: 'https://a', config: null }, interactive: true },
    });
    expect(JSON.parse(execInfo(exec, false, undefined))).toMatchObject({ spec: { interactive: false } });
    expect(execInfo(exec, false, undefined)).not.toContain('cluster');
  });

  it('throws for a clusterConfig that is not JSON', () => {
    const loop: Record<string, unknown> = {};
    loop['loop'] = loop;
    expect(() => execInfo(exec, false, { config: loop })).toThrow(
      'the exec plugin "login" has a clusterConfig that is not JSON',
    );
  });
});

describe('execEnv', () => {
  const added = [
    { name: 'Path', value: 'new' },
    { name: '__proto__', value: 'x' },
    { name: 'A', value: '1' },
    { name: 'A', value: '2' },
  ];
  it('replaces variables of the same name', () => {
    const env = execEnv({ PATH: 'old', GONE: undefined, A: '0' }, added, 'linux');
    expect(Object.entries(env)).toEqual([
      ['PATH', 'old'],
      ['A', '2'],
      ['Path', 'new'],
      ['__proto__', 'x'],
    ]);
  });

  it('ignores the case of names on Windows', () => {
    expect(Object.entries(execEnv({ PATH: 'old', A: '0' }, added, 'win32'))).toEqual([
      ['Path', 'new'],
      ['A', '2'],
      ['__proto__', 'x'],
    ]);
  });
});
