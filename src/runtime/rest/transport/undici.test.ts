import * as undici from 'undici';
import { expect, it } from 'vitest';
import { loadUndici } from './undici.ts';

const missing = (): Promise<unknown> => Promise.reject(new Error('ERR_PACKAGE_PATH_NOT_EXPORTED'));

it.each([
  { how: 'cannot be imported', load: missing },
  { how: 'have another content', load: () => Promise.resolve({ default: {} }) },
  {
    how: 'are only there in part',
    load: (name: string) => (name === 'pool' ? missing() : Promise.resolve({ default: () => 1 })),
  },
])('loads the main module of undici if its inner modules $how', async ({ load }) => {
  const { Pool, buildConnector } = await loadUndici(load);
  expect(Pool).toBe(undici.Pool);
  expect(buildConnector).toBe(undici.buildConnector);
});

it('uses the inner modules otherwise, which have no prototype', async () => {
  const exported = (): void => undefined;
  const module: unknown = Object.assign(Object.create(null), { default: exported });
  const { Pool, buildConnector } = await loadUndici(() => Promise.resolve(module));
  expect(Pool).toBe(exported);
  expect(buildConnector).toBe(exported);
});

it('loads the inner modules', async () => {
  const { Pool, buildConnector } = await loadUndici();
  expect(Pool).toBe(undici.Pool);
  expect(buildConnector).toBe(undici.buildConnector);
});

it('loads one module after the other, as loader hooks of Node.js 22 need', async () => {
  const order: string[] = [];
  await loadUndici(async (name) => {
    order.push(`${name} begins`);
    await Promise.resolve();
    order.push(`${name} ends`);
    return { default: class {} };
  });
  expect(order).toEqual(['pool begins', 'pool ends', 'connect begins', 'connect ends']);
});
