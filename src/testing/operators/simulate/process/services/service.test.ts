import { expect, expectTypeOf, it } from 'vitest';
import { type ParamOf, pathBelow, routed, type ServiceOptions, simulation } from './service.ts';

const handlers = {
  'GET /': () => 'root',
  'GET /zones/:zone/records': () => [],
  'PUT /zones/:zone/records/:name': () => undefined,
};

it.each([
  ['GET', '/', 'GET /', {}],
  ['GET', '/zones/a/records', 'GET /zones/:zone/records', { zone: 'a' }],
  ['PUT', '/zones/a%2Fb/records/%', 'PUT /zones/:zone/records/:name', { zone: 'a/b', name: '%' }],
  ['POST', '/zones/a/records', undefined, {}],
  ['PUT', '/zones//records/b', undefined, {}],
  ['GET', '/zones/a/records/b', undefined, {}],
] as const)('%s %s is handled by %s', (method, path, route, params) => {
  const found = routed(simulation.service('dns', handlers), method, path);
  expect(found?.handler).toBe(route === undefined ? undefined : handlers[route]);
  expect({ ...found?.params }).toEqual(params);
});

it.each<[url: string, options: ServiceOptions, path: string | undefined]>([
  ['http://dns/a', {}, '/a'],
  ['https://dns:8443/a?b=c', {}, '/a'],
  ['https://other/a', {}, undefined],
  ['https://api.example.com/v2/a', { url: 'https://api.example.com/v2' }, '/a'],
  ['https://api.example.com/v2', { url: 'https://api.example.com/v2/' }, '/'],
  ['https://api.example.com/v22', { url: 'https://api.example.com/v2' }, undefined],
  ['http://api.example.com/v2/a', { url: 'https://api.example.com/v2' }, undefined],
])('the path of %s with %j is %s', (url, options, path) => {
  expect(pathBelow(simulation.service('dns', {}, options), new URL(url))).toBe(path);
});

it.each([
  [() => simulation.service('DNS', {}), /must be a host in lower case, got "DNS"/],
  [() => simulation.service('dns', { get: () => 1 }), /must be like 'GET \/items\/:id', got 'get'/],
  [() => simulation.service('dns', {}, { url: '/v2' }), /the url of the service dns must be absolute/],
])('%s throws', (create, message) => {
  expect(create).toThrow(message);
});

it('has typed parameters', () => {
  expectTypeOf<ParamOf<'PUT /zones/:zone/records/:name'>>().toEqualTypeOf<'zone' | 'name'>();
  expectTypeOf<ParamOf<'GET /zones'>>().toEqualTypeOf<never>();
  simulation.service('dns', {
    'PUT /zones/:zone': ({ params }, items) => {
      expectTypeOf(params).toEqualTypeOf<{ readonly zone: string }>();
      items.set(params.zone, {});
    },
  });
});
