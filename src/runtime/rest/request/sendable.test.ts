import { describe, expect, it } from 'vitest';
import { checkSendable, type WireRequest } from './sendable.ts';

const operation = { verb: 'create', resource: 'pods' };

function problem(request: Partial<WireRequest>): string | undefined {
  try {
    checkSendable({ method: 'POST', target: '/api', headers: [], ...request }, operation);
    return undefined;
  } catch (error) {
    return error instanceof TypeError ? error.message : `unexpected: ${error}`;
  }
}

describe('a request that can be sent', () => {
  it.each<Partial<WireRequest>>([
    { target: '/api/v1/pods?labelSelector=a%3Db&x=[1]~!$' },
    { method: 'M-SEARCH' },
    { headers: ['x-mine', 'a\tb \u00e9'] },
    { headers: ['te', 'trailers'] },
    { headers: ['content-length', '3'], body: 'abc' },
    { headers: ['content-length', '2'], body: 'ä' },
    { headers: ['content-length', '3'], body: Buffer.from('abc') },
    { headers: ['content-length', '0'] },
  ])('%j', (request) => {
    expect(problem(request)).toBe(undefined);
  });
});

describe('a request that cannot be sent', () => {
  it.each<[request: Partial<WireRequest>, want: RegExp]>([
    [{ method: 'A B' }, /^create pods: "A B" is not a method$/],
    [{ method: '' }, /"" is not a method$/],
    [{ target: '/a b' }, /the path has the character U\+0020, which/],
    [{ target: '/\u{1f600}' }, /the character U\+1F600, which/],
    [{ headers: ['a b', 'x'] }, /"a b" is not a valid header name/],
    [{ headers: ['ok', 'x', 'a:', 'x'] }, /"a:" is not a valid header name/],
    [{ headers: ['te', 'gzip'] }, /the header te is set by the connection/],
    [{ headers: ['x', 'a\nb'] }, /the header x has the character U\+000A, which/],
    [{ headers: ['x', '\u0100'] }, /the header x has the character U\+0100, which/],
    [{ headers: ['content-length', '2'], body: 'abc' }, /content-length differs from the length of the body/],
    [
      { headers: ['content-length', '03'], body: 'abc' },
      /content-length differs from the length of the body/,
    ],
    [{ headers: ['content-length', '1'] }, /content-length differs from the length of the body/],
  ])('%j', (request, want) => {
    expect(problem(request)).toMatch(want);
  });

  it.each([
    'Connection',
    'expect',
    'http2-settings',
    'keep-alive',
    'proxy-connection',
    'transfer-encoding',
    'upgrade',
  ])('has the header %s', (name) => {
    expect(problem({ headers: [name, 'x'] })).toMatch(/is set by the connection/);
  });

  it('is shown without control characters, and up to 200 characters', () => {
    expect(problem({ method: '\u001b[2J' })).toContain('"?[2J" is not a method');
    const spaces = (count: number): string => ' '.repeat(count);
    expect(problem({ method: spaces(200) })).toContain(`"${spaces(200)}" is`);
    expect(problem({ method: spaces(201) })).toContain(`"${spaces(200)}…" is`);
  });
});
