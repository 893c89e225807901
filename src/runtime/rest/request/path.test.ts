import { describe, expect, it } from 'vitest';
import { checkedPath, expandPath, isProxied, pathSegment } from './path.ts';

describe('pathSegment', () => {
  it.each([
    ['web-0', 'web-0'],
    ['system:node', 'system%3Anode'],
    ['a b?c#d', 'a%20b%3Fc%23d'],
    ['..a', '..a'],
    ['Łeb', '%C5%81eb'],
  ])('%s', (given, want) => {
    expect(pathSegment(given, 'the name')).toBe(want);
  });

  it.each(['', '.', '..', 'a/b', 'a%2fb', '../x', 'a\ud83d'])('throws for %j', (given) => {
    expect(() => pathSegment(given, 'the name')).toThrow(TypeError);
    expect(() => pathSegment(given, 'the name')).toThrow(/^the name /);
  });

  it.each([5, null, true, undefined])('throws TypeError with the value for %j', (given) => {
    expect(() => Reflect.apply(pathSegment, undefined, [given, 'the name'])).toThrow(
      new TypeError(`the name must be a string, got ${given}`),
    );
  });
});

describe('expandPath', () => {
  it('fills in the parts', () => {
    const path = { namespace: 'shop', name: 'a b' };
    expect(expandPath('/api/v1/namespaces/{namespace}/pods/{name}', path)).toBe(
      '/api/v1/namespaces/shop/pods/a%20b',
    );
    expect(expandPath('/version')).toBe('/version');
    expect(expandPath('/healthz/')).toBe('/healthz/');
    const behind = '/api/v1/namespaces/shop/services/{name}/proxy//a//';
    expect(expandPath(behind, { name: 'web' })).toBe('/api/v1/namespaces/shop/services/web/proxy//a//');
  });

  const problems: readonly [template: string, values: Record<string, string>, message: RegExp][] = [
    ['/pods/{name}', {}, /needs a value for \{name\}/],
    ['/pods/{toString}', {}, /needs a value for \{toString\}/],
    ['/pods/{name}', { name: '..' }, /must not be '\.\.'/],
    ['/pods/{name}', { name: 'a/../b' }, /must not contain/],
    ['/pods', { name: 'x' }, /has no part \{name\}/],
    ['pods', {}, /must begin with '\/'/],
    ['/pods?watch=true', {}, /must not contain '\?', pass the parameters as `query`/],
    ['/a/../b', {}, /must not contain the segment '\.\.'/],
    ['/a/%2E%2e/b', {}, /must not contain the segment '%2E%2e'/],
    ['/a\\..\\b', {}, /must not contain/],
    ['/api/v1//pods', {}, /must not contain empty segments/],
    ['/api/v1/namespaces/proxy//pods', {}, /must not contain empty segments/],
    ['/apis/apps/v1/namespaces/proxy/deployments//scale', {}, /must not contain empty segments/],
  ];
  it.each(problems)('throws for %s with %j', (template, values, message) => {
    expect(() => expandPath(template, values)).toThrow(message);
  });
});

it.each([
  ['/api/v1/nodes/n/proxy/', true],
  ['/api/v1/namespaces/shop/pods/web/proxy/a', true],
  ['/apis/example.com/v1/things/a/proxy/', true],
  ['/api/v1/namespaces/proxy/pods/', false],
  ['/apis/apps/v1/namespaces/proxy/deployments/', false],
])('isProxied(%s)', (path, want) => {
  expect(isProxied(path)).toBe(want);
});

it('checkedPath keeps escapes', () => {
  expect(checkedPath('/api/v1/nodes/a%3Ab')).toBe('/api/v1/nodes/a%3Ab');
});
