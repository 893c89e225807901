/** Helpers for objects with the types of built-in kinds. */
import type { Deployment, ReplicaSet } from '@kgen/kubernetes/apps/v1';
import type { Node, Pod, PodCondition } from '@kgen/kubernetes/core/v1';
import type { MergePatch, Stored } from '@kgen/runtime';
import {
  addFinalizer,
  controllerOf,
  findCondition,
  isConditionTrue,
  setCondition,
  setControllerReference,
} from '@kgen/runtime/objects';
import { applyMergePatch, createMergePatch } from '@kgen/runtime/patch';
import { addQuantities, compareQuantities } from '@kgen/runtime/quantity';
import { fieldRequirements, matchFields } from '@kgen/runtime/selectors';
import { expect, it } from 'vitest';

const stored = { resourceVersion: '1', creationTimestamp: '2024-01-01T00:00:00Z' };
const deployment: Stored<Deployment> = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', ...stored },
  spec: { selector: {}, template: {} },
  status: {},
};
const pod: Stored<Pod> = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-0', namespace: 'shop', uid: 'u2', ...stored },
  spec: { containers: [{ name: 'web', resources: { requests: { cpu: '500m' } } }, { name: 'log' }] },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True', lastProbeTime: '2024-01-01T00:00:00Z' }],
  },
};
const node: Node = { kind: 'Node', metadata: { name: 'n1' }, status: { allocatable: { cpu: '2' } } };

it('sets owners of stored and new objects', () => {
  const replicas: ReplicaSet = { metadata: { name: 'web-1', namespace: 'shop' }, spec: { selector: {} } };
  const owned: ReplicaSet = setControllerReference(replicas, deployment);
  const again: Stored<Pod> = addFinalizer(setControllerReference(pod, deployment), 'shop.example.com/x');
  expect([controllerOf(owned)?.name, controllerOf(again)?.uid]).toEqual(['web', 'u1']);
});

it('has typed conditions', () => {
  const conditions: PodCondition[] = setCondition(pod.status.conditions, {
    type: 'PodScheduled',
    status: 'True',
    reason: 'Found',
  });
  expect(conditions.map(({ type }) => type)).toEqual(['Ready', 'PodScheduled']);
  expect(isConditionTrue(pod.status.conditions, 'Ready')).toBe(true);
  expect(findCondition(conditions, 'PodScheduled')?.reason).toBe('Found');
  // @ts-expect-error: a condition has a status
  expect(setCondition(pod.status.conditions, { type: 'Ready' })).toHaveLength(1);
});

it('adds resource requests of containers', () => {
  const requested = pod.spec.containers.map((container) => container.resources?.requests?.['cpu'] ?? 0);
  expect(addQuantities(...requested, '1')).toBe('1500m');
  expect(compareQuantities(node.status?.allocatable?.['cpu'] ?? 0, addQuantities(...requested))).toBe(1);
});

it('selects and patches objects', () => {
  expect(matchFields(pod, fieldRequirements({ 'status.phase': { not: ['Failed', 'Succeeded'] } }))).toBe(
    true,
  );
  const patch: MergePatch<Stored<Pod>> = createMergePatch(pod, { ...pod, status: {} });
  expect(patch).toEqual({ status: { phase: null, conditions: null } });
  const patched: Stored<Pod> = applyMergePatch(pod, patch);
  expect(patched.status).toEqual({});
});
