import { describe, expect, test } from 'vitest';
import type { ApiDefinition } from '../openapi/types.ts';
import {
  apiOf,
  definitionOf,
  groupVersionOf,
  kindSchema,
  meta,
  modelOf,
  object,
  ref,
  resourceOf,
  schemaText,
  subresourceOf,
} from './api.fixture.ts';
import { type Built, buildModel, type ModelOptions } from './build.ts';
import { homesOf } from './names/package-groups.ts';

const string = { type: 'string' };

/** Returns `group/version: names` of each group version. */
function namesIn({ model }: Built): readonly string[] {
  return model.groupVersions.map(({ apiVersion, types }) => {
    const names = types.map(({ name }) => name.replace(/_[0-9a-f]{6}$/, '_#'));
    return `${apiVersion}: ${names.join(' ')}`;
  });
}

describe('homes of packages', () => {
  const home = (...definitions: readonly ApiDefinition[]): readonly string[] =>
    [...homesOf(definitions)].map(([name, { group, version }]) => `${name} -> ${group}/${version}`);

  test.each<{ title: string; given: readonly ApiDefinition[]; want: readonly string[] }>([
    {
      title: '16 the group of its kinds, not its name',
      given: [definitionOf('io.k8s.api.rbac.v1.Role', {}, ['rbac.authorization.k8s.io/v1/Role'])],
      want: ['io.k8s.api.rbac.v1 -> rbac.authorization.k8s.io/v1'],
    },
    {
      title: '16 the core group',
      given: [definitionOf('io.k8s.api.core.v1.Pod', {}, ['v1/Pod'])],
      want: ['io.k8s.api.core.v1 -> /v1'],
    },
    {
      title: 'what most of its kinds name',
      given: [
        definitionOf('com.example.A', {}, ['a/v1/A']),
        definitionOf('com.example.B', {}, ['b/v1/B']),
        definitionOf('com.example.C', {}, ['b/v1/C']),
      ],
      want: ['com.example -> b/v1'],
    },
    {
      title: 'of several the first by name',
      given: [definitionOf('com.example.A', {}, ['b/v1/A']), definitionOf('com.example.B', {}, ['a/v2/B'])],
      want: ['com.example -> a/v2'],
    },
    {
      title: '12 shared ones, whatever they name',
      given: [
        definitionOf(`${meta}.Status`, {}, ['v1/Status']),
        definitionOf('io.k8s.apimachinery.pkg.version.Info', {}),
      ],
      want: [`${meta} -> meta/v1`, 'io.k8s.apimachinery.pkg.version -> meta/v1'],
    },
    {
      title: 'no kinds',
      given: [definitionOf('com.github.other.pkg.Thing', {})],
      want: ['com.github.other.pkg -> definitions/com-github-other-pkg'],
    },
    {
      title: 'a group that leaves the folder is none',
      given: [
        definitionOf('com.example.A', {}, ['../../etc/v1/A']),
        definitionOf('com.example.B', {}, ['a..b/v1/B']),
      ],
      want: ['com.example -> definitions/com-example'],
    },
    {
      title: 'a package that is not a folder',
      given: [definitionOf('../..\\x/__proto__.A', {}), definitionOf('Alone', {})],
      want: [expect.stringMatching(/ -> definitions\/x-proto-[0-9a-f]{6}$/), ' -> definitions/unnamed'],
    },
  ])('$title', ({ given, want }) => {
    expect(home(...given)).toEqual(want);
  });
});

describe('names of types', () => {
  test('14, 15: allow one short name in several group versions', () => {
    const api = apiOf(
      ['core', 'events'].map((name) => {
        const kind = name === 'core' ? 'v1/Event' : 'events.k8s.io/v1/Event';
        return definitionOf(`io.k8s.api.${name}.v1.Event`, kindSchema(), [kind]);
      }),
    );
    expect(namesIn(modelOf(api))).toEqual(['v1: Event', 'events.k8s.io/v1: Event', 'meta/v1: ']);
  });

  test('of two packages in one home: the longer package name is renamed', () => {
    const api = apiOf([
      definitionOf('com.example.v1.Kind', kindSchema(), ['example/v1/Kind']),
      definitionOf('com.example.v1.Spec', object({ a: string })),
      definitionOf('com.example.more.v1.Other', kindSchema(), ['example/v1/Other']),
      definitionOf('com.example.more.v1.Spec', object({ b: string })),
      definitionOf('com.example.more.v1.User', object({ spec: ref('com.example.more.v1.Spec') })),
    ]);
    const built = modelOf(api);
    expect(namesIn(built)).toEqual(['example/v1: Kind Other Spec Spec_# User', 'meta/v1: ']);
    const { types } = groupVersionOf(built, 'example/v1');
    expect(types.find(({ path }) => path === 'com.example.v1.Spec')?.name).toBe('Spec');
    const [spec] = types.find(({ name }) => name === 'User')?.properties ?? [];
    expect(spec?.schema).toMatchObject({ shape: 'ref', name: expect.stringMatching(/^Spec_[0-9a-f]{6}$/) });
  });

  test('are assigned to definitions before helpers and nested objects', () => {
    const thing = definitionOf('com.example.v1.Thing', kindSchema({ spec: object({ a: string }) }), [
      'example/v1/Thing',
    ]);
    const api = apiOf(
      [
        thing,
        definitionOf('com.example.v1.ThingClient', object({ a: string })),
        definitionOf('com.example.v1.ThingSpec', object({ b: string })),
      ],
      { 'example/v1': [resourceOf('example/v1/Thing', 'things', { definition: thing.name })] },
    );
    const built = modelOf(api);
    expect(namesIn(built)[0]).toBe('example/v1: Thing ThingClient ThingList ThingSpec ThingSpec_#');
    expect(groupVersionOf(built, 'example/v1').resources[0]?.names.client).toBe('ThingResourceClient');
  });

  test('are escaped if they are not identifiers', () => {
    const api = apiOf([
      definitionOf('com.example.9-lives', object({})),
      definitionOf('com.example.a[b]', object({})),
    ]);
    const [first] = modelOf(api).model.groupVersions;
    expect(first?.types.map(({ name }) => name)).toEqual(['AB', 'Kind9Lives']);
  });

  test('24: are unique for descriptors of connections', () => {
    const connect = { methods: ['GET'], path: false };
    const exec = subresourceOf('exec', 'example/v1/Options', { connect });
    const attach = subresourceOf('attach', 'example/v1/Options', { connect });
    const things = resourceOf('example/v1/Thing', 'things', { subresources: [attach, exec] });
    const execs = resourceOf('example/v1/Exec', 'thingExec');
    const { resources } = groupVersionOf(modelOf(apiOf([], { 'example/v1': [execs, things] })), 'example/v1');
    expect(resources.flatMap(({ subresources }) => subresources.map(({ body }) => body))).toMatchObject([
      { connect: { constant: 'thingAttach', options: { type: 'Options' } } },
      { connect: { constant: 'thingExecConnection', options: { type: 'ThingExecOptions' } } },
    ]);
  });

  test('are assigned to definitions before parameters, and to parameters before nested objects', () => {
    const thing = definitionOf('com.example.v1.Thing', kindSchema({ logOptions: object({ a: string }) }), [
      'example/v1/Thing',
    ]);
    const log = subresourceOf('log', 'example/v1/Thing', { text: true });
    const resources = [
      resourceOf('example/v1/Thing', 'things', { definition: thing.name, subresources: [log] }),
    ];
    const roles = (...more: readonly ApiDefinition[]): readonly string[] =>
      groupVersionOf(modelOf(apiOf([thing, ...more], { 'example/v1': resources })), 'example/v1')
        .types.filter(({ name }) => name.startsWith('ThingLogOptions'))
        .map(({ name, role }) => `${name.replace(/_[0-9a-f]{6}$/, '_#')}: ${role}`)
        .sort();
    expect(roles()).toEqual(['ThingLogOptions: parameters', 'ThingLogOptions_#: nested']);
    expect(roles(definitionOf('com.example.v1.ThingLogOptions', object({})))).toEqual([
      'ThingLogOptions: definition',
      'ThingLogOptions_#: nested',
      'ThingLogOptions_#: parameters',
    ]);
  });

  test('17: allow versions as names', () => {
    const api = apiOf(
      ['v2', 'v1alpha3', 'v1beta2'].map((version) =>
        definitionOf(`com.example.${version}.Thing`, kindSchema(), [`apps/${version}/Thing`]),
      ),
    );
    expect(modelOf(api).model.groupVersions.map(({ accessor }) => accessor)).toEqual([
      'appsV1alpha3',
      'appsV1beta2',
      'appsV2',
      'metaV1',
    ]);
  });
});

describe('reference pages', () => {
  test.each([
    ['io.k8s.api.core.v1.PodSpec', 'v1/Pod', '#podspec-v1-core'],
    ['io.k8s.api.rbac.v1.Role', 'rbac.authorization.k8s.io/v1/Role', '#role-v1-rbac-authorization-k8s-io'],
    [`${meta}.DeleteOptions`, 'v1/DeleteOptions', '#deleteoptions-v1-meta'],
  ])('%s', (name, kind, anchor) => {
    const [, groupVersion] = [
      null,
      modelOf(apiOf([definitionOf(name, object({}), [kind])])).model.groupVersions,
    ];
    const [type] = groupVersion.flatMap(({ types }) => types);
    expect(type?.reference).toBe(
      `https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.36/${anchor}`,
    );
  });

  test.each([
    { name: 'com.example.v1.Thing', kubernetesVersion: '1.36' },
    { name: 'io.k8s.apimachinery.pkg.version.Info', kubernetesVersion: '1.36' },
    { name: 'io.k8s.api.core.v1.PodSpec', kubernetesVersion: '1.36/../x' },
  ])('returns no page for $name of $kubernetesVersion', ({ name, kubernetesVersion }) => {
    const api = { ...apiOf([definitionOf(name, object({}))]), kubernetesVersion };
    const types = modelOf(api).model.groupVersions.flatMap((each) => each.types);
    expect(types.map(({ reference }) => reference)).toEqual([undefined]);
  });
});

test('returns the role of each definition independently of the selection', () => {
  const thing = definitionOf('com.example.v1.Thing', kindSchema(), ['example/v1/Thing']);
  const all = definitionOf('com.example.v1.All', { type: 'array', items: ref(thing.name) });
  const inner = definitionOf('com.example.v1.Inner', { type: 'array', items: object({ a: string }) });
  const patch = definitionOf(`${meta}.Patch`, { type: 'object' });
  const { definitions } = modelOf(apiOf([thing, all, inner, patch]));
  expect([...definitions].map(([name, schema]) => [name, schemaText(schema)])).toEqual([
    [all.name, '[example/v1.Thing]'],
    [inner.name, '[{ [*]: unknown(free-form) }]'],
    [thing.name, 'example/v1.Thing'],
    [`${meta}.ListMeta`, '@ListMeta'],
    [`${meta}.ObjectMeta`, '@ObjectMeta'],
    [patch.name, '{ [*]: unknown(free-form) }'],
  ]);
});

describe('selection', () => {
  const core = 'io.k8s.api.core.v1';
  const definitions = [
    definitionOf(`${core}.Pod`, kindSchema({ spec: ref(`${core}.PodSpec`) }), ['v1/Pod']),
    definitionOf(`${core}.PodSpec`, object({ at: ref('io.k8s.api.storage.v1.Place') })),
    definitionOf(`${core}.Unused`, object({ a: string })),
    definitionOf('io.k8s.api.storage.v1.Place', object({ when: ref(`${meta}.Time`) })),
    definitionOf('io.k8s.api.storage.v1.Class', kindSchema(), ['storage.k8s.io/v1/Class']),
    definitionOf(`${meta}.Time`, string),
    definitionOf(`${meta}.Condition`, object({ at: ref(`${meta}.Time`) })),
  ];
  const api = apiOf(definitions, {
    v1: [resourceOf('v1/Pod', 'pods', { definition: `${core}.Pod` })],
    'storage.k8s.io/v1': [
      resourceOf('storage.k8s.io/v1/Class', 'classes', {
        definition: 'io.k8s.api.storage.v1.Class',
        scope: 'Cluster',
      }),
    ],
  });

  test.each<{ title: string; options: ModelOptions; want: readonly string[]; runtime: readonly string[] }>([
    {
      title: 'everything',
      options: {},
      want: ['v1: Pod PodList PodSpec Unused', 'meta/v1: ', 'storage.k8s.io/v1: Class ClassList Place'],
      runtime: ['Condition', 'ListMeta', 'ObjectMeta', 'Time'],
    },
    {
      title: 'what a kind needs, in homes without resources',
      options: { include: ['core/v1/Pod'] },
      want: ['v1: Pod PodList PodSpec', 'meta/v1: ', 'storage.k8s.io/v1: Place'],
      runtime: ['ObjectMeta', 'Time'],
    },
    {
      title: 'what is left',
      options: { exclude: ['core'] },
      want: ['meta/v1: ', 'storage.k8s.io/v1: Class ClassList'],
      runtime: ['ObjectMeta'],
    },
  ])('$title', ({ options, want, runtime }) => {
    const built = modelOf(api, options);
    expect(namesIn(built)).toEqual(want);
    expect(groupVersionOf(built, 'meta/v1').runtimeTypes).toEqual(runtime);
  });

  test('requires no types besides those of the runtime for types of the runtime', () => {
    const owned = definitionOf(
      `${meta}.ObjectMeta`,
      object({ owner: ref(`${meta}.OwnerReference`), shard: ref(`${meta}.ShardInfo`) }),
    );
    const others = ['OwnerReference', 'ShardInfo'].map((name) => definitionOf(`${meta}.${name}`, object({})));
    const pods = { v1: [resourceOf('v1/Pod', 'pods', { definition: `${core}.Pod` })] };
    const built = modelOf(apiOf([...definitions, owned, ...others], pods), { include: ['core'] });
    const { runtimeTypes, types } = groupVersionOf(built, 'meta/v1');
    expect([runtimeTypes, types]).toEqual([['ObjectMeta', 'OwnerReference', 'Time'], []]);
  });

  test('includes the kind of the items of a list', () => {
    const thing = definitionOf('com.example.v1.Thing', kindSchema(), ['example/v1/Thing']);
    const list = definitionOf('com.example.v1.ThingList', object({ items: string }), [
      'example/v1/ThingList',
    ]);
    const user = definitionOf('com.example.v1.User', kindSchema({ all: ref(list.name) }), [
      'example/v1/User',
    ]);
    const things = { definition: thing.name, listDefinition: list.name };
    const resources = [
      resourceOf('example/v1/Thing', 'things', things),
      resourceOf('example/v1/User', 'users', { definition: user.name }),
    ];
    const selected = modelOf(apiOf([thing, list, user], { 'example/v1': resources }), {
      include: ['example/v1/User'],
    });
    expect(namesIn(selected)[0]).toBe('example/v1: Thing ThingList User UserList');
  });

  test('returns a pattern that matches nothing', () => {
    const { unmatched } = buildModel({ crds: [], api }, { include: ['core', 'nobody'] });
    expect(unmatched).toMatchObject([{ option: '--include', pattern: { text: 'nobody' } }]);
  });

  test('does not return a pattern for input that was not read', () => {
    const unread = [{ group: 'apps', version: 'v1', kind: 'Deployment' }];
    const { unmatched } = buildModel(
      { crds: [], api, unread },
      { exclude: ['apps/*/Deployment', 'apps/v2'] },
    );
    expect(unmatched).toMatchObject([{ option: '--exclude', pattern: { text: 'apps/v2' } }]);
  });

  test('does not affect types of other selected kinds', () => {
    const all = new Map(
      modelOf(api).model.groupVersions.flatMap(({ types }) => types.map((type) => [type.path, type])),
    );
    for (const { types } of modelOf(api, { include: ['core'] }).model.groupVersions) {
      for (const type of types) expect(type).toEqual(all.get(type.path));
    }
  });

  test('accepts aliases of groups of the API', () => {
    const built = modelOf(api, { groupAliases: new Map([['storage.k8s.io', 'disks']]) });
    expect(groupVersionOf(built, 'storage.k8s.io/v1').accessor).toBe('disksV1');
    expect(built.accessors).toEqual({ '': 'core', 'storage.k8s.io': 'disks' });
  });
});
