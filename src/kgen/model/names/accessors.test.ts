import { describe, expect, test } from 'vitest';
import {
  groupStems,
  groupVersionAccessors,
  resourceAccessor,
  resourceAccessors,
  resourceConstants,
} from './accessors.ts';

describe('resource accessors', () => {
  test.each([
    { kind: 'NetworkPolicy', plural: 'networkpolicies', want: 'networkPolicies' },
    { kind: 'MyApp', plural: 'myapps', want: 'myApps' },
    { kind: 'HTTPRoute', plural: 'httproutes', want: 'httpRoutes' },
    { kind: 'CSIStorageCapacity', plural: 'csistoragecapacities', want: 'csiStorageCapacities' },
    { kind: 'NetworkChaos', plural: 'networkchaos', want: 'networkChaos' },
    { kind: 'Endpoints', plural: 'endpoints', want: 'endpoints' },
    { kind: 'ConfigMap', plural: 'configmaps', want: 'configMaps' },
    { kind: 'IPAddress', plural: 'ipaddresses', want: 'ipAddresses' },
    { kind: 'IP', plural: 'ips', want: 'ips' },
    { kind: 'MCPServer', plural: 'mcpservers', want: 'mcpServers' },
    { kind: 'K8sThing', plural: 'k8sthings', want: 'k8sThings' },
    { kind: 'XBackendTrafficPolicy', plural: 'xbackendtrafficpolicies', want: 'xBackendTrafficPolicies' },
    { kind: 'MyApp', plural: 'my-apps', want: 'myApps' },
    { kind: 'Thing', plural: 'other-words', want: 'otherWords' },
    { kind: 'Constructor', plural: 'constructor', want: 'constructorResource' },
    { kind: 'ToString', plural: 'tostring', want: 'toStringResource' },
    { kind: 'Then', plural: 'then', want: 'thenResource' },
    { kind: 'Rest', plural: 'rest', want: 'restResource' },
    { kind: 'X', plural: '9lives', want: 'resource9lives' },
    { kind: 'X', plural: '--', want: 'resource' },
    { kind: 'İstanbul', plural: 'i̇stanbuls', want: 'iStanbuls' },
  ])('$kind $plural -> $want', ({ kind, plural, want }) => {
    expect(resourceAccessor({ kind, plural })).toBe(want);
  });

  test('keep a name that two want for the alphabetically first plural', () => {
    const given = [
      { kind: 'MyApp', plural: 'myapps' },
      { kind: 'MyApp', plural: 'my-apps' },
    ];
    const [second, first] = resourceAccessors(given);
    expect(first).toBe('myApps');
    expect(second).toMatch(/^myApps_[0-9a-f]{6}$/);
    expect(resourceAccessors([...given].reverse())).toEqual([first, second]);
  });
});

describe('constants of resources', () => {
  test.each([
    { given: ['pods', 'myApps'], want: ['pods', 'myApps'] },
    {
      given: ['class', 'default', 'new', 'await', 'let', 'arguments', 'eval', 'package'],
      want: [
        'classResource',
        'defaultResource',
        'newResource',
        'awaitResource',
        'letResource',
        'argumentsResource',
        'evalResource',
        'packageResource',
      ],
    },
    { given: ['types', 'events', 'objects', 'process'], want: ['types', 'events', 'objects', 'process'] },
  ])('$given', ({ given, want }) => {
    expect(resourceConstants(given)).toEqual(want);
  });

  test('does not reassign a name that another accessor has', () => {
    const [own, other] = resourceConstants(['class', 'classResource']);
    expect(other).toBe('classResource');
    expect(own).toMatch(/^classResource_[0-9a-f]{6}$/);
  });
});

describe('stems of groups', () => {
  const none: ReadonlyMap<string, string> = new Map();
  interface Case {
    readonly title: string;
    readonly groups: readonly string[];
    readonly aliases?: ReadonlyMap<string, string>;
    readonly recorded?: ReadonlyMap<string, string>;
    readonly want: Readonly<Record<string, string>>;
  }

  test.each<Case>([
    { title: 'core', groups: [''], want: { '': 'core' } },
    {
      title: 'first label',
      groups: ['samplecontroller.c9g.io', 'my.domain'],
      want: { 'samplecontroller.c9g.io': 'samplecontroller', 'my.domain': 'my' },
    },
    { title: 'dashes', groups: ['my-team.example-corp.io'], want: { 'my-team.example-corp.io': 'myTeam' } },
    { title: 'digits', groups: ['9lives.io'], want: { '9lives.io': 'group9lives' } },
    {
      title: "Kubernetes' own",
      groups: [
        'rbac.authorization.k8s.io',
        'flowcontrol.apiserver.k8s.io',
        'internal.apiserver.k8s.io',
        'apps',
        'storagemigration.k8s.io',
      ],
      want: {
        'rbac.authorization.k8s.io': 'rbac',
        'flowcontrol.apiserver.k8s.io': 'flowcontrol',
        'internal.apiserver.k8s.io': 'internal',
        apps: 'apps',
        'storagemigration.k8s.io': 'storagemigration',
      },
    },
    {
      title: 'two that clash use their whole names',
      groups: ['networking.istio.io', 'networking.gke.io'],
      want: { 'networking.istio.io': 'networkingIstioIo', 'networking.gke.io': 'networkingGkeIo' },
    },
    {
      title: "one that clashes with Kubernetes' own yields",
      groups: ['networking.istio.io', 'networking.k8s.io'],
      want: { 'networking.istio.io': 'networkingIstioIo', 'networking.k8s.io': 'networking' },
    },
    {
      title: 'a recorded stem holds against a new group',
      groups: ['networking.gke.io', 'networking.istio.io'],
      recorded: new Map([['networking.istio.io', 'networking']]),
      want: { 'networking.gke.io': 'networkingGkeIo', 'networking.istio.io': 'networking' },
    },
    {
      title: "a recorded stem yields to Kubernetes' own",
      groups: ['networking.istio.io', 'networking.k8s.io'],
      recorded: new Map([['networking.istio.io', 'networking']]),
      want: { 'networking.istio.io': 'networkingIstioIo', 'networking.k8s.io': 'networking' },
    },
    {
      title: 'a whole name that was recorded is kept without need',
      groups: ['networking.istio.io'],
      recorded: new Map([['networking.istio.io', 'networkingIstioIo']]),
      want: { 'networking.istio.io': 'networkingIstioIo' },
    },
    {
      title: 'a recorded stem that is not an identifier is not used',
      groups: ['my.domain'],
      recorded: new Map([['my.domain', 'a; b']]),
      want: { 'my.domain': 'my' },
    },
    {
      title: 'a pinned stem holds against everything',
      groups: ['networking.istio.io', 'networking.gke.io', 'my.domain'],
      aliases: new Map([
        ['networking.istio.io', 'istio'],
        ['my.domain', 'networking'],
      ]),
      recorded: new Map([['networking.istio.io', 'networking']]),
      want: {
        'networking.istio.io': 'istio',
        'networking.gke.io': 'networkingGkeIo',
        'my.domain': 'networking',
      },
    },
    {
      title: 'whole names that are equal',
      groups: ['a-b.c', 'a.b-c', 'a.x', 'a-b.x'],
      want: { 'a-b.c': 'aBC', 'a-b.x': 'aBX', 'a.b-c': 'aBC_ab8bb2', 'a.x': 'aX' },
    },
  ])('$title', ({ groups, aliases = none, recorded = none, want }) => {
    expect(Object.fromEntries(groupStems(groups, { aliases, recorded }))).toEqual(want);
    expect(Object.fromEntries(groupStems([...groups].reverse(), { aliases, recorded }))).toEqual(want);
  });
});

describe('accessors of group versions', () => {
  const accessor = (group: string, version: string, stem: string): string | undefined =>
    groupVersionAccessors([{ group, version }], new Map([[group, stem]]))[0];

  test.each([
    { group: '', version: 'v1', stem: 'core', want: 'coreV1' },
    {
      group: 'samplecontroller.c9g.io',
      version: 'v1alpha1',
      stem: 'samplecontroller',
      want: 'samplecontrollerV1alpha1',
    },
    { group: 'a.b', version: 'v1-beta', stem: 'a', want: 'aV1Beta' },
    { group: 'to.example.com', version: 'string', stem: 'to', want: 'toExampleComString' },
  ])('$group/$version -> $want', ({ group, version, stem, want }) => {
    expect(accessor(group, version, stem)).toBe(want);
  });

  test('are unique if stem and version are concatenated', () => {
    const names = [
      { group: 'foo', version: 'v1-v2' },
      { group: 'foo-v1', version: 'v2' },
    ];
    const stems = new Map([
      ['foo', 'foo'],
      ['foo-v1', 'fooV1'],
    ]);
    const [first, second] = groupVersionAccessors(names, stems);
    expect(first).toBe('fooV1V2');
    expect(second).toMatch(/^fooV1V2_[0-9a-f]{6}$/);
  });
});
