import { describe, expect, test } from 'vitest';
import { failureType, isPretty, mediaTypes, negotiate, negotiateWatch, objectOffer } from './accept.ts';

const table = 'as=Table;v=v1;g=meta.k8s.io';
const partial = 'as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const offered = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';

describe('negotiate', () => {
  test.each([
    ['', 'application/json', undefined],
    ['*/*', 'application/json', undefined],
    ['*', 'application/json', undefined],
    ['application/*', 'application/json', undefined],
    ['application/yaml', 'application/yaml', undefined],
    ['application/json;q=0.1,application/yaml', 'application/yaml', undefined],
    ['*/*,application/yaml', 'application/yaml', undefined],
    ['text/html, application/json', 'application/json', undefined],
    [
      'application/vnd.kubernetes.protobuf,application/json',
      'application/vnd.kubernetes.protobuf',
      undefined,
    ],
    ['application/json;stream=watch', 'application/json', undefined],
    ['application/json;unknown=1', 'application/json', undefined],
    [`application/json;${table}`, 'application/json', 'Table'],
    [`application/vnd.kubernetes.protobuf;${table},application/json`, 'application/json', undefined],
    [`application/vnd.kubernetes.protobuf;${partial}`, 'application/vnd.kubernetes.protobuf', partial],
    [`application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json`, 'application/json', 'Table'],
    [`application/json;as=Table;v=v2;g=meta.k8s.io,application/json`, 'application/json', undefined],
  ])('accepts %s', (accept, mediaType, kind) => {
    const found = negotiate(accept, objectOffer(mediaTypes));
    expect(found.mediaType).toBe(mediaType);
    expect(found.convert?.kind).toBe(kind === partial ? 'PartialObjectMetadata' : kind);
  });

  test.each([
    'text/html',
    'application/json;as=Table;v=v2;g=meta.k8s.io',
    'application/json;as=Other;v=v1;g=meta.k8s.io',
    'application/json;stream=other',
    'application/json/more',
  ])('rejects %s with 406', (accept) => {
    expect(() => negotiate(accept, objectOffer(mediaTypes))).toThrow(
      `only the following media types are accepted: ${offered}`,
    );
  });

  test('offers protobuf of custom resources only for their metadata', () => {
    const offer = objectOffer(['application/json', 'application/yaml']);
    expect(() => negotiate('application/vnd.kubernetes.protobuf', offer)).toThrow('accepted');
    expect(negotiate(`application/vnd.kubernetes.protobuf;${partial}`, offer).mediaType).toBe(mediaTypes[2]);
  });

  test('rejects watches in YAML', () => {
    expect(() => negotiateWatch('application/yaml', objectOffer(mediaTypes))).toThrow(
      'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
    );
  });
});

test.each([
  ['application/vnd.kubernetes.protobuf', 'application/vnd.kubernetes.protobuf'],
  [`application/json;${table}`, 'application/json'],
  ['text/html', 'application/json'],
  ['', 'application/json'],
])('failures for %s are sent as %s', (accept, mediaType) => {
  expect(failureType(accept)).toBe(mediaType);
});

describe('isPretty', () => {
  test.each([
    ['curl/8.5.0', '', '', true],
    ['Wget/1.21', '', '', true],
    ['Mozilla/5.0 (X11; Linux x86_64)', '', 'text/html, application/json', true],
    ['kubectl/v1.36.3', '', '', false],
    ['not curl', '', '', false],
    ['kubectl/v1.36.3', 'pretty=true', '', true],
    ['kubectl/v1.36.3', 'pretty=1', '', true],
    ['kubectl/v1.36.3', 'pretty=yes', '', false],
    ['curl/8.5.0', 'pretty=false', '', false],
    ['curl/8.5.0', 'pretty=', '', true],
    ['kubectl/v1.36.3', 'pretty=false', 'application/json;pretty=1', true],
  ])(
    'decides on the indentation for %s with the query %j and Accept %j',
    (userAgent, query, accept, expected) => {
      expect(isPretty({ accept, query: new URLSearchParams(query), userAgent })).toBe(expected);
    },
  );
});
