import { describe, expect, test } from 'vitest';
import { singular } from './singular.ts';

describe('the singular of a list', () => {
  test.each([
    ['conditions', 'condition'],
    ['nodes', 'node'],
    ['users', 'user'],
    ['replicas', 'replica'],
    ['databases', 'database'],
    ['windows', 'window'],
    ['policies', 'policy'],
    ['networkPolicies', 'networkPolicy'],
    ['addresses', 'address'],
    ['classes', 'class'],
    ['prefixes', 'prefix'],
    ['matches', 'match'],
    ['meshes', 'mesh'],
    ['hostAliases', 'hostAlias'],
    ['containerStatuses', 'containerStatus'],
    ['Statuses', 'Status'],
    ['podIPs', 'podIP'],
    ['URLs', 'URL'],
    ['ips', 'ip'],
    ['ties', 'tie'],
    ['topologySpreadConstraints', 'topologySpreadConstraint'],
    ['env-vars', 'env-var'],
  ])('%s -> %s', (plural, want) => {
    expect(singular(plural)).toBe(want);
  });

  test.each([
    'spec',
    'data',
    'egress',
    'ingress',
    'status',
    'analysis',
    'redis',
    'kubernetes',
    'series',
    'causes',
    'viruses',
    'dns',
    'tls',
    's',
    'os9',
    'DNS',
    '',
    '$ref',
    '名前',
  ])('leaves %j unchanged', (name) => {
    expect(singular(name)).toBe(name);
  });
});
