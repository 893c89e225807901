import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../schema/values/json.ts';
import { ownersOf } from './stateful-claims.ts';

const pod = { metadata: { name: 'web-1', uid: 'pod' } };
const owner = (kind: string, name: string, uid: string, controller = true): JsonObject => ({
  apiVersion: { StatefulSet: 'apps/v1' }[kind] ?? 'v1',
  kind,
  name,
  uid,
  controller,
  blockOwnerDeletion: true,
});
const ofSet = owner('StatefulSet', 'web', 'set');
const ofPod = owner('Pod', 'web-1', 'pod');
const other = owner('ConfigMap', 'other', 'other', false);
const foreign = owner('ConfigMap', 'other', 'other');

type Policy = 'Retain' | 'Delete';

test.each<
  [
    string,
    whenScaled: Policy,
    whenDeleted: Policy,
    isKept: boolean,
    readonly Json[],
    readonly Json[] | undefined,
  ]
>([
  ['stays without owners', 'Retain', 'Retain', true, [], undefined],
  ['is released', 'Retain', 'Retain', true, [ofSet], []],
  ['belongs to the set', 'Retain', 'Delete', true, [], [ofSet]],
  ['belongs to the set beyond the replicas', 'Retain', 'Delete', false, [ofPod], [ofSet]],
  ['belongs to no pod among the replicas', 'Delete', 'Retain', true, [ofPod], []],
  ['belongs to its pod beyond the replicas', 'Delete', 'Retain', false, [], [ofPod]],
  ['belongs to the set among the replicas', 'Delete', 'Delete', true, [ofPod], [ofSet]],
  ['belongs to the pod instead of the set', 'Delete', 'Delete', false, [ofSet], [ofPod]],
  ['keeps its owner', 'Delete', 'Delete', false, [ofPod], undefined],
  ['keeps other owners', 'Retain', 'Delete', true, [other], [other, ofSet]],
  ['keeps another controller', 'Retain', 'Delete', true, [foreign], undefined],
  ['is released for another controller', 'Retain', 'Delete', true, [foreign, ofSet], [foreign]],
  ['of an earlier set stays', 'Retain', 'Retain', true, [owner('StatefulSet', 'web', 'old')], undefined],
  ['of an earlier pod stays', 'Delete', 'Delete', false, [owner('Pod', 'web-1', 'old')], undefined],
  ['has a controller', 'Retain', 'Delete', true, [{ ...ofSet, controller: false }], [ofSet]],
])('a claim %s', (_, whenScaled, whenDeleted, isKept, ownerReferences, expected) => {
  const set = {
    metadata: { name: 'web', uid: 'set' },
    spec: { persistentVolumeClaimRetentionPolicy: { whenScaled, whenDeleted } },
  };
  expect(ownersOf({ metadata: { ownerReferences } }, set, pod, isKept)).toEqual(expected);
});
