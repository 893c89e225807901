import { expect, test } from 'vitest';
import { withHealth } from './health.ts';
import type { Paths } from './openapi.ts';

const paths = (...names: readonly string[]): Paths => new Map(names.map((name) => [name, new Map()]));

test('a whole server has health checks, which are text, and its version without a slash', () => {
  const all = withHealth(paths('/api/', '/version/'), false);
  expect([...all.keys()]).toEqual(['/api/', '/healthz', '/livez', '/readyz', '/version', '/version/']);
  expect(all.get('/readyz')?.get('get')?.responses['200']?.content).toEqual({
    'text/plain': { schema: { type: 'string' } },
  });
});

test('a group version alone has none', () => {
  const some = paths('/apis/apps/v1/deployments');
  expect(withHealth(some, true)).toBe(some);
});

test('descriptions are there on request', () => {
  const described = (descriptions: boolean): readonly unknown[] =>
    (withHealth(paths('/version/'), descriptions).get('/livez')?.get('get')?.parameters ?? []).map(
      ({ description }) => description,
    );
  expect(described(true)).not.toContain(undefined);
  expect(described(false)).toEqual([undefined, undefined]);
});
