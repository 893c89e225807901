import { expect, test } from 'vitest';
import type { Paths } from './openapi.ts';
import { withUndocumented } from './undocumented.ts';

const paths = (...names: readonly string[]): Paths => new Map(names.map((name) => [name, new Map()]));

test('adds health checks and metrics, which return strings, and /version to a whole server', () => {
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

test('adds nothing to a group version', () => {
  const some = paths('/apis/apps/v1/deployments');
  expect(withUndocumented(some, true)).toBe(some);
});

test('adds descriptions on request', () => {
  const described = (descriptions: boolean): readonly unknown[] =>
    (withUndocumented(paths('/version/'), descriptions).get('/livez')?.get('get')?.parameters ?? []).map(
      ({ description }) => description,
    );
  expect(described(true)).not.toContain(undefined);
  expect(described(false)).toEqual([undefined, undefined]);
});
