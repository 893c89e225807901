import { expect, test } from 'vitest';
import type { Paths } from './openapi.ts';
import { withUndocumented } from './undocumented.ts';

const paths = (...names: readonly string[]): Paths => new Map(names.map((name) => [name, new Map()]));

test('a whole server has health checks and metrics, which are text, and its version without a slash', () => {
  const all = withUndocumented(paths('/api/', '/version/'), false);
  expect([...all.keys()]).toEqual([
    '/api/',
    '/healthz',
    '/livez',
    '/metrics',
    '/readyz',
    '/version',
    '/version/',
  ]);
  expect(all.get('/readyz')?.get('get')?.responses['200']?.content).toEqual({
    'text/plain': { schema: { type: 'string' } },
  });
});

test('a group version alone has none', () => {
  const some = paths('/apis/apps/v1/deployments');
  expect(withUndocumented(some, true)).toBe(some);
});

test('descriptions are there on request', () => {
  const described = (descriptions: boolean): readonly unknown[] =>
    (withUndocumented(paths('/version/'), descriptions).get('/livez')?.get('get')?.parameters ?? []).map(
      ({ description }) => description,
    );
  expect(described(true)).not.toContain(undefined);
  expect(described(false)).toEqual([undefined, undefined]);
});
