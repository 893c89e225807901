import { describe, expect, test } from 'vitest';
import type { Call } from './calls.ts';
import { compare, type Findings, nothing } from './coverage.ts';
import { type Json, operationsOf } from './operations.ts';

const kind = { group: 'apps', version: 'v1', kind: 'Thing' };
const parameter = (name: string): Json => ({ name, in: 'query', type: 'string' });

/** OpenAPI v2 document in which things can be listed and created. */
const document: Json = {
  swagger: '2.0',
  consumes: ['application/json'],
  paths: {
    '/apis/apps/v1/things': {
      parameters: [parameter('pretty')],
      get: {
        parameters: [parameter('limit')],
        'x-kubernetes-action': 'list',
        'x-kubernetes-group-version-kind': kind,
      },
      post: {
        parameters: [{ name: 'body', in: 'body', schema: { $ref: '#/definitions/Thing' } }],
        'x-kubernetes-action': 'post',
        'x-kubernetes-group-version-kind': kind,
      },
    },
    '/apis/apps/v1/watch/things': { get: { 'x-kubernetes-action': 'watchlist' } },
  },
  definitions: { Thing: { 'x-kubernetes-group-version-kind': [kind] } },
};

const path = '/apis/apps/v1/things';

interface SentRequest {
  readonly of?: string;
  readonly method?: string;
  readonly verb?: 'GET' | 'POST' | 'DELETE';
  readonly path?: string;
  readonly query?: readonly (readonly [string, string])[];
  readonly type?: string;
  readonly body?: object;
  readonly options?: Readonly<Record<string, unknown>>;
}

function call({
  of = 'things()',
  method = 'list',
  verb = 'GET',
  query = [],
  type,
  body,
  ...rest
}: SentRequest): Call {
  const request = {
    method: verb,
    path: rest.path ?? path,
    query,
    headers: type === undefined ? {} : { 'content-type': type },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    operation: { verb: 'any', resource: 'things' },
  };
  return { of, method, options: rest.options ?? {}, requests: [request] };
}

const list: SentRequest = { query: [['limit', '7']], options: { limit: 7 } };
const create: SentRequest = {
  method: 'create',
  verb: 'POST',
  type: 'application/json',
  body: { apiVersion: 'apps/v1', kind: 'Thing' },
};

/**
 * Returns the findings. Exceptions that concern the rest of Kubernetes, which is not in the document, are
 * ignored.
 */
function found(calls: readonly SentRequest[]): Findings {
  return { ...compare(operationsOf([document]), calls.map(call)), stale: [] };
}

describe('the comparison of requests with documents', () => {
  test('accepts matching requests', () => {
    expect(found([list, create])).toEqual(nothing);
    expect(found([list, create, { ...list, method: 'iterate' }])).toEqual(nothing);
  });

  const at = 'apis/apps/v1/things';
  test.each<{ name: string; given: readonly SentRequest[]; want: Partial<Findings> }>([
    { name: 'a method too few', given: [list], want: { missed: [`POST /${at}`] } },
    {
      name: 'a method for an excluded operation',
      given: [list, create, { path: '/apis/apps/v1/watch/things', method: 'watch' }],
      want: { needless: ['GET /apis/apps/v1/watch/things'] },
    },
    {
      name: 'a path that does not exist',
      given: [list, create, { verb: 'DELETE', method: 'delete', path: `${path}/the-name` }],
      want: { outside: [`things().delete: DELETE /${at}/the-name`] },
    },
    {
      name: 'two methods for one operation',
      given: [list, create, { ...list, method: 'get' }],
      want: { shared: [`GET /${at}: things().list, things().get`] },
    },
    {
      name: 'two clients for one operation',
      given: [list, create, { ...list, of: 'items()' }],
      want: { shared: [`GET /${at}: things().list, items().list`] },
    },
    {
      name: 'another form of a method that the client does not have',
      given: [list, create, { ...list, of: 'items()', method: 'iterate' }],
      want: { shared: [`GET /${at}: things().list, items().iterate`] },
    },
    {
      name: 'a parameter that is not documented',
      given: [list, { ...create, query: [['color', 'red']] }],
      want: { undocumented: [`things().create: color of POST /${at}`] },
    },
    {
      name: 'a parameter that no option reaches',
      given: [{}, create],
      want: { unreachable: [`limit of GET /${at}`] },
    },
    {
      name: 'an option with another value',
      given: [{ ...list, query: [['limit', '8']] }, create],
      want: { lost: [`things().list: limit in GET /${at}`] },
    },
    {
      name: 'a body of another kind',
      given: [list, { ...create, body: { apiVersion: 'v1', kind: 'Thing' } }],
      want: { bodies: [`things().create: v1/Thing to POST /${at}`] },
    },
    {
      name: 'a body of another media type',
      given: [list, { ...create, type: 'text/plain' }],
      want: { bodies: [`things().create: text/plain to POST /${at}`] },
    },
  ])('reports $name', ({ given, want }) => {
    expect(found(given)).toEqual({ ...nothing, ...want });
  });

  test('reports a method without a request, and unused exceptions', () => {
    const idle: Call = { of: 'things()', method: 'apply', options: {}, requests: [] };
    const findings = compare(operationsOf([document]), [idle]);
    expect(findings.idle).toEqual(['things().apply']);
    expect(findings.stale).toContain('find beside get');
  });
});
