import { expect, test } from 'vitest';
import { formatProblem } from '../../common/problems.ts';
import { type FetchFunction, isUrl, readUrl } from './url.ts';

/** Returns a `fetch` that responds from a table. */
function server(responses: Readonly<Record<string, () => Response>>): FetchFunction {
  return async (url) => {
    const response = responses[url.href];
    if (response === undefined)
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });
    return response();
  };
}

const to = (location: string) => (): Response => new Response(null, { status: 302, headers: { location } });
const fetch = server({
  'https://h/ok?token=s3cret': () => new Response('a: 1'),
  'https://h/moved': to('/ok?token=s3cret'),
  'https://h/loop': to('/loop'),
  'https://h/plain': to('http://h/ok'),
  'https://h/file': to('file:///etc/passwd'),
  'https://h/user': to('https://u:p@h/ok'),
  'https://h/404': () => new Response('no', { status: 404 }),
  'https://h/page': () => new Response('\n<!DOCTYPE html>\n<html></html>'),
  'https://h/big': () => new Response('x'.repeat(101)),
});

test.each(['https://h/ok?token=s3cret', 'https://h/moved'])('reads %s', async (address) => {
  const { value, problems } = await readUrl(address, fetch);
  expect(problems).toEqual([]);
  expect(Buffer.from(value?.bytes ?? []).toString()).toBe('a: 1');
  expect(value?.file).toBe(address.replace(/\?.*/, ''));
});

test.each([
  {
    given: 'http://h/ok',
    want: 'http://h/ok: error: only https addresses are read: use https, or download the file',
  },
  {
    given: 'file:///etc/passwd',
    want: 'file:///etc/passwd: error: give a file by its path, without file://',
  },
  {
    given: 'ftp://h/x',
    want: 'ftp://h/x: error: only https addresses are read: use https, or download the file',
  },
  {
    given: 'https://u:s3cret@h/x',
    want: 'https://h/x: error: addresses with user or password are not read: download the file and give its path',
  },
  { given: 'https://u:s3cret@', want: 'https://: error: this is not a valid address: correct it' },
  { given: 'https://h/loop', want: 'https://h/loop: error: more than 5 redirects: give the final address' },
  {
    given: 'https://h/plain',
    want: 'https://h/plain: error: the server redirects to http://, and only https is read: give another address',
  },
  {
    given: 'https://h/file',
    want: 'https://h/file: error: the server redirects to file://, and only https is read: give another address',
  },
  {
    given: 'https://h/user',
    want: 'https://h/user: error: addresses with user or password are not read: download the file and give its path',
  },
  {
    given: 'https://h/404',
    want: 'https://h/404: error: the server responds with status 404: check the address',
  },
  {
    given: 'https://h/page',
    want: 'https://h/page: error: the address has a page (HTML) that shows a file: give the address of the file, such as that of its raw text',
  },
  {
    given: 'https://h/big',
    want: 'https://h/big: error: the response has more than 100 bytes: download and split it',
  },
  {
    given: 'https://nobody/?token=s3cret',
    want: 'https://nobody/: error: the server cannot be reached (ECONNREFUSED): check the address and the network',
  },
])('rejects $given', async ({ given, want }) => {
  const { value, problems } = await readUrl(given, fetch, { maxBytes: 100 });
  expect(value).toBeUndefined();
  expect(problems.map(formatProblem)).toEqual([want]);
});

test('times out if a server does not respond', async () => {
  const silent: FetchFunction = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const { problems } = await readUrl('https://h/', silent, { timeoutMs: 1 });
  expect(problems.map(formatProblem)).toEqual([
    'https://h/: error: the server takes too long: try again later',
  ]);
});

test.each([
  ['https://h/x', true],
  ['http://h', true],
  ['crds/x.yaml', false],
  ['C:\\x.yaml', false],
  ['-', false],
])('returns for %s whether it is an address: %s', (given, want) => {
  expect(isUrl(given)).toBe(want);
});
