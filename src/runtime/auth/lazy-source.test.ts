import { expect, it } from 'vitest';
import { LazySource } from './credentials.ts';
import type { Credential, CredentialSource } from './types.ts';

const credential: Credential = { authorization: 'Bearer one' };
const other: Credential = { authorization: 'Bearer two' };
const loaded: CredentialSource = { current: () => credential, renew: () => Promise.resolve(other) };

it('is loaded once, and then called synchronously', async () => {
  let loads = 0;
  const source = new LazySource(() => {
    loads += 1;
    return Promise.resolve(loaded);
  });
  expect(loads).toBe(0);
  expect(await Promise.all([source.current(), source.current()])).toEqual([credential, credential]);
  expect(source.current()).toBe(credential);
  expect(await source.renew(credential)).toBe(other);
  expect(loads).toBe(1);
});

it('is loaded again after a failure', async () => {
  let loads = 0;
  const source = new LazySource(() => {
    loads += 1;
    return loads === 1 ? Promise.reject(new Error('no such file')) : Promise.resolve(loaded);
  });
  await expect(source.current()).rejects.toThrow('no such file');
  expect(await source.current()).toBe(credential);
});
