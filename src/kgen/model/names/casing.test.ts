import { describe, expect, test } from 'vitest';
import { lowerAcronym } from '../../common/words.ts';
import { propertySpot, rootSpot } from '../schema/schema-path.ts';
import { camel, kindTypeName, pascal } from './casing.ts';

describe('PascalCase of properties', () => {
  test.each([
    { given: 'replicas', want: 'Replicas' },
    { given: 'appName', want: 'AppName' },
    { given: 'batch-lines', want: 'BatchLines' },
    { given: 'pg_stat_monitor.pgsm_x', want: 'Pg_stat_monitorPgsm_x' },
    { given: 'a.b/c', want: 'ABC' },
    { given: '$ref', want: 'Ref' },
    { given: '-XX', want: 'XX' },
    { given: '_private', want: '_private' },
    { given: '9lives', want: '9lives' },
    { given: '__proto__', want: '__proto__' },
    { given: 'größe', want: 'Größe' },
    { given: 'élan vital', want: 'ÉlanVital' },
    { given: '名前', want: '名前' },
    { given: 'a\n*/"b', want: 'AB' },
    { given: '--', want: '' },
    { given: '😀', want: '' },
    { given: '', want: '' },
  ])('$given -> $want', ({ given, want }) => {
    expect(pascal(given)).toBe(want);
  });

  test('names a property without letters by its path', () => {
    const spot = propertySpot(rootSpot('Foo', 'Foo'), '--');
    expect(spot.name).toMatch(/^Foo_[0-9a-f]{6}$/);
    expect(propertySpot(spot, 'bar').name).toBe(`${spot.name}Bar`);
    expect(propertySpot(rootSpot('Foo', 'Foo'), '😀').name).not.toBe(spot.name);
  });
});

describe('type names of kinds', () => {
  test.each([
    { given: 'MyApp', want: 'MyApp' },
    { given: 'myApp', want: 'MyApp' },
    { given: 'my-app', want: 'MyApp' },
    { given: 'Array', want: 'Array' },
    { given: '9lives', want: 'Kind9lives' },
    { given: '--', want: 'Kind' },
  ])('$given -> $want', ({ given, want }) => {
    expect(kindTypeName(given)).toBe(want);
  });
});

describe('lower camel case', () => {
  test.each([
    { given: 'my-team', want: 'myTeam' },
    { given: 'networking.istio.io', want: 'networkingIstioIo' },
    { given: 'Foo Bar', want: 'fooBar' },
  ])('$given -> $want', ({ given, want }) => {
    expect(camel(given)).toBe(want);
  });

  test.each([
    { given: 'HTTPRoute', want: 'httpRoute' },
    { given: 'IP', want: 'ip' },
    { given: 'Foo', want: 'foo' },
    { given: 'X509Cert', want: 'x509Cert' },
    { given: 'EC2Instance', want: 'ec2Instance' },
  ])('$given -> $want', ({ given, want }) => {
    expect(lowerAcronym(given)).toBe(want);
  });
});
