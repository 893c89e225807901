import { describe, expect, it } from 'vitest';
import type { APIRequest } from '../../api/transport.ts';
import { headerList, headersTimeoutOf, requestTarget } from './pooled-transport.ts';

function request(more: Partial<APIRequest> = {}): APIRequest {
  const operation = { verb: 'get', resource: 'pods' };
  return { method: 'GET', path: '/api', query: [], headers: {}, operation, ...more };
}

describe('a request on a connection', () => {
  it.each<[query: APIRequest['query'], prefix: string, want: string]>([
    [[], '', '/api'],
    [[], '/k8s', '/k8s/api'],
    [[['a', 'b c']], '/k8s', '/k8s/api?a=b+c'],
  ])('with query %j below %j has its target', (query, prefix, want) => {
    expect(requestTarget(request({ query }), prefix)).toBe(want);
  });

  it.each<[headers: Record<string, string>, gzip: boolean, want: readonly string[]]>([
    [{ accept: 'a' }, true, ['accept', 'a', 'accept-encoding', 'gzip']],
    [{ accept: 'a' }, false, ['accept', 'a']],
    [{ 'accept-encoding': 'identity' }, true, ['accept-encoding', 'identity']],
  ])('with headers %j has its list of headers, gzip: %s', (headers, gzip, want) => {
    expect(headerList(request({ headers }), gzip)).toEqual(want);
  });

  it('repeats the headers of impersonated groups', () => {
    const impersonate = { user: 'jane', groups: ['a', 'b'] };
    expect(headerList(request({ impersonate }), false)).toEqual([
      'impersonate-user',
      'jane',
      'impersonate-group',
      'a',
      'impersonate-group',
      'b',
    ]);
  });

  const follow: APIRequest['query'] = [['follow', 'true']];
  it.each<[more: Partial<APIRequest>, want: number]>([
    [{}, 300_000],
    [{ timeoutMs: 5 }, 0],
    [{ stream: true }, 300_000],
    [{ stream: true, query: [['watch', 'true']] }, 300_000],
    [{ stream: true, query: follow }, 0],
    [{ query: follow }, 300_000],
    [{ stream: true, query: [['follow', 'false']] }, 300_000],
  ])('%j may wait %d ms for its head', (more, want) => {
    expect(headersTimeoutOf(request(more))).toBe(want);
  });
});
