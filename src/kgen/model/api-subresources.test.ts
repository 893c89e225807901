import { describe, expect, test } from 'vitest';
import type { ApiDefinition, ApiResource } from '../openapi/types.ts';
import {
  apiOf,
  definitionOf,
  groupVersionOf,
  kindSchema,
  listSchema,
  modelOf,
  object,
  parametersOf,
  ref,
  resourceOf,
  subresourceOf,
  typeNamed,
  typeText,
} from './api.fixture.ts';
import type { Subresource } from './ir.ts';

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

describe('subresources', () => {
  const token = definitionOf('io.k8s.api.authentication.v1.TokenRequest', kindSchema(), [
    'authentication.k8s.io/v1/TokenRequest',
  ]);
  const scale = definitionOf('io.k8s.api.autoscaling.v1.Scale', kindSchema(), ['autoscaling/v1/Scale']);
  const oldScale = definitionOf('io.k8s.api.extensions.v1beta1.Scale', kindSchema(), [
    'extensions/v1beta1/Scale',
  ]);
  const connect = { methods: ['GET', 'POST'], path: false };
  const none = { nullable: false, facts: { keywords: {} } };

  test.each<{ title: string; given: ApiResource['subresources'][number]; want: Subresource['body'] }>([
    { title: '22 status', given: subresourceOf('status', 'v1/Pod'), want: { is: 'self' } },
    {
      title: '22 resize',
      given: subresourceOf('resize', 'v1/Pod', { definition: pod.name }),
      want: { is: 'self' },
    },
    {
      title: '22 scale',
      given: subresourceOf('scale', 'autoscaling/v1/Scale', { definition: scale.name }),
      want: { is: 'scale' },
    },
    {
      title: '22 scale of old',
      given: subresourceOf('scale', 'extensions/v1beta1/Scale', { definition: oldScale.name }),
      want: {
        is: 'object',
        schema: { shape: 'ref', name: 'Scale', from: { group: 'extensions', version: 'v1beta1' }, ...none },
      },
    },
    {
      title: '22 scale of another version',
      given: subresourceOf('scale', 'autoscaling/v2/Scale'),
      want: {
        is: 'object',
        schema: { shape: 'map', values: { shape: 'unknown', reason: 'untyped', ...none }, ...none },
      },
    },
    {
      title: 'a response of another kind',
      given: subresourceOf('evict', 'policy/v1/Eviction', { definition: eviction.name, response: pod.name }),
      want: {
        is: 'object',
        schema: { shape: 'ref', name: 'Eviction', from: { group: 'policy', version: 'v1' }, ...none },
        response: { shape: 'ref', name: 'Pod', ...none },
      },
    },
    {
      title: 'a response that is not the object itself',
      given: subresourceOf('restart', 'v1/Pod', { definition: pod.name, response: podSpec.name }),
      want: { is: 'self', response: { shape: 'ref', name: 'PodSpec', ...none } },
    },
    {
      title: '22 eviction',
      given: subresourceOf('eviction', 'policy/v1/Eviction', { definition: eviction.name }),
      want: {
        is: 'object',
        schema: { shape: 'ref', name: 'Eviction', from: { group: 'policy', version: 'v1' }, ...none },
      },
    },
    {
      title: '22 a kind of the same name in another group',
      given: subresourceOf('twin', 'other/v1/Pod', { definition: podSpec.name }),
      want: { is: 'object', schema: { shape: 'ref', name: 'PodSpec', ...none } },
    },
    {
      title: '27 log is text, whatever its kind',
      given: subresourceOf('log', 'v1/Pod', { text: true, parameters: parametersOf(['container']) }),
      want: { is: 'text', options: { type: 'PodLogOptions' } },
    },
    {
      title: '24 exec',
      given: subresourceOf('exec', 'v1/PodExecOptions', { connect, parameters: parametersOf(['command[]']) }),
      want: {
        is: 'connect',
        connect: { ...connect, constant: 'podExec', options: { type: 'PodExecOptions' } },
      },
    },
    {
      title: '24 portforward: words as in its kind',
      given: subresourceOf('portforward', 'v1/PodPortForwardOptions', { connect }),
      want: {
        is: 'connect',
        connect: { ...connect, constant: 'podPortForward', options: { type: 'PodPortForwardOptions' } },
      },
    },
    {
      title: '25 proxy goes on after the path',
      given: subresourceOf('proxy', 'v1/Pod', { connect: { ...connect, path: true } }),
      want: {
        is: 'connect',
        connect: { ...connect, path: true, constant: 'podProxy', options: { type: 'PodProxyOptions' } },
      },
    },
  ])('$title', ({ given, want }) => {
    const api = apiOf([...podParts, eviction, token, scale, oldScale], {
      v1: [pods({ subresources: [given] })],
    });
    const [resource] = groupVersionOf(modelOf(api), 'v1').resources;
    expect(resource?.subresources).toEqual([
      { name: given.name, verbs: want.is === 'connect' ? [] : ['get'], body: want },
    ]);
  });

  test('26: have query parameters as types', () => {
    const exec = subresourceOf('exec', 'v1/PodExecOptions', {
      connect,
      parameters: [
        ...parametersOf(['command[]']),
        { name: 'tty', type: 'boolean', list: false, description: 'A terminal.' },
      ],
    });
    const built = modelOf(apiOf(podParts, { v1: [pods({ subresources: [exec] })] }));
    const options = typeNamed(groupVersionOf(built, 'v1'), 'PodExecOptions');
    expect(typeText(options)).toBe('parameters { command?: [string]; tty?: boolean }');
    expect(options.properties[1]?.schema.facts.description).toBe('A terminal.');
  });

  test('21: have kinds of bodies as types without a resource', () => {
    const subresources = [subresourceOf('eviction', 'policy/v1/Eviction', { definition: eviction.name })];
    const built = modelOf(apiOf([...podParts, eviction], { v1: [pods({ subresources })] }));
    const policy = groupVersionOf(built, 'policy/v1');
    expect(policy.resources).toEqual([]);
    expect(policy.types.map(typeText)).toEqual([
      'kind { apiVersion?: "policy/v1"; kind?: "Eviction"; metadata?: @ObjectMeta }',
    ]);
    expect(built.accessors).toEqual({ '': 'core' });
  });
});

test('select the types of their responses', () => {
  const subresources = [
    subresourceOf('evict', 'policy/v1/Eviction', { definition: eviction.name, response: node.name }),
  ];
  const api = apiOf([...podParts, eviction, node], { v1: [pods({ subresources }), nodes] });
  const { types } = groupVersionOf(modelOf(api, { include: ['core/v1/Pod'] }), 'v1');
  expect(types.map(({ name }) => name)).toEqual(['Node', 'Pod', 'PodList', 'PodSpec']);
});
