import { expect, it } from 'vitest';
import { onDemand } from './on-demand.ts';

it('loads a module once, and again only after a failure', async () => {
  const failure = new Error('too many open files');
  let loads = 0;
  const module = onDemand(async () => {
    loads += 1;
    if (loads === 1) throw failure;
    return { loads };
  });
  await expect(Promise.all([module(), module()])).rejects.toBe(failure);
  expect([loads, module.loaded]).toEqual([1, undefined]);
  const [one, other] = await Promise.all([module(), module()]);
  expect([one, other, module.loaded, loads]).toEqual([{ loads: 2 }, one, one, 2]);
});
