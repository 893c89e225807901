import { createAuthority, type KeyPair } from '@kgen/certificates/authority';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TlsConfig } from '../../config/types.ts';
import { isCertificateError, TlsFiles, tlsFilesOf } from './tls-files.ts';

let jane: KeyPair;
let joe: KeyPair;
beforeAll(async () => {
  const authority = await createAuthority();
  [jane, joe] = await Promise.all([authority.issueClient('jane', []), authority.issueClient('joe', [])]);
});

/** Files of a certificate and its key on a clock of the test; a file without content is missing. */
function given(values: TlsConfig = {}) {
  const contents = new Map<string, string>();
  const warnings: string[] = [];
  const reads: string[] = [];
  let now = 0;
  const content = (path: string): string => {
    const found = contents.get(path);
    if (found === undefined) throw new Error(`there is no ${path}`);
    return found;
  };
  const files = new TlsFiles(
    { ...values, certFile: 'cert', keyFile: 'key' },
    {
      now: () => now,
      read: async (path) => {
        reads.push(path);
        return content(path);
      },
      stamp: async (path) => String(content(path).length) + content(path),
      warn: (message) => warnings.push(message),
    },
  );
  const write = (cert: string, key: string): void => {
    contents.set('cert', cert);
    contents.set('key', key);
  };
  const later = (ms: number): void => {
    now += ms;
  };
  return { files, contents, warnings, reads, write, later };
}

describe('TLS files', () => {
  it('are read before the first connection, and again when they have changed', async () => {
    const { files, reads, write, later } = given();
    write(jane.cert, jane.key);
    const first = await files.current();
    expect(first).toMatchObject({ cert: jane.cert, key: jane.key });
    expect(files.current()).toBe(first);
    later(999);
    expect(files.current()).toBe(first);
    later(1);
    expect(await files.current()).toBe(first);
    expect(reads).toEqual(['cert', 'key']);
    write(joe.cert, joe.key);
    expect(files.current()).toBe(first);
    later(1000);
    expect(await files.current()).toMatchObject({ cert: joe.cert, key: joe.key });
  });

  it('are looked at once, however many callers wait', async () => {
    const { files, reads, write } = given();
    write(jane.cert, jane.key);
    const [one, other] = await Promise.all([files.recheck(), files.recheck()]);
    expect(other).toBe(one);
    expect(reads).toEqual(['cert', 'key']);
  });

  it('that cannot be read are an error while there are no values', async () => {
    const { files, warnings, write, contents } = given();
    const want = 'the TLS files cannot be used (cert, key): there is no cert';
    await expect(files.current()).rejects.toMatchObject({ name: 'ConfigError', message: want });
    contents.set('cert', jane.cert);
    await expect(files.current()).rejects.toThrow('there is no key');
    write(jane.cert, jane.key);
    expect(await files.current()).toMatchObject({ cert: jane.cert });
    expect(warnings).toEqual([]);
  });

  it.each<
    [name: string, spoil: (write: (cert: string, key: string) => void, contents: Map<string, string>) => void]
  >([
    ['do not fit', (write) => write(joe.cert, jane.key)],
    ['are broken', (write) => write('broken', 'broken')],
    ['are gone', (_, contents) => contents.clear()],
  ])('that %s leave the last values in use, with one warning at the second look', async (_, spoil) => {
    const { files, contents, warnings, write, later } = given();
    write(jane.cert, jane.key);
    const good = await files.current();
    spoil(write, contents);
    for (const count of [0, 1, 1]) {
      later(1000);
      expect(await files.current()).toBe(good);
      expect(warnings).toHaveLength(count);
    }
    expect(warnings[0]).toMatch(
      /^the TLS files cannot be used \(cert, key\): .*; the last good ones stay in use$/,
    );
    write(joe.cert, joe.key);
    later(1000);
    expect(await files.current()).toMatchObject({ cert: joe.cert });
  });

  it('with the same content keep the configuration', async () => {
    const { files, write } = given({ ...jane });
    write(jane.cert, jane.key);
    expect(await files.recheck()).toBe(await files.recheck());
  });

  it.each<[tls: TlsConfig | undefined, isWatched: boolean]>([
    [undefined, false],
    [{}, false],
    [{ cert: 'c', key: 'k' }, false],
    [{ caFile: 'ca' }, true],
    [{ certFile: 'c', keyFile: 'k' }, true],
  ])('of %j are watched: %s', (tls, isWatched) => {
    expect(tlsFilesOf(tls) !== undefined).toBe(isWatched);
  });

  it.each([
    [undefined, false],
    ['ECONNRESET', false],
    ['CERT_HAS_EXPIRED', true],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', true],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', true],
    ['ERR_TLS_CERT_ALTNAME_INVALID', false],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', true],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', true],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', false],
  ])('may help after %s: %s', (code, want) => {
    expect(isCertificateError(code)).toBe(want);
  });
});
