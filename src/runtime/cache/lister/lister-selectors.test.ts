import { describe, expect, it } from 'vitest';
import { KnownSelectors } from './lister-select.ts';

describe('selectors', () => {
  it('are parsed once, in any form', () => {
    const selectors = new KnownSelectors();
    const first = selectors.requirements('app=web');
    expect(first).toEqual([{ key: 'app', operator: 'in', values: ['web'] }]);
    expect(selectors.requirements({ app: 'web' })).toBe(first);
    expect(selectors.requirements({ matchLabels: { app: 'web' } })).toBe(first);
    expect(selectors.requirements(undefined)).toEqual([]);
  });

  it('have distinct values', () => {
    const [requirement] = new KnownSelectors().requirements('app in (b,a,b)');
    expect(requirement?.values).toEqual(['a', 'b']);
  });

  it('are evicted from the cache, the oldest first', () => {
    const selectors = new KnownSelectors();
    const first = selectors.requirements('app=v0');
    for (let number = 1; number < 256; number += 1) selectors.requirements(`app=v${number}`);
    expect([selectors.size, selectors.requirements('app=v0') === first]).toEqual([256, true]);
    const second = selectors.requirements('app=v1');
    selectors.requirements('app=v256');
    expect([selectors.size, selectors.requirements('app=v1') === second]).toEqual([256, true]);
    expect(selectors.requirements('app=v0')).not.toBe(first);
    expect(selectors.size).toBe(256);
  });

  it('are not cached if they are long or invalid', () => {
    const selectors = new KnownSelectors();
    const values = Array.from({ length: 200 }, (_, number) => `v${number}`).join(',');
    expect(selectors.requirements(`app in (${values})`)[0]?.values).toHaveLength(200);
    expect(() => selectors.requirements('a=b=c')).toThrow(TypeError);
    expect(selectors.size).toBe(0);
  });
});
