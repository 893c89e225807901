import { describe, expect, test } from 'vitest';
import type { ApiDefinition, ApiResource } from '../openapi/types.ts';
import {
  apiOf,
  definitionOf,
  groupVersionOf,
  kindSchema,
  listSchema,
  meta,
  modelOf,
  object,
  ref,
  resourceOf,
  subresourceOf,
  typeNamed,
  typeText,
} from './api.fixture.ts';
import { buildModel } from './build.ts';
import { crdOf } from './model.fixture.ts';

const string = { type: 'string' };
const core = 'io.k8s.api.core.v1';
const pod = definitionOf(`${core}.Pod`, kindSchema({ spec: ref(`${core}.PodSpec`) }), ['v1/Pod']);
const podSpec = definitionOf(`${core}.PodSpec`, object({ nodeName: string }));
const podList = definitionOf(`${core}.PodList`, listSchema(`${core}.Pod`), ['v1/PodList']);
const eviction = definitionOf('io.k8s.api.policy.v1.Eviction', kindSchema(), ['policy/v1/Eviction']);
const node = definitionOf(`${core}.Node`, kindSchema(), ['v1/Node']);
const podParts: readonly ApiDefinition[] = [pod, podSpec, podList];
const pods = (more: Partial<ApiResource> = {}): ApiResource =>
  resourceOf('v1/Pod', 'pods', { definition: pod.name, listDefinition: podList.name, ...more });
const nodes = resourceOf('v1/Node', 'nodes', { definition: node.name, scope: 'Cluster' });

describe('types of resources', () => {
  const { groupVersions } = modelOf(apiOf([...podParts, node], { v1: [nodes, pods()] })).model;
  const v1 = groupVersionOf({ model: { groupVersions, schemas: [] } }, 'v1');

  test.each([
    { name: 'Pod', want: 'kind { apiVersion?: "v1"; kind?: "Pod"; metadata?: @ObjectMeta; spec?: PodSpec }' },
    { name: 'PodSpec', want: 'definition { nodeName?: string }' },
    {
      name: 'PodList',
      want: 'list { apiVersion?: "v1"; kind?: "PodList"; metadata: @ListMeta; items: [Pod] }',
    },
    { name: 'Node', want: 'kind { apiVersion?: "v1"; kind?: "Node"; metadata?: @ClusterMeta }' },
    {
      name: 'NodeList',
      want: 'list { apiVersion?: "v1"; kind?: "NodeList"; metadata: @ListMeta; items: [Node] }',
    },
  ])('$name', ({ name, want }) => {
    expect(typeText(typeNamed(v1, name))).toBe(want);
  });

  test('omit the note that a kind cannot be updated', () => {
    const schema = kindSchema({ kind: { ...string, description: 'Cannot be updated.' } });
    const built = modelOf(apiOf([definitionOf(`${core}.Thing`, schema, ['v1/Thing'])]));
    const [, kind] = typeNamed(groupVersionOf(built, 'v1'), 'Thing').properties;
    expect(kind?.schema.facts).toEqual({ description: 'Cannot be updated.', keywords: {} });
  });

  test('omit that note for kinds that are not stored', () => {
    const fixed = { ...string, description: 'Cannot be updated.' };
    const options = definitionOf(`${meta}.Options`, object({ kind: fixed, name: fixed }));
    const [kind, name] = typeNamed(
      groupVersionOf(modelOf(apiOf([options])), 'meta/v1'),
      'Options',
    ).properties;
    expect(kind?.schema.facts.immutable).toBeUndefined();
    expect(name?.schema.facts.immutable).toBe(true);
  });

  test('33: include a resource with namespaced and cluster-scoped paths once', () => {
    expect(v1.resources.map(({ plural, scope, names }) => [plural, scope, names.type, names.list])).toEqual([
      ['nodes', 'Cluster', 'Node', 'NodeList'],
      ['pods', 'Namespaced', 'Pod', 'PodList'],
    ]);
  });

  test('share types in meta/v1 and types of the runtime', () => {
    expect(
      groupVersions.map(({ apiVersion, accessor, runtimeTypes }) => [apiVersion, accessor, runtimeTypes]),
    ).toEqual([
      ['v1', 'coreV1', []],
      ['meta/v1', 'metaV1', ['ListMeta', 'ObjectMeta']],
    ]);
  });

  test('are unknown for a resource without a definition', () => {
    const { types } = groupVersionOf(
      modelOf(apiOf([], { 'a.b/v1': [resourceOf('a.b/v1/Foo', 'foos')] })),
      'a.b/v1',
    );
    expect(types.map(typeText)).toEqual([
      'kind { apiVersion?: "a.b/v1"; kind?: "Foo"; metadata?: @ObjectMeta; [*]: unknown(untyped) }',
      'list { apiVersion?: "a.b/v1"; kind?: "FooList"; metadata: @ListMeta; items: [Foo] }',
    ]);
  });

  test('are separate for a resource whose kind is of another group version', () => {
    const deployments = resourceOf('v1/Pod', 'pods', { definition: pod.name, verbs: ['create'] });
    const api = apiOf(podParts, { v1: [pods()], 'legacy/v1': [deployments] });
    const { types } = groupVersionOf(modelOf(api), 'legacy/v1');
    expect(types.map(typeText)).toEqual([
      'kind { apiVersion?: "v1"; kind?: "Pod"; metadata?: @ObjectMeta; spec?: /v1.PodSpec }',
    ]);
  });

  test('never require a status that is a subresource', () => {
    const schema = kindSchema({ status: string }, { required: ['status', 'spec'] });
    const thing = definitionOf('com.example.v1.Thing', schema, ['example/v1/Thing']);
    const status = subresourceOf('status', 'example/v1/Thing');
    const of = (subresources: ApiResource['subresources']): string => {
      const things = resourceOf('example/v1/Thing', 'things', { definition: thing.name, subresources });
      const built = buildModel({ crds: [], api: apiOf([thing], { 'example/v1': [things] }) });
      return typeText(typeNamed(groupVersionOf(built, 'example/v1'), 'Thing'));
    };
    expect(of([status])).toContain('status?: string');
    expect(of([])).toContain('status: string');
  });
});

describe('verbs', () => {
  const review = definitionOf('io.k8s.api.authorization.v1.Review', kindSchema(), [
    'authorization.k8s.io/v1/Review',
  ]);
  const of = (more: Partial<ApiResource>): readonly [boolean, boolean, readonly string[]] => {
    const group = 'authorization.k8s.io/v1';
    const resource = resourceOf(`${group}/Review`, 'reviews', { definition: review.name, ...more });
    const { resources, types } = groupVersionOf(modelOf(apiOf([review], { [group]: [resource] })), group);
    return [
      resources[0]?.stored === true,
      resources[0]?.builtIn === true,
      types.map(({ name, role }) => `${name}: ${role}`),
    ];
  };

  test.each<{ title: string; given: Partial<ApiResource>; want: ReturnType<typeof of> }>([
    { title: 'everything', given: {}, want: [true, true, ['Review: kind', 'ReviewList: list']] },
    {
      title: '21 create alone',
      given: { verbs: ['create'], strategicPatch: false },
      want: [false, true, ['Review: kind']],
    },
    {
      title: '21 list without watch',
      given: { verbs: ['get', 'list'], strategicPatch: false },
      want: [false, true, ['Review: kind', 'ReviewList: virtual-list']],
    },
    {
      title: '28 merge patches alone',
      given: { strategicPatch: false },
      want: [true, false, ['Review: kind', 'ReviewList: list']],
    },
  ])('$title', ({ given, want }) => {
    expect(of(given)).toEqual(want);
  });

  test('23: treat a list without a list verb as a definition', () => {
    const list = definitionOf(
      'io.k8s.api.authorization.v1.ReviewList',
      object({ items: { type: 'array', items: ref(review.name) } }),
      ['authorization.k8s.io/v1/ReviewList'],
    );
    const reviews = resourceOf('authorization.k8s.io/v1/Review', 'reviews', {
      definition: review.name,
      listDefinition: list.name,
      verbs: ['create'],
    });
    const api = apiOf([review, list], { 'authorization.k8s.io/v1': [reviews] });
    const groupVersion = groupVersionOf(modelOf(api), 'authorization.k8s.io/v1');
    expect(typeText(typeNamed(groupVersion, 'ReviewList'))).toBe('definition { items?: [Review] }');
    expect(groupVersion.resources[0]?.names.list).toBe('Review');
  });

  test('18, 30: are those of discovery', () => {
    const verbs = ['get', 'delete', 'deletecollection'] as const;
    const { resources } = groupVersionOf(modelOf(apiOf(podParts, { v1: [pods({ verbs })] })), 'v1');
    expect(resources[0]?.verbs).toEqual(verbs);
  });

  test.each<{ title: string; given: ApiResource; want: readonly string[] }>([
    { title: 'known fields', given: nodes, want: ['spec.unschedulable'] },
    { title: 'no known field', given: { ...nodes, plural: 'toString' }, want: [] },
    { title: 'merge patches alone', given: { ...nodes, strategicPatch: false }, want: [] },
  ])('a resource with $title', ({ given, want }) => {
    const { resources } = groupVersionOf(modelOf(apiOf([node], { v1: [given] })), 'v1');
    expect(resources[0]?.selectableFields).toEqual(want);
  });

  test('marks the resource of a deprecated kind as deprecated', () => {
    const old = definitionOf(`${core}.Old`, kindSchema({}, { description: 'DEPRECATED: use New.' }), [
      'v1/Old',
    ]);
    const olds = resourceOf('v1/Old', 'olds', { definition: old.name });
    const { resources } = groupVersionOf(modelOf(apiOf([old], { v1: [olds] })), 'v1');
    expect(resources[0]?.deprecated).toBe('use New.');
  });
});

describe('CRDs beside an API', () => {
  test('are merged into a group version of the same name', () => {
    const api = apiOf([definitionOf('io.k8s.api.policy.v1.Spec', object({ a: string })), eviction]);
    const built = buildModel({ crds: [crdOf({ group: 'policy', kind: 'Rule' })], api });
    const { resources, types } = groupVersionOf(built, 'policy/v1');
    expect(resources.map(({ kind, builtIn, stored }) => [kind, builtIn, stored])).toEqual([
      ['Rule', false, true],
    ]);
    expect(types.map(({ name }) => name)).toEqual(['Eviction', 'Rule', 'RuleList', 'Spec']);
  });

  test('keep the accessors that they have without an API', () => {
    const crds = [crdOf({ group: 'definitions.example.com' }), crdOf({ group: 'policy.example.com' })];
    const api = apiOf([definitionOf('com.other.Part', object({ a: string })), ...podParts], { v1: [pods()] });
    const { model } = buildModel({ crds, api });
    expect(model.groupVersions.map(({ apiVersion, accessor }) => [apiVersion, accessor])).toEqual([
      ['v1', 'coreV1'],
      ['definitions/com-other', expect.stringMatching(/^definitions_[0-9a-f]{6}ComOther$/)],
      ['definitions.example.com/v1', 'definitionsV1'],
      ['meta/v1', 'metaV1'],
      ['policy.example.com/v1', 'policyV1'],
    ]);
  });
});

describe('12, 13: kinds', () => {
  test.each([
    {
      title: 'options of requests are of no group',
      given: definitionOf(`${meta}.DeleteOptions`, object({ kind: string }), [
        'apps/v1/DeleteOptions',
        'v1/DeleteOptions',
      ]),
      at: 'meta/v1',
      want: 'definition { kind?: string }',
    },
    {
      title: '39 lists of discovery are no lists',
      given: definitionOf(
        `${meta}.APIGroupList`,
        object(
          { apiVersion: string, groups: { type: 'array', items: string }, kind: string },
          {
            required: ['kind'],
          },
        ),
        ['v1/APIGroupList'],
      ),
      at: 'meta/v1',
      want: 'definition { apiVersion?: "v1"; groups?: [string]; kind?: "APIGroupList" }',
    },
    {
      title: 'without a version of its own, a kind is just text',
      given: definitionOf(`${meta}.Odd`, object({ kind: string }), ['v1/Odd']),
      at: 'meta/v1',
      want: 'definition { kind?: string }',
    },
    {
      title: 'a kind of several groups is of none',
      given: definitionOf('com.example.v1.Both', kindSchema(), ['a/v1/Both', 'b/v1/Both']),
      at: 'definitions/com-example-v1',
      want: 'definition { apiVersion?: string; kind?: string; metadata?: @ObjectMeta }',
    },
  ])('$title', ({ given, at, want }) => {
    const { types } = groupVersionOf(modelOf(apiOf([given])), at);
    expect(types.map(typeText)).toEqual([want]);
  });
});
