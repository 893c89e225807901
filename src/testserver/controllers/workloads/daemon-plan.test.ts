import { expect, test } from 'vitest';
import { type JsonObject, text } from '../../../schema/values/json.ts';
import { type DaemonView, daemonView, placement, rollout } from './daemon-plan.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

/** A pod by its node, its revision and its state: `ready`, `unready`, `Failed` or `deleted`. */
type PodFacts = readonly [node: string, revision: 'old' | 'new', state: string];

function podOf([node, revision, state]: PodFacts, index: number): JsonObject {
  const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2025-01-01T00:00:00Z' };
  return {
    metadata: {
      name: `${revision}-${node}-${index}`,
      creationTimestamp: '2025-01-01T00:00:00Z',
      labels: { 'controller-revision-hash': revision },
      ...(state === 'deleted' ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    spec: { nodeName: node },
    status: {
      phase: state === 'Failed' ? state : 'Running',
      conditions: state === 'ready' ? [ready] : [],
    },
  };
}

const nodes = ['a', 'b', 'c'].map((name) => ({
  metadata: { name, labels: { pool: name === 'c' ? 'other' : 'web' } },
}));

function viewOf(rollingUpdate: JsonObject | undefined, pods: readonly PodFacts[]): DaemonView {
  const updateStrategy =
    rollingUpdate === undefined ? { type: 'OnDelete' } : { type: 'RollingUpdate', rollingUpdate };
  const template = { spec: { nodeSelector: { pool: 'web' } } };
  return daemonView({ spec: { template, updateStrategy } }, 'new', nodes, pods.map(podOf), now);
}

const one = { maxUnavailable: 1, maxSurge: 0 };
const surge = { maxUnavailable: 0, maxSurge: '50%' };

test.each<[string, JsonObject | undefined, readonly PodFacts[], readonly string[], readonly string[]]>([
  ['has a pod on each node', one, [['a', 'old', 'ready']], ['b'], []],
  ['waits for pods that end', one, [['a', 'old', 'deleted']], ['b'], []],
  ['leaves other nodes', one, [['c', 'old', 'ready']], ['a', 'b'], ['old-c-0']],
  ['replaces failed pods', one, [['a', 'old', 'Failed']], ['b'], ['old-a-0']],
  [
    'has one pod on a node',
    one,
    [
      ['a', 'old', 'ready'],
      ['a', 'new', 'ready'],
    ],
    ['b'],
    ['old-a-0'],
  ],
  ['does not wait during a surge', surge, [['a', 'old', 'deleted']], ['b', 'a'], []],
  [
    'has two pods during a surge',
    surge,
    [
      ['a', 'old', 'ready'],
      ['a', 'new', 'unready'],
    ],
    ['b'],
    [],
  ],
  [
    'ends the old pod of a surge',
    surge,
    [
      ['a', 'old', 'ready'],
      ['a', 'new', 'ready'],
    ],
    ['b'],
    ['old-a-0'],
  ],
])('a DaemonSet %s', (_, strategy, pods, created, deleted) => {
  const changes = placement(viewOf(strategy, pods));
  expect([changes.created.toSorted(), changes.deleted.map(nameOf)]).toEqual([created.toSorted(), deleted]);
});

test.each<[string, JsonObject | undefined, readonly PodFacts[], readonly string[], readonly string[]]>([
  [
    'with OnDelete changes nothing',
    undefined,
    [
      ['a', 'old', 'ready'],
      ['b', 'old', 'ready'],
    ],
    [],
    [],
  ],
  [
    'replaces one pod',
    one,
    [
      ['a', 'old', 'ready'],
      ['b', 'old', 'ready'],
    ],
    [],
    ['old-a-0'],
  ],
  [
    'waits for a new pod',
    one,
    [
      ['a', 'new', 'unready'],
      ['b', 'old', 'ready'],
    ],
    [],
    [],
  ],
  [
    'replaces broken pods first',
    one,
    [
      ['a', 'old', 'ready'],
      ['b', 'old', 'unready'],
    ],
    [],
    ['old-b-1'],
  ],
  [
    'keeps pods of its template',
    one,
    [
      ['a', 'new', 'ready'],
      ['b', 'new', 'ready'],
    ],
    [],
    [],
  ],
  [
    'surges on one node',
    surge,
    [
      ['a', 'old', 'ready'],
      ['b', 'old', 'ready'],
    ],
    ['a'],
    [],
  ],
  [
    'surges where a pod is broken',
    surge,
    [
      ['a', 'old', 'ready'],
      ['b', 'old', 'unready'],
    ],
    ['b', 'a'],
    [],
  ],
  [
    'waits for the pod of a surge',
    surge,
    [
      ['a', 'old', 'ready'],
      ['a', 'new', 'unready'],
      ['b', 'old', 'ready'],
    ],
    [],
    [],
  ],
])('a rollout %s', (_, strategy, pods, created, deleted) => {
  const changes = rollout(viewOf(strategy, pods));
  expect([changes.created.toSorted(), changes.deleted.map(nameOf)]).toEqual([created.toSorted(), deleted]);
});

function nameOf(pod: JsonObject): string {
  return text(pod, 'metadata', 'name');
}
