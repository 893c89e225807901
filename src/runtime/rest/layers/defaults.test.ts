import { describe, expect, it } from 'vitest';
import type { APIRequest, HTTPMethod } from '../../api/transport.ts';
import { limitingBodies, withWriteDefaults } from './defaults.ts';

function request(method: HTTPMethod, more: Partial<APIRequest> = {}): APIRequest {
  const operation = { verb: 'update', resource: 'pods' };
  return { method, path: '/api/v1/pods', query: [], headers: {}, operation, ...more };
}

describe('fieldValidation of a client', () => {
  it.each<[method: HTTPMethod, more: Partial<APIRequest>]>([
    ['POST', {}],
    ['PUT', {}],
    ['PATCH', {}],
    ['POST', { query: [['dryRun', 'All']] }],
    ['POST', { query: [['pretty', 'true']] }],
  ])('is added to %s %j, in the order of names', (method, more) => {
    const given = request(method, more);
    const names = [...given.query.map(([name]) => name), 'fieldValidation'].sort();
    const { query, ...rest } = withWriteDefaults(given, [['fieldValidation', 'Strict']]);
    expect(query.map(([name]) => name)).toEqual(names);
    expect(query).toContainEqual(['fieldValidation', 'Strict']);
    expect({ ...rest, query: given.query }).toEqual(given);
  });

  it.each<[method: HTTPMethod, more: Partial<APIRequest>, value: 'Strict' | undefined]>([
    ['GET', {}, 'Strict'],
    ['DELETE', {}, 'Strict'],
    ['OPTIONS', {}, 'Strict'],
    ['POST', {}, undefined],
    ['POST', { stream: true }, 'Strict'],
    ['POST', { query: [['fieldValidation', 'Ignore']] }, 'Strict'],
    ['POST', { path: '/api/v1/namespaces/shop/services/web/proxy/x' }, 'Strict'],
  ])('is not added to %s %j of a client with %s', (method, more, value) => {
    const given = request(method, more);
    expect(withWriteDefaults(given, [['fieldValidation', value]])).toBe(given);
  });
});

describe('fieldManager of a client', () => {
  const apply = (query: APIRequest['query']): APIRequest =>
    request('PATCH', { query, operation: { verb: 'apply', resource: 'pods' } });

  it.each<[own: APIRequest['query'], value: string | undefined, want: string]>([
    [[], 'client', 'client'],
    [[['fieldManager', 'call']], 'client', 'call'],
    [[['fieldManager', 'call']], undefined, 'call'],
  ])('of an apply with %j and a client with %s is %3$s', (own, value, want) => {
    const { query } = withWriteDefaults(apply(own), [['fieldManager', value]]);
    expect(query).toEqual([['fieldManager', want]]);
  });

  it('is missing in an apply without any', () => {
    expect(() => withWriteDefaults(apply([]), [['fieldManager', undefined]])).toThrow(
      new TypeError(
        'apply pods: fieldManager is missing, the name that owns the fields; set it in the options of the call or of the client',
      ),
    );
  });
});

describe('maxResponseBytes of a client', () => {
  const read = async (own: number | undefined, limit: number | undefined): Promise<unknown> => {
    const send = limitingBodies(
      async () => ({
        status: 200,
        headers: {},
        body: (async function* () {
          yield Buffer.from('abc');
        })(),
        cancel: () => undefined,
      }),
      limit,
    );
    const { body } = await send(request('GET', own === undefined ? {} : { maxResponseBytes: own }));
    try {
      for await (const chunk of body) return String(chunk);
    } catch (error) {
      return error instanceof Error && error.name;
    }
    return undefined;
  };

  it.each<[own: number | undefined, limit: number | undefined, want: string]>([
    [undefined, undefined, 'abc'],
    [undefined, 3, 'abc'],
    [undefined, 2, 'DecodeError'],
    [2, 3, 'DecodeError'],
    [3, 2, 'abc'],
  ])('is %s for the request and %s for the client', async (own, limit, want) => {
    expect(await read(own, limit)).toBe(want);
  });
});
