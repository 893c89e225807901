import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../input/crd/crd-input.ts';
import { readIndexEntries } from './index-paths.ts';

const index = (paths: Readonly<Record<string, string>>): JsonValue => ({
  paths: Object.fromEntries(
    Object.entries(paths).map(([key, serverRelativeURL]) => [key, { serverRelativeURL }]),
  ),
});

describe('the index of OpenAPI documents', () => {
  test('is read in the order of keys', () => {
    const given = index({
      'apis/apps/v1': '/openapi/v3/apis/apps/v1?hash=AB12',
      'apis/apps': '/openapi/v3/apis/apps?hash=CD',
      'api/v1': '/openapi/v3/api/v1',
      api: '/openapi/v3/api?hash=EF',
      version: '/openapi/v3/version?hash=01',
      '.well-known/openid-configuration': '/openapi/v3/.well-known/openid-configuration?hash=02',
    });
    expect(readIndexEntries(given)).toEqual({
      value: [
        {
          key: '.well-known/openid-configuration',
          path: '/openapi/v3/.well-known/openid-configuration',
          hash: '02',
        },
        { key: 'api', path: '/openapi/v3/api', hash: 'EF' },
        { key: 'api/v1', path: '/openapi/v3/api/v1', groupVersion: { group: '', version: 'v1' } },
        { key: 'apis/apps', path: '/openapi/v3/apis/apps', hash: 'CD' },
        {
          key: 'apis/apps/v1',
          path: '/openapi/v3/apis/apps/v1',
          hash: 'AB12',
          groupVersion: { group: 'apps', version: 'v1' },
        },
        { key: 'version', path: '/openapi/v3/version', hash: '01' },
      ],
      problems: [],
    });
  });

  test.each([
    'https://elsewhere.example.com/openapi/v3/api/v1',
    '//elsewhere.example.com/openapi/v3/api/v1',
    '/openapi/v3',
    '/openapi/v3/',
    '/openapi/v3/../../api/v1/secrets',
    '/openapi/v3/..',
    '/openapi/v3/a/./b',
    '/openapi/v3/a//b',
    '/openapi/v3/a/',
    '/openapi/v3/%2e%2e/%2e%2e/api/v1/secrets',
    '/openapi/v3/..%2f..%2fapi',
    '/openapi/v3\\..\\api',
    '/openapi/v3/api/v1?watch=true',
    '/openapi/v3/api/v1?hash=a&watch=true',
    '/openapi/v3/api/v1#x',
    '/api/v1/secrets',
    'openapi/v3/api/v1',
    '/openapi/v3/api/v1\n',
    '',
  ])('ignores the document of %j', (address) => {
    const given = index({ 'api/v1': address, 'apis/a.io/v1': '/openapi/v3/apis/a.io/v1', other: address });
    const { value, problems } = readIndexEntries(given);
    expect(value.map(({ key, path }) => [key, path])).toEqual([
      ['api/v1', undefined],
      ['apis/a.io/v1', '/openapi/v3/apis/a.io/v1'],
    ]);
    expect(problems).toMatchObject([{ severity: 'warning', what: expect.stringMatching(/: "other"$/) }]);
  });

  test.each<{ given: JsonValue }>([
    { given: null },
    { given: [] },
    { given: {} },
    { given: { paths: [] } },
    { given: JSON.parse('{"__proto__":{"paths":{}}}') },
  ])('throws for $given', ({ given }) => {
    expect(readIndexEntries(given)).toMatchObject({ value: [], problems: [{ severity: 'error' }] });
  });

  test('has a group version only if its key is one', () => {
    const keys = ['apis/../v1', 'api/apps/v1', 'apis/v1', 'apis/a/v1/b', 'apis/A/v1', '__proto__'];
    const given = index(Object.fromEntries(keys.map((key) => [key, '/openapi/v3/x'])));
    expect(readIndexEntries(given).value.map(({ groupVersion }) => groupVersion)).not.toContainEqual(
      expect.anything(),
    );
  });
});
