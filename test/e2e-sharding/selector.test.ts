/** The selectors of a ring on an API server that filters by them. */
import { Clientset } from '@kgen/kubernetes';
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  allSlots,
  hasSlot,
  namespaceSelector,
  noSlots,
  slotOf,
} from '../../src/controller/sharding/slots.ts';
import { unique } from '../support/cluster-tests.ts';

const { available } = controlPlaneAvailability();
const isAvailable = available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;
const namespaceCount = 40;
const labelSelector = { sharded: 'true' };

describe.runIf(isAvailable)('a server with ShardedListAndWatch', { timeout: 120_000 }, () => {
  let plane: ControlPlane;
  let admin: Clientset;
  const namespaces = Array.from({ length: namespaceCount }, (_, index) => unique(`n${index}`));
  beforeAll(async () => {
    plane = await startControlPlane({ apiServerFlags: ['--feature-gates=ShardedListAndWatch=true'] });
    admin = new Clientset(plane.config);
    for (const name of namespaces) {
      await admin.coreV1.namespaces().create({ metadata: { name } });
      await admin.coreV1.configMaps(name).create({ metadata: { name: 'map', labels: labelSelector } });
    }
  }, 1_200_000);
  afterAll(async () => {
    await admin?.close();
    await plane?.stop();
  });

  /** Every fourth slot, half of the slots, none and all. */
  it.each([
    { title: 'every fourth slot', slots: BigInt(`0x${'1'.repeat(64)}`) },
    { title: 'half of the slots', slots: (1n << 128n) - 1n },
    { title: 'no slot', slots: noSlots },
    { title: 'all slots', slots: allSlots },
  ])('confirms the selector of $title, and returns the objects that replicas store', async ({ slots }) => {
    const shardSelector = namespaceSelector(slots);
    const list = await admin.coreV1.configMaps().list({ labelSelector, shardSelector });
    expect(list.metadata.shardInfo).toEqual({ selector: shardSelector });
    const expected = namespaces.filter((namespace) =>
      hasSlot(slots, slotOf({ namespace, name: 'map' }, 'namespace')),
    );
    expect(list.items.map(({ metadata }) => metadata.namespace).sort()).toEqual(expected.sort());
  });
});
