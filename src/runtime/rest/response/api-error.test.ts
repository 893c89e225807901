import { describe, expect, it } from 'vitest';
import type { Status } from '../../api/meta.ts';
import type { APIRequest, HTTPMethod } from '../../api/transport.ts';
import { failureOf, readFailure, readStatus, throwFailure } from './api-error.ts';
import { noteHint } from './hints.ts';
import { retryAfterSeconds } from './retry-after.ts';

const operation = { verb: 'get', resource: 'pods', namespace: 'shop', name: 'web' };

function request(method: HTTPMethod = 'GET'): APIRequest {
  return { method, path: '/', query: [], headers: {}, operation };
}

function fail(status: number, body: string, headers: Record<string, string> = {}, method?: HTTPMethod) {
  return failureOf({ status, headers, body: Buffer.from(body) }, request(method));
}

const json = { 'content-type': 'application/json' };

describe('an error response of the API server', () => {
  it('keeps the message of the server', () => {
    const status = {
      kind: 'Status',
      status: 'Failure',
      code: 422,
      reason: 'Invalid',
      message: 'MyApp.my.domain "web" is invalid',
      details: {
        name: 'web',
        causes: [{ reason: 'FieldValueInvalid', field: 'spec.version', message: 'no' }],
      },
    };
    const error = fail(422, JSON.stringify(status), json);
    expect(error.message).toBe('get pods shop/web: 422 Invalid: MyApp.my.domain "web" is invalid');
    expect(error.details).toEqual(status.details);
  });

  it('names a path that does not exist', () => {
    const lost = (details: object) =>
      fail(
        404,
        JSON.stringify({ kind: 'Status', status: 'Failure', code: 404, message: 'lost', details }),
        json,
      );
    expect(lost({}).message).toBe(
      'get pods shop/web: 404: lost; path / not found: is that the plural, is its API served, does it need a namespace?',
    );
    expect(lost({ name: 'web' }).message).toBe('get pods shop/web: 404: lost');
  });

  it.each([
    ['/api/v1/namespaces/shop/pod', 'the core group, version "v1"'],
    ['/apis/apps/v1/namespaces/shop/pod', 'group "apps", version "v1"'],
  ])('names the resource and the group if the server has no such resource: %s', (path, where) => {
    const of = { ...request(), path, operation: { verb: 'list', resource: 'pod', namespace: 'shop' } };
    const hint = `; looked for resource "pod" in ${where} at ${path}: is that the plural, is its API served, does it need a namespace?`;
    const status = JSON.stringify({
      kind: 'Status',
      status: 'Failure',
      code: 404,
      message: 'lost',
      details: {},
    });
    const given = (headers: Record<string, string>, body: string) =>
      failureOf({ status: 404, headers, body: Buffer.from(body) }, of).message;
    expect(given(json, status)).toBe(`list pod in namespace shop: 404: lost${hint}`);
    const page = 'the server does not have this resource';
    expect(given({ 'content-type': 'text/plain' }, '404 page not found\n')).toBe(
      `list pod in namespace shop: 404 NotFound: ${page}${hint}`,
    );
  });

  it('names the scheme if the server expects TLS', () => {
    expect(fail(400, 'Client sent an HTTP request to an HTTPS server.\n').message).toMatch(
      /Client sent an HTTP request to an HTTPS server; write the server of the configuration with https:\/\/$/,
    );
  });

  it('names the disruption budgets that prevent an eviction', () => {
    const refused = (...causes: object[]) => {
      const details = { causes, retryAfterSeconds: 10 };
      const message = "Cannot evict pod as it would violate the pod's disruption budget.";
      const status = {
        kind: 'Status',
        status: 'Failure',
        code: 429,
        reason: 'TooManyRequests',
        message,
        details,
      };
      return fail(429, JSON.stringify(status), json).message;
    };
    const text =
      "get pods shop/web: 429 TooManyRequests: Cannot evict pod as it would violate the pod's disruption budget";
    const message = 'The disruption budget one needs 1 healthy pods\u001b\nand has 1 currently';
    const words = 'The disruption budget one needs 1 healthy pods and has 1 currently';
    expect(refused({ reason: 'DisruptionBudget', message })).toBe(`${text}; ${words}`);
    expect(refused({ reason: 'DisruptionBudget', message }, { reason: 'Other', message: 'other' })).toBe(
      `${text}; ${words}`,
    );
    expect(refused({ reason: 'DisruptionBudget' })).toBe(`${text}.`);
  });

  it('gets the reason of its status code if it has none', () => {
    const error = fail(403, '{"kind":"Status","status":"Failure","message":{"a":1}}', json);
    expect(error.message).toBe('get pods shop/web: 403 Forbidden: the server does not allow this');
    expect(error.reason).toBe('Forbidden');
  });

  it('contains no control characters', () => {
    const status = {
      kind: 'Status',
      status: 'Failure',
      code: 500,
      reason: 'a\u001b[2J',
      message: '\u001b[31mb\n\tc',
    };
    const error = fail(500, JSON.stringify(status), json);
    expect(error.message).toBe('get pods shop/web: 500 a?[2J: ?[31mb\n\tc');
    expect(error.status.message).toBe(status.message);
  });

  it('returns Retry-After from the body or the header', () => {
    const status = { kind: 'Status', status: 'Failure', reason: 'TooManyRequests' };
    const error = fail(429, JSON.stringify(status), { ...json, 'retry-after': '7' });
    expect(error).toMatchObject({ code: 429, retryAfterSeconds: 7 });
    const own = { ...status, details: { retryAfterSeconds: 3 } };
    expect(fail(429, JSON.stringify(own), { 'retry-after': '7' }).retryAfterSeconds).toBe(3);
  });
});

describe('an error response of an intermediary', () => {
  interface Case {
    readonly given: Parameters<typeof fail>;
    readonly want: { readonly reason: string; readonly message: string | RegExp };
  }
  const html = { 'content-type': 'text/html; charset=utf-8' };
  const cases: Readonly<Record<string, Case>> = {
    'an empty body': {
      given: [404, ''],
      want: {
        reason: 'NotFound',
        message: 'get pods shop/web: 404 NotFound: the server does not have this resource',
      },
    },
    "the page of Go's servers, which repeats the status": {
      given: [404, '404 page not found\n', { 'content-type': 'text/plain' }],
      want: { reason: 'NotFound', message: /: the server does not have this resource$/ },
    },
    text: {
      given: [404, 'no such route\n', { 'content-type': 'text/plain' }],
      want: { reason: 'NotFound', message: /: the server does not have this resource: no such route$/ },
    },
    'an HTML page': {
      given: [503, '<!DOCTYPE html><title>Down</title><script>var a = "<b>";</script><p>Try\n later', html],
      want: { reason: 'ServiceUnavailable', message: /not available at the moment: Down Try later$/ },
    },
    'a long page, cut within a character': {
      given: [502, `<p>${'x'.repeat(199)}${'é'.repeat(500)}`, html],
      want: { reason: 'InternalError', message: /internal server error: x{199}…$/ },
    },
    'an HTML page without end': {
      given: [502, `<script>${'x'.repeat(500)}`, html],
      want: { reason: 'InternalError', message: /internal server error: x{200}…$/ },
    },
    'control characters': {
      given: [400, 'a\u001b[31mb\u0000c'],
      want: { reason: 'BadRequest', message: /: a \[31mb c$/ },
    },
    'a binary body': {
      given: [500, 'secret', { 'content-type': 'application/octet-stream' }],
      want: { reason: 'InternalError', message: /: internal server error$/ },
    },
    'a 409 for a create': {
      given: [409, '', {}, 'POST'],
      want: { reason: 'AlreadyExists', message: /exists already/ },
    },
    'a 409 for a change': { given: [409, '', {}, 'PUT'], want: { reason: 'Conflict', message: /conflicts/ } },
    'a redirect to another host': {
      given: [
        301,
        '<a href="https://login.test/?token=sesame">',
        { ...html, location: 'https://u:p@login.test/?token=s' },
      ],
      want: {
        reason: 'Unknown',
        message:
          /: 301 Unknown: the server redirects to https:\/\/login\.test, which is not followed; is that, or a login page, in between\?$/,
      },
    },
    'a redirect to another path': {
      given: [308, '', { location: '/else?token=sesame' }],
      want: { reason: 'Unknown', message: /: the server redirects to another path, which is not followed$/ },
    },
    'a redirect to a javascript: URL': {
      given: [302, '', { location: 'javascript:alert(1)' }],
      want: {
        reason: 'Unknown',
        message: /: the server redirects to another address, which is not followed$/,
      },
    },
    'a redirect to an invalid URL': {
      given: [302, '', { location: 'http://[' }],
      want: {
        reason: 'Unknown',
        message: /: the server redirects to another address, which is not followed$/,
      },
    },
    'a 410': { given: [410, ''], want: { reason: 'Unknown', message: /410 Unknown/ } },
    'JSON without a message': {
      given: [500, '{"access_token":"sesame","code":7,"error":{},"errors":[1],"message":""}', json],
      want: { reason: 'InternalError', message: /: internal server error$/ },
    },
    'deeply nested JSON': {
      given: [500, `${'{"error":'.repeat(2000)}"x"${'}'.repeat(2000)}`, json],
      want: { reason: 'InternalError', message: /: internal server error$/ },
    },
    ...Object.fromEntries(
      [
        '{"message":"over quota"}',
        '{"error":"over quota"}',
        '{"error":"quota","error_description":"over quota"}',
        '{"error":{"code":1,"message":"over quota"}}',
        '{"errors":[{"detail":"over quota"}]}',
        '{"type":"about:blank","title":"Quota","detail":"over quota"}',
        '{"message":"over\\u001b[2J\\nquota"}'.replace('[2J', ''),
      ].map((body) => [
        `the message of ${body}`,
        {
          given: [429, body, json] as const,
          want: { reason: 'TooManyRequests', message: /too many requests; try again later: over quota$/ },
        },
      ]),
    ),
    'credentials in the message of a gateway': {
      given: [400, '{"message":"rejected Bearer sesame"}', json],
      want: { reason: 'BadRequest', message: /: rejected Bearer \[hidden\]$/ },
    },
    'a truncated Status': {
      given: [500, '{"kind":"Status","status":"Fail', json],
      want: { reason: 'InternalError', message: /: internal server error$/ },
    },
  };
  it.each(Object.entries(cases))('%s', (_, { given, want }) => {
    const error = fail(...given);
    expect(error.reason).toBe(want.reason);
    expect(error.message).toMatch(want.message);
    expect(error.details?.causes).toMatchObject([{ reason: 'UnexpectedServerResponse' }]);
  });

  it('contains the hints of the client', () => {
    const response = {};
    noteHint(response, 'tried 3 times');
    noteHint(response, 'the client certificate expired');
    const reply = { status: 503, headers: {}, body: Buffer.from('') };
    expect(failureOf(reply, request(), response).message).toMatch(
      /not available at the moment; tried 3 times; the client certificate expired$/,
    );
    expect(failureOf(reply, request(), {}).message).toMatch(/not available at the moment$/);
  });

  it('is truncated to 2048 bytes', () => {
    expect(fail(500, 'x'.repeat(10_000)).message.length).toBeLessThan(2200);
    const message = 'x'.repeat(10_000);
    expect(fail(500, JSON.stringify({ message }), json).message.length).toBeLessThan(2200);
  });
});

describe('readStatus', () => {
  const cases: readonly [given: unknown, want: Status | undefined][] = [
    [undefined, undefined],
    [null, undefined],
    [[], undefined],
    [{ kind: 'Pod' }, undefined],
    [{ kind: 'Status' }, { apiVersion: 'v1', kind: 'Status', metadata: {} }],
    [
      { kind: 'Status', code: '404', reason: 7, message: {}, details: [], metadata: { continue: 'c' } },
      { apiVersion: 'v1', kind: 'Status', metadata: { continue: 'c' } },
    ],
    [
      { kind: 'Status', details: { causes: [null, 1, { reason: 'R', field: 1 }], retryAfterSeconds: '1' } },
      { apiVersion: 'v1', kind: 'Status', metadata: {}, details: { causes: [{ reason: 'R' }] } },
    ],
  ];
  it.each(cases)('%j', (given, want) => {
    expect(readStatus(given)).toEqual(want);
  });

  it('distinguishes failures from successes', () => {
    expect(readFailure({ kind: 'Status', status: 'Success' })).toBe(undefined);
    expect(() => throwFailure({ kind: 'Status', status: 'Failure', code: 500 }, operation)).toThrow(
      'get pods shop/web: 500',
    );
    expect(() => throwFailure({ kind: 'Pod', status: 'Failure' }, operation)).not.toThrow();
  });
});

it.each([
  ['5', 5],
  [' 5 ', 5],
  ['-1', undefined],
  ['1.5', undefined],
  ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  ['99999999999999999999', undefined],
])('Retry-After: %s', (header, want) => {
  expect(retryAfterSeconds({ 'retry-after': header })).toBe(want);
});

describe('credentials that a server repeats', () => {
  const token = 'Bearer eyJh.bGci-_Oi';
  const status = {
    kind: 'Status',
    status: 'Failure',
    code: 403,
    reason: `Forbidden ${token}`,
    message: `the proxy rejects {"authorization":["${token}"]}`,
    metadata: { continue: token, resourceVersion: token },
    details: {
      name: token,
      group: token,
      kind: token,
      uid: token,
      causes: [{ field: token, message: `basic dXNlcjpwYXNz and ${token}`, reason: token }],
    },
  };

  it.each([
    ['a response', () => fail(403, JSON.stringify(status), json)],
    ['a response with the status 200', () => thrown(() => throwFailure(status, operation))],
    ['plain text', () => fail(403, `you sent Authorization: ${token}`, { 'content-type': 'text/plain' })],
  ])('are hidden in the message and in every part of the status of %s', (_, make) => {
    const error = make();
    for (const text of [String(error), JSON.stringify(error)]) {
      expect(text).toContain('[hidden]');
      expect(text).not.toMatch(/eyJh|dXNl/);
    }
  });

  function thrown(call: () => void): unknown {
    try {
      call();
    } catch (error) {
      return error;
    }
    return undefined;
  }
});

describe('the reason of a status code', () => {
  it.each<[code: number, method: HTTPMethod, reason: string]>([
    [400, 'GET', 'BadRequest'],
    [401, 'GET', 'Unauthorized'],
    [403, 'GET', 'Forbidden'],
    [404, 'GET', 'NotFound'],
    [405, 'GET', 'MethodNotAllowed'],
    [406, 'GET', 'NotAcceptable'],
    [409, 'PUT', 'Conflict'],
    [409, 'POST', 'AlreadyExists'],
    [415, 'POST', 'UnsupportedMediaType'],
    [422, 'POST', 'Invalid'],
    [429, 'GET', 'TooManyRequests'],
    [500, 'GET', 'InternalError'],
    [503, 'GET', 'ServiceUnavailable'],
    [504, 'GET', 'Timeout'],
    [599, 'GET', 'InternalError'],
    [418, 'POST', 'Unknown'],
  ])('%d after %s is %s', (code, method, reason) => {
    expect(fail(code, '', {}, method)).toMatchObject({ code, reason });
  });
});

it('reads every member of the details of a status', () => {
  const details = {
    name: 'web',
    group: 'apps',
    kind: 'deployments',
    uid: 'u1',
    retryAfterSeconds: 7,
    causes: [{ field: 'spec', message: 'm', reason: 'r' }],
  };
  const status = {
    kind: 'Status',
    metadata: { continue: 'c', resourceVersion: '5' },
    status: 'Success',
    code: 200,
    details,
  };
  expect(readStatus(status)).toEqual({ apiVersion: 'v1', ...status });
  expect(
    readStatus({ ...status, metadata: 1, details: { causes: 1, uid: '', retryAfterSeconds: '7' } }),
  ).toEqual({
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Success',
    code: 200,
    details: {},
  });
  for (const other of [undefined, null, 'Status', [], { ...status, kind: 'Pod' }]) {
    expect(readStatus(other)).toBe(undefined);
  }
});
