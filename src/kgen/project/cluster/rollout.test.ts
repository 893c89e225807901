import type { JsonObject } from '@kgen/schema/values/json';
import { expect, it } from 'vitest';
import { podProblems, rolloutState } from './rollout.ts';

const labels = { 'pod-template-hash': 'new' };
const pod = (status: JsonObject, hash = 'new'): JsonObject => ({
  metadata: { name: 'web-1', labels: { 'pod-template-hash': hash } },
  status,
});
const container = (state: JsonObject, more: JsonObject = {}): JsonObject => ({
  containerStatuses: [{ name: 'operator', image: 'box:1', state, ...more }],
});
const waiting = (reason: string, message = ''): JsonObject => ({ waiting: { reason, message } });
const ended = (exitCode: number, reason = 'Error'): JsonObject => ({ terminated: { exitCode, reason } });
const event = (reason: string, message: string): JsonObject => ({
  ...{ type: 'Warning', reason, message },
  involvedObject: { name: 'web-1' },
});

it.each<readonly [name: string, status: JsonObject, message: RegExp]>([
  ['an image', container(waiting('ErrImagePull', 'not found')), /image box:1 cannot be pulled .*not found/],
  ['a name of an image', container(waiting('InvalidImageName')), /InvalidImageName\); push it/],
  [
    'a missing Secret',
    container(waiting('CreateContainerConfigError', 'secret x')),
    /cannot start .*secret x/,
  ],
  [
    'a crash, with the log of the last run',
    container(waiting('CrashLoopBackOff'), { lastState: ended(3), restartCount: 4 }),
    /has ended \(exit code 3, 4 restarts\)/,
  ],
  ['a crash at present, with its log', container(ended(1)), /exit code 1/],
  [
    'memory',
    container(waiting('CrashLoopBackOff'), { lastState: ended(137, 'OOMKilled') }),
    /more memory than its limit: raise resources/,
  ],
  [
    'a missing node',
    { conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes' }] },
    /has no node: 0\/3 nodes/,
  ],
])('names %s as the reason why a Pod does not run', (_, status, message) => {
  expect(podProblems(pod(status), [])[0]?.text).toMatch(message);
});

it.each([
  [
    'the last run of a container that starts again',
    { lastState: ended(3) },
    waiting('CrashLoopBackOff'),
    true,
  ],
  ['a container that has ended', {}, ended(1), false],
])('names the log of %s', (_, more, state, previous) => {
  const [problem] = podProblems(pod(container(state, more)), []);
  expect(problem?.log).toEqual({ pod: 'web-1', container: 'operator', previous });
});

it('names the event of a Pod whose probe fails, and of one that waits for a volume', () => {
  const running = container({ running: {} });
  expect(podProblems(pod(running), [event('Unhealthy', 'HTTP 500')])[0]?.text).toContain(
    'not ready: HTTP 500',
  );
  expect(podProblems(pod({}), [event('FailedMount', 'no volume')])[0]?.text).toBe('Pod web-1: no volume');
});

it.each([
  [container({ running: {} }, { restartCount: 3, lastState: ended(1) })],
  [{ ...container(waiting('ContainerCreating')) }],
  [{ ...container({ running: {} }), conditions: [{ type: 'Ready', status: 'True' }] }],
])('finds no reason in a Pod that runs or starts', (status) => {
  expect(podProblems(pod(status), [])).toEqual([]);
});

const deployment = (status: JsonObject): JsonObject => ({
  metadata: { name: 'web', uid: 'd', generation: 2 },
  spec: { replicas: 2 },
  status: { observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 2, ...status },
});

it.each<readonly [string, JsonObject, boolean]>([
  ['all Pods are available', {}, true],
  ['the change is not observed yet', { observedGeneration: 1 }, false],
  ['old Pods remain', { replicas: 3 }, false],
  ['a Pod is missing', { updatedReplicas: 1, replicas: 1, availableReplicas: 1 }, false],
  ['a Pod is not available', { availableReplicas: 1 }, false],
])('if %s, the rollout is complete: %#', (_, status, isDone) => {
  const facts = { deployment: deployment(status), replicaSets: [], pods: [], events: [] };
  expect(rolloutState(facts).isDone).toBe(isDone);
});

const replicaSet = (revision: string, hash: string, status: JsonObject = {}): JsonObject => ({
  metadata: {
    ...{ name: `web-${hash}`, labels: { 'pod-template-hash': hash } },
    annotations: { 'deployment.kubernetes.io/revision': revision },
    ownerReferences: [{ uid: 'd' }],
  },
  status,
});

it.each([
  ['exceeded quota: small', 'raise the ResourceQuota'],
  ['pods "x" is forbidden: violates PodSecurity "restricted"', 'labels of the namespace'],
  ['error looking up service account a/b: serviceaccount "b" not found', 'config/rbac'],
  ['admission webhook "x" denied the request', 'a webhook of the cluster'],
])('names the reason why Pods cannot be created: %s', (message, action) => {
  const conditions = [{ type: 'ReplicaFailure', status: 'True', message }];
  const facts = {
    deployment: deployment({ availableReplicas: 0 }),
    replicaSets: [replicaSet('9', 'old'), replicaSet('10', 'new', { conditions })],
    ...{ pods: [], events: [] },
  };
  const [problem] = rolloutState(facts).problems;
  expect(problem?.text).toContain(`Pods cannot be created: ${message}`);
  expect(problem?.text).toContain(action);
});

it('ignores the Pods of earlier templates', () => {
  const broken = container(waiting('ErrImagePull'));
  const facts = {
    deployment: deployment({ availableReplicas: 0 }),
    replicaSets: [replicaSet('1', 'old'), replicaSet('2', labels['pod-template-hash'])],
    pods: [pod(broken, 'old')],
    events: [],
  };
  expect(rolloutState(facts).problems).toEqual([]);
});
