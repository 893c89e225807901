import { describe, expect, test } from 'vitest';
import {
  groupVersion,
  model,
  namedType,
  property,
  resource,
  schema,
  subresource,
} from '../emit/emit.fixture.ts';
import type { GroupVersion } from '../model/ir.ts';
import { type CodecChoice, codecPlan, messageOf, runtimeMessages } from './plan.ts';
import { fieldTable } from './table.ts';
import type { CodecPlan, FieldTable, HomeCodecs } from './types.ts';

/**
 * Returns a table from `home.name` of each message with its references. Kinds are `apiVersion/Kind`, lists
 * with items.
 */
function tableOf(
  messages: Readonly<Record<string, readonly string[]>>,
  kinds: readonly (readonly [apiVersion: string, kind: string, message: string, items?: string])[],
): FieldTable {
  const entries = Object.entries(messages).map(([key, refs]) => {
    const at = key.lastIndexOf('.');
    const fields = refs.map((message, index) => ({
      number: index + 1,
      json: `field${index}`,
      shape: 'value' as const,
      element: { message },
      omission: 'omitempty' as const,
    }));
    return [key, { home: key.slice(0, at), name: key.slice(at + 1), fields, bare: false }] as const;
  });
  return {
    messages: new Map(entries),
    kinds: kinds.map(([apiVersion, kind, message, items]) => ({
      apiVersion,
      kind,
      message,
      ...(items === undefined ? {} : { items }),
    })),
  };
}

const table = tableOf(
  {
    'meta/v1.ObjectMeta': ['meta/v1.OwnerReference'],
    'meta/v1.OwnerReference': [],
    'meta/v1.ListMeta': [],
    'meta/v1.Status': ['meta/v1.ListMeta'],
    'meta/v1.LabelSelector': [],
    'meta/v1.ListOptions': [],
    'core/v1.Pod': ['meta/v1.ObjectMeta', 'core/v1.PodSpec'],
    'core/v1.PodList': ['meta/v1.ListMeta', 'core/v1.Pod'],
    'core/v1.PodSpec': ['core/v1.Container', 'meta/v1.LabelSelector'],
    'core/v1.Container': [],
    'core/v1.Node': ['meta/v1.ObjectMeta'],
    'core/v1.PodTemplateSpec': ['meta/v1.ObjectMeta', 'core/v1.PodSpec'],
    'apps/v1.Deployment': ['meta/v1.ObjectMeta', 'meta/v1.LabelSelector', 'core/v1.PodTemplateSpec'],
    'apps/v1.DeploymentList': ['meta/v1.ListMeta', 'apps/v1.Deployment'],
    'policy/v1.Eviction': ['meta/v1.ObjectMeta'],
    'policy/v1.PodDisruptionBudget': ['meta/v1.ObjectMeta'],
    'autoscaling/v1.Scale': ['meta/v1.ObjectMeta'],
    'networking.k8s.io/v1.Ingress': ['meta/v1.ObjectMeta'],
  },
  [
    ['v1', 'Pod', 'core/v1.Pod'],
    ['v1', 'PodList', 'core/v1.PodList', 'core/v1.Pod'],
    ['v1', 'Node', 'core/v1.Node'],
    ['v1', 'Status', 'meta/v1.Status'],
    ['v1', 'ListOptions', 'meta/v1.ListOptions'],
    ['apps/v1', 'Deployment', 'apps/v1.Deployment'],
    ['apps/v1', 'DeploymentList', 'apps/v1.DeploymentList', 'apps/v1.Deployment'],
    ['policy/v1', 'Eviction', 'policy/v1.Eviction'],
    ['policy/v1', 'PodDisruptionBudget', 'policy/v1.PodDisruptionBudget'],
    ['autoscaling/v1', 'Scale', 'autoscaling/v1.Scale'],
    ['networking.k8s.io/v1', 'Ingress', 'networking.k8s.io/v1.Ingress'],
  ],
);

const eviction = subresource('eviction', ['create'], {
  is: 'object',
  schema: schema({ shape: 'ref', name: 'Eviction', from: { group: 'policy', version: 'v1' } }),
});
const scale = subresource('scale', ['get', 'update', 'patch'], { is: 'scale' });

const core = groupVersion('', 'v1', { resources: [resource('Pod', { subresources: [eviction] })] });
const apps = groupVersion('apps', 'v1', { resources: [resource('Deployment', { subresources: [scale] })] });
const evictionType = namedType('Eviction', {
  properties: [property('kind', schema({ shape: 'constant', value: 'Eviction' }))],
});
const budgets = groupVersion('policy', 'v1', {
  resources: [resource('PodDisruptionBudget')],
  types: [evictionType],
});
const scaling = groupVersion('autoscaling', 'v1', { resources: [resource('HorizontalPodAutoscaler')] });

function planOf(groupVersions: readonly GroupVersion[], choice: CodecChoice = 'served'): CodecPlan {
  return codecPlan(table, model(...groupVersions), choice);
}

function shown({ homes }: CodecPlan): Readonly<Record<string, string>> {
  const text = ({ kinds, messages, shared }: HomeCodecs): string => {
    const named = messages.map(
      (key) => `${shared.has(key) ? '+' : ''}${key.slice(key.lastIndexOf('.') + 1)}`,
    );
    return `${kinds.map(({ kind }) => kind).join(' ')} | ${named.join(' ')}`;
  };
  return Object.fromEntries(homes.map((home) => [home.home, text(home)]));
}

const cases: readonly {
  readonly name: string;
  readonly given: readonly GroupVersion[];
  readonly choice?: CodecChoice;
  readonly want: Readonly<Record<string, string>>;
}[] = [
  {
    name: 'the kinds of a group version and their lists, Status and options beside them',
    given: [core],
    want: {
      'core/v1': 'ListOptions Pod PodList Status | Container Pod PodSpec',
      'meta/v1': ' | +LabelSelector +ListOptions',
    },
  },
  {
    name: 'messages in the module of their home, also where that has no resources',
    given: [apps],
    want: {
      'apps/v1': 'Deployment DeploymentList | Deployment',
      'core/v1': 'ListOptions Status | Container PodSpec +PodTemplateSpec',
      'meta/v1': ' | +LabelSelector +ListOptions',
    },
  },
  {
    name: 'what subresources take, where its group version is served',
    given: [core, budgets],
    want: {
      'core/v1': 'ListOptions Pod PodList Status | Container Pod PodSpec',
      'meta/v1': ' | +LabelSelector +ListOptions',
      'policy/v1': 'Eviction PodDisruptionBudget | Eviction PodDisruptionBudget',
    },
  },
  {
    name: 'not where the group version only has types',
    given: [core, { ...budgets, resources: [] }],
    want: {
      'core/v1': 'ListOptions Pod PodList Status | Container Pod PodSpec',
      'meta/v1': ' | +LabelSelector +ListOptions',
    },
  },
  {
    name: 'Scale, which no resource is of',
    given: [groupVersion('', 'v1', { resources: [resource('Node', { subresources: [scale] })] }), scaling],
    want: {
      'autoscaling/v1': 'Scale | Scale',
      'core/v1': 'ListOptions Node Status | Node',
      'meta/v1': ' | +ListOptions',
    },
  },
  { name: 'nothing of no model', given: [], want: {} },
  {
    name: 'nothing of custom resources, whatever their group and kind are called',
    given: [
      groupVersion('networking.k8s.io', 'v1', { resources: [resource('Ingress', { builtIn: false })] }),
      groupVersion('example.com', 'v1', { resources: [resource('Pod', { builtIn: false })] }),
    ],
    want: {},
  },
  {
    name: 'nothing of another API server, though it takes strategic patches',
    given: [groupVersion('example.com', 'v1', { resources: [resource('Pod')] })],
    want: {},
  },
  {
    name: 'nothing of kinds that the table does not know',
    given: [groupVersion('apps', 'v1', { resources: [resource('Novelty')] })],
    want: {},
  },
  {
    name: 'a custom resource beside a built-in one leaves it alone',
    given: [
      groupVersion('apps', 'v1', {
        resources: [resource('Deployment'), resource('Novelty', { builtIn: false })],
      }),
    ],
    want: {
      'apps/v1': 'Deployment DeploymentList | Deployment',
      'core/v1': 'ListOptions Status | Container PodSpec +PodTemplateSpec',
      'meta/v1': ' | +LabelSelector +ListOptions',
    },
  },
  {
    name: 'everything, whatever is served',
    given: [],
    choice: 'all',
    want: {
      'apps/v1': 'Deployment DeploymentList | Deployment',
      'autoscaling/v1': 'Scale | Scale',
      'core/v1': 'ListOptions Node Pod PodList Status | Container Node Pod PodSpec +PodTemplateSpec',
      'meta/v1': ' | +LabelSelector +ListOptions',
      'networking.k8s.io/v1': 'Ingress | Ingress',
      'policy/v1': 'Eviction PodDisruptionBudget | Eviction PodDisruptionBudget',
    },
  },
];

describe('codecs', () => {
  test.each(cases)('$name', ({ given, choice, want }) => {
    expect(shown(planOf(given, choice))).toEqual(want);
  });

  test.each<readonly [CodecChoice, readonly string[]]>([
    ['served', ['v1/Pod', 'apps/v1/Deployment']],
    ['all', ['v1/Pod', 'apps/v1/Deployment']],
  ])('%s: marks descriptors of resources with a codec', (choice, want) => {
    const custom = groupVersion('networking.k8s.io', 'v1', {
      resources: [resource('Ingress', { builtIn: false }), resource('Novelty')],
    });
    expect([...planOf([core, apps, custom], choice).resources]).toEqual(want);
  });

  test('throws for a reference to a missing message', () => {
    const broken = tableOf({ 'core/v1.Pod': ['core/v1.PodSpec'] }, [['v1', 'Pod', 'core/v1.Pod']]);
    expect(() => codecPlan(broken, model(), 'all')).toThrow('no message core/v1.PodSpec');
  });
});

describe('the whole table of fields', () => {
  const whole = fieldTable();
  const { homes } = codecPlan(whole, model(), 'all');
  const refs = (key: string): readonly string[] =>
    messageOf(whole, key).fields.flatMap(({ element }) => ('message' in element ? [element.message] : []));

  test('requires only messages of the runtime for messages of the runtime', () => {
    const outside = [...runtimeMessages].flatMap(refs).filter((key) => !runtimeMessages.has(key));
    expect(outside).toEqual([]);
  });

  test('has a place for every kind and a home for every message', () => {
    expect(homes.flatMap(({ kinds }) => kinds)).toHaveLength(whole.kinds.length);
    const lost = homes.flatMap(({ home, messages }) => messages.filter((key) => !key.startsWith(`${home}.`)));
    expect(lost).toEqual([]);
  });

  test('has one apiVersion per module of a folder', () => {
    const versions = homes.map(({ kinds }) => new Set(kinds.map(({ apiVersion }) => apiVersion)).size);
    expect(versions.filter((count) => count > 1)).toEqual([]);
  });

  test('has no resource for kinds whose codecs are outside of the folder of their group', () => {
    const strange = ['v1', 'v1beta1'].map((version) =>
      groupVersion('meta.k8s.io', version, { resources: [resource('PartialObjectMetadata')] }),
    );
    expect(codecPlan(whole, model(...strange), 'served').homes).toEqual([]);
    expect(codecPlan(whole, model(...strange), 'all').resources).toEqual(new Set());
  });

  test('has the list shape of the runtime', () => {
    const odd = whole.kinds.filter(({ message, items }) => {
      if (items === undefined) return false;
      const fields = messageOf(whole, message).fields.map(({ number, json }) => `${number} ${json}`);
      return fields.join() !== '1 metadata,2 items';
    });
    expect(odd).toEqual([]);
  });

  test('has homes that import each other in one direction', () => {
    const uses = new Map(
      homes.map(({ home, kinds, messages }) => {
        const needed = [...kinds.map(({ message, items = message }) => items), ...messages.flatMap(refs)];
        const others = needed
          .filter((key) => !runtimeMessages.has(key))
          .map((key) => messageOf(whole, key).home);
        return [home, new Set(others.filter((other) => other !== home))] as const;
      }),
    );
    const reaches = (from: string, to: string): boolean =>
      [...(uses.get(from) ?? [])].some((next) => next === to || reaches(next, to));
    expect(homes.map(({ home }) => home).filter((home) => reaches(home, home))).toEqual([]);
  });
});
