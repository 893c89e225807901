import { isBadRequest, isConflict, isInvalid } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { apiErrorOf, causesOf } from '../support/errors.ts';
import type { Env } from './env.ts';

/** Registers tests of Leases and Events, which have times with microseconds. */
export function coordinationTests(env: Env): void {
  describe('a lease', () => {
    it('keeps microseconds as written', async () => {
      const leases = env.clientset.coordinationV1.leases(await env.namespace());
      const renewTime = '2026-01-02T03:04:05.000600Z';
      const spec = { holderIdentity: 'one', leaseDurationSeconds: 15, acquireTime: renewTime, renewTime };
      const created = await leases.create({ metadata: { name: 'leader' }, spec });
      expect(created.spec).toEqual(spec);
      const { items } = await leases.list();
      expect(items.map((lease) => lease.spec.renewTime)).toEqual([renewTime]);
      const later = '2026-01-02T03:04:06.123456Z';
      const renewed = await leases.update({ ...created, spec: { ...created.spec, renewTime: later } });
      expect(renewed.spec.renewTime).toBe(later);
      // Clients that read it before the update get a conflict.
      const taken = { ...created, spec: { ...created.spec, holderIdentity: 'two' } };
      await apiErrorOf(isConflict, leases.update(taken));
    });

    it('rejects other time formats', async () => {
      const leases = env.clientset.coordinationV1.leases(await env.namespace());
      const spec = { renewTime: '2026-01-02T03:04:05Z' };
      const error = await apiErrorOf(isBadRequest, leases.create({ metadata: { name: 'leader' }, spec }));
      expect(error.message).toContain('parsing time "2026-01-02T03:04:05Z"');
    });

    it('has a duration', async () => {
      const leases = env.clientset.coordinationV1.leases(await env.namespace());
      const error = await apiErrorOf(
        isInvalid,
        leases.create({ metadata: { name: 'leader' }, spec: { leaseDurationSeconds: 0 } }),
      );
      expect(causesOf(error)).toEqual(['spec.leaseDurationSeconds: FieldValueInvalid']);
    });
  });

  eventTests(env);
}

function eventTests(env: Env): void {
  describe('an event', () => {
    it('of the core group is selected by its object', async () => {
      const namespace = await env.namespace();
      const events = env.clientset.coreV1.events(namespace);
      const created = await events.create({
        metadata: { name: 'web.1' },
        involvedObject: { kind: 'Pod', namespace, name: 'web' },
        reason: 'Pulled',
        message: 'the image exists',
        type: 'Normal',
        firstTimestamp: '2026-01-02T03:04:05Z',
        count: 1,
      });
      expect(created.firstTimestamp).toBe('2026-01-02T03:04:05Z');
      const fieldSelector = 'involvedObject.name=web,reason=Pulled';
      expect((await events.list({ fieldSelector })).items.map(({ message }) => message)).toEqual([
        'the image exists',
      ]);
      const counted = await events.patch('web.1', { count: 2, lastTimestamp: '2026-01-02T03:05:05Z' });
      expect(counted.count).toBe(2);
    });

    it('is equal in both groups', async () => {
      const namespace = await env.namespace();
      const eventTime = '2026-01-02T03:04:05.123456Z';
      const created = await env.clientset.eventsV1.events(namespace).create({
        metadata: { name: 'web.2' },
        eventTime,
        regarding: { kind: 'Pod', namespace, name: 'web' },
        reason: 'Started',
        action: 'Start',
        note: 'it runs',
        type: 'Normal',
        reportingController: 'example.com/kubelet',
        reportingInstance: 'node-1',
      });
      expect(created).toMatchObject({ apiVersion: 'events.k8s.io/v1', kind: 'Event', eventTime });
      const same = await env.clientset.coreV1.events(namespace).get('web.2');
      expect(same).toMatchObject({ apiVersion: 'v1', kind: 'Event', message: 'it runs', eventTime });
      expect(same.involvedObject.name).toBe('web');
      expect(same.metadata.uid).toBe(created.metadata.uid);
    });
  });
}
