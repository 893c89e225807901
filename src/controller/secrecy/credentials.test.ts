import { describe, expect, it } from 'vitest';
import { credentialsOf, publicBody, publicHeaders, publicUrl } from './credentials.ts';

const token = 'aB3dE6gH9jK2mN5pQ8sT1';
const digest = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const uid = '0b8f5a3e-0d52-4b5e-9f6a-0f4b0a1c2d3e';

describe('an address', () => {
  it.each<readonly [string, string, readonly string[]]>([
    ['https://a/b/c?page=2&of=web', 'https://a/b/c?page=2&of=web', []],
    ['https://a:8443/b?', 'https://a:8443/b', []],
    ['https://me:pass%2Fword@a/b#part', 'https://a/b', ['me', 'pass/word']],
    ['https://a/b?token=x&page=2', 'https://a/b?token=(redacted)&page=2', ['x', 'x']],
    ['https://a/?X-Amz-Signature=s1', 'https://a/?X-Amz-Signature=(redacted)', ['s1', 's1']],
    ['https://a/?access_token=a%20b', 'https://a/?access_token=(redacted)', ['a%20b', 'a b']],
    ['https://a/?acc%65ss_token=ab', 'https://a/?acc%65ss_token=(redacted)', ['ab', 'ab']],
    ['https://a/?key=web&code=1', 'https://a/?key=(redacted)&code=(redacted)', []],
    ['https://a/?token=&tokens=many', 'https://a/?token=&tokens=many', []],
    [`https://a/?of=${token}`, 'https://a/?of=(redacted)', [token, token]],
    [`https://a/?${token}`, 'https://a/?(redacted)', [token, token]],
    [`https://a/services/T01/${token}`, 'https://a/services/T01/(redacted)', [token, token]],
    [`https://a/bot12:${token}/send`, 'https://a/(redacted)/send', [`bot12:${token}`, `bot12:${token}`]],
    [`https://a/v2/blobs/sha256:${digest}`, 'https://a/v2/blobs/(redacted)', []],
    [`https://a/records/${uid}`, `https://a/records/${uid}`, []],
    ['https://a/web-7d4b9c6f5d-abcde-of-a-pod', 'https://a/web-7d4b9c6f5d-abcde-of-a-pod', []],
    [`https://a//${token}`, 'https://a//(redacted)', [token, token]],
    ['https://a/?token=%ff', 'https://a/?token=(redacted)', ['%ff', '%ff']],
  ])('%s', (url, text, credentials) => {
    expect(publicUrl(new URL(url))).toEqual({ text, credentials });
  });
});

describe('headers of a request contain credentials', () => {
  it.each<readonly [Record<string, string>, readonly string[]]>([
    [{ authorization: 'Bearer abc' }, ['abc']],
    [{ authorization: `Basic ${Buffer.from('me:pass').toString('base64')}` }, ['bWU6cGFzcw==', 'pass']],
    [{ authorization: 'abc' }, ['abc']],
    [{ cookie: 'a=b; c=d' }, ['b', 'd']],
    [{ 'x-api-key': 'abc' }, ['abc']],
    [{ accept: 'text/plain', 'user-agent': 'me' }, []],
  ])('%j', (headers, credentials) => {
    expect(credentialsOf(new Headers(headers))).toEqual(credentials);
  });
});

describe('headers of a response', () => {
  it.each<readonly [string, string, string | undefined]>([
    ['content-type', 'text/plain', 'text/plain'],
    ['retry-after', '3', '3'],
    ['x-total-count', '7', '7'],
    ['x-subject-token', 'abc', '(redacted)'],
    ['x-request', token, '(redacted)'],
    ['set-cookie', 'a=b', undefined],
    ['authorization', 'a', undefined],
    ['server', 'a', undefined],
    ['location', `https://me:pw@a/${token}?code=1&page=2`, 'https://a/(redacted)?code=(redacted)&page=2'],
    ['location', '/b?token=a', '/b?token=(redacted)'],
    ['link', '<https://a/?token=b&page=2>; rel="next"', '<https://a/?token=(redacted)&page=2>; rel="next"'],
  ])('%s: %s', (name, value, expected) => {
    expect(publicHeaders(new Headers({ [name]: value }))).toEqual(
      expected === undefined ? {} : { [name]: expected },
    );
  });
});

describe('a body', () => {
  const webToken = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln-_';

  it.each<readonly [string, string, readonly string[]]>([
    ['text', 'text', []],
    ['{"id": 12345678901234567890, "name":"a"}', '{"id": 12345678901234567890, "name":"a"}', []],
    [`{"access_token" : "${token}","a":1}`, '{"access_token" : "(redacted)","a":1}', [token]],
    ['{"secret":"short"}', '{"secret":"(redacted)"}', []],
    ['{"secretName":"web","token_type":"Bearer"}', '{"secretName":"web","token_type":"Bearer"}', []],
    ['{"clientSecret":"a\\"b","c":"d"}', '{"clientSecret":"(redacted)","c":"d"}', []],
    ['{"password":"unterminated', '{"password":"(redacted)', []],
    ['{"password":""}', '{"password":""}', []],
    [
      '<a><SecretAccessKey>x/y</SecretAccessKey></a>',
      '<a><SecretAccessKey>(redacted)</SecretAccessKey></a>',
      [],
    ],
    ['access_token=abc&scope=all', 'access_token=(redacted)&scope=all', []],
    [webToken, '(redacted)', [webToken]],
    [`is ${webToken}, and more`, 'is (redacted), and more', [webToken]],
  ])('%s', (body, text, credentials) => {
    expect(publicBody(body)).toEqual({ text, credentials });
  });

  it.each(['"a":"\\', '"'.repeat(5), `"a"${' '.repeat(30)}`, '<a>', '&a', 'eyJ-', ' eyJaaaaaaaaaaa'])(
    'of a hostile service is read without a repeated search: %s',
    (part) => {
      const body = part.repeat(1_000_000 / part.length);
      expect(publicBody(body).text).toBe(body);
    },
  );
});
