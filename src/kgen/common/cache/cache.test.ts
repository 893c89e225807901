import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../cluster/cluster.fixture.ts';
import { Cache, defaultCacheFolder } from './cache.ts';
import { type CacheEntry, decodeEntry, encodeEntry, sha256 } from './cache-entry.ts';

const entry = (text: string, tag = 't'): CacheEntry => {
  const body = Buffer.from(text);
  return { tag, type: 'application/json', body, hash: sha256(body) };
};

describe('a cache entry', () => {
  test.each(['', '{}', 'a\nb\n', '\u0000ü'])('reads %j as it was written', (text) => {
    const bytes = encodeEntry(entry(text, '"tag\n"')) ?? Buffer.alloc(0);
    expect(decodeEntry(bytes)).toEqual(entry(text, '"tag\n"'));
  });

  test('is not read if any byte has changed or is missing', () => {
    const bytes = Buffer.from(encodeEntry(entry('{"a":1}')) ?? []);
    const body = bytes.indexOf(0x0a);
    for (let at = 0; at < bytes.length; at += 1) {
      expect(decodeEntry(bytes.subarray(0, at))).toBeUndefined();
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      if (at > body) expect(decodeEntry(changed)).toBeUndefined();
    }
  });

  test.each(['', '\n', 'null\n', '[]\n', '{"tag":1,"type":"","hash":""}\n', 'x'.repeat(9999)])(
    'is not read from %j',
    (text) => {
      expect(decodeEntry(Buffer.from(text))).toBeUndefined();
    },
  );

  test('with an endless tag is not stored', () => {
    expect(encodeEntry(entry('{}', 'x'.repeat(5000)))).toBeUndefined();
  });
});

describe('the cache', () => {
  test('has one file for each key, for any key', async () => {
    const folder = temporaryFolder();
    const cache = new Cache(folder, 'https://a');
    for (const key of ['../../x', '/etc/passwd', 'a', 'a']) cache.write(key, entry(key));
    expect(await cache.settle()).toBeUndefined();
    const [server = ''] = readdirSync(folder);
    expect(readdirSync(join(folder, server))).toHaveLength(3);
    expect(await new Cache(folder, 'https://a').read('../../x')).toEqual(entry('../../x'));
    expect(await new Cache(folder, 'https://b').read('../../x')).toBeUndefined();
  });

  test('is readable by its owner only, in folders that it creates', async () => {
    const folder = join(temporaryFolder(), 'a/b');
    const cache = new Cache(folder, 'https://a');
    cache.write('key', entry('{}'));
    expect(await cache.settle()).toBeUndefined();
    const [own = ''] = readdirSync(folder);
    const [file = ''] = readdirSync(join(folder, own));
    const modes = [folder, join(folder, own), join(folder, own, file)].map(
      (path) => statSync(path).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o600]);
  });

  test('replaces entries atomically and leaves no other files', async () => {
    const folder = temporaryFolder();
    const cache = new Cache(folder, 's');
    const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000));
    for (const text of texts) cache.write('k', entry(text));
    await cache.settle();
    expect(texts).toContain(Buffer.from((await cache.read('k'))?.body ?? []).toString());
    expect(readdirSync(join(folder, readdirSync(folder)[0] ?? ''))).toHaveLength(1);
  });

  test('is ignored if it is a symbolic link to another folder', async () => {
    const folder = temporaryFolder();
    symlinkSync('/nowhere/at/all', join(folder, sha256('s')));
    const cache = new Cache(folder, 's');
    cache.write('k', entry('{}'));
    expect(await cache.settle()).toMatchObject({ code: expect.any(String) });
    expect(await cache.read('k')).toBeUndefined();
  });

  test('is ignored if it cannot be read', async () => {
    const folder = temporaryFolder();
    const cache = new Cache(folder, 's');
    cache.write('k', entry('{}'));
    await cache.settle();
    const own = join(folder, sha256('s'));
    const [file = ''] = readdirSync(own);
    rmSync(join(own, file));
    mkdirSync(join(own, file));
    expect(await cache.read('k')).toBeUndefined();
  });
});

test.each([
  { env: { XDG_CACHE_HOME: '/x', HOME: '/h' }, want: '/x/kgen' },
  { env: { XDG_CACHE_HOME: 'relative', HOME: '/h' }, want: '/h/.cache/kgen' },
  { env: { XDG_CACHE_HOME: '', HOME: '/h' }, want: '/h/.cache/kgen' },
  { env: { HOME: '/h' }, want: '/h/.cache/kgen' },
])('returns the cache folder of $env: $want', ({ env, want }) => {
  expect(defaultCacheFolder(env)).toBe(want);
});
