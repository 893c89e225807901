/** Events of `EventRecorder` on a real API server: series, limits in bytes, floods. */
import { EventRecorder, type EventToRecord } from '@kgen/controller';
import { Clientset } from '@kgen/kubernetes';
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unique } from '../support/cluster-tests.ts';

const availability = controlPlaneAvailability();
const isRequired = process.env['KGEN_NOTHING_SKIPPED'] !== undefined;

/** The first start builds the servers. */
const startTimeout = 1_200_000;

describe.skipIf(!availability.available && !isRequired)(
  'events on a real API server',
  { timeout: 180_000 },
  () => {
    let plane: ControlPlane;
    let clients: Clientset;

    beforeAll(async () => {
      plane = await startControlPlane();
      clients = new Clientset(plane.config);
    }, startTimeout);
    afterAll(async () => {
      await clients?.close();
      await plane?.stop();
    });

    function recorderOf(distinctNotes = false): EventRecorder {
      return new EventRecorder({
        rest: clients.rest,
        reportingController: 'example.com/shop',
        distinctNotes,
      });
    }

    async function configMap(): Promise<EventToRecord['regarding']> {
      return clients.coreV1.configMaps('default').create({ metadata: { name: unique('e2e') } });
    }

    const about = (
      regarding: EventToRecord['regarding'],
      changes: Partial<EventToRecord> = {},
    ): EventToRecord => ({
      regarding,
      type: 'Normal',
      reason: 'Deployed',
      action: 'Reconcile',
      note: 'version 1',
      ...changes,
    });

    async function eventsOf(regarding: EventToRecord['regarding']) {
      const { items } = await clients.eventsV1.events('default').list();
      return items.filter((item) => item.regarding?.uid === regarding.metadata?.uid);
    }

    it('shows the count of a series', async () => {
      const regarding = await configMap();
      const recorder = recorderOf();
      for (let count = 0; count < 100; count += 1) {
        recorder.event(about({ ...regarding }));
        if (count === 0) await recorder.flush();
      }
      expect(await recorder.stop()).toBe(true);
      const found = await eventsOf(regarding);
      expect(found).toMatchObject([
        {
          type: 'Normal',
          reason: 'Deployed',
          note: 'version 1',
          series: { count: 100 },
          regarding: { kind: 'ConfigMap' },
        },
      ]);
      expect(recorder.stats()).toMatchObject({ created: 1, failed: 0 });
      expect(recorder.stats().patched).toBeLessThanOrEqual(2);
    });

    it('has notes of 1024 bytes with characters of several bytes accepted', async () => {
      const recorder = recorderOf(true);
      const notes = ['n', 'é', '€', '😀', '\ud83d', '\u0000', '\n'].flatMap((character) =>
        [1, 255, 256, 257, 341, 342, 1024, 1025, 5000].map((length) => character.repeat(length)),
      );
      const longest: number[] = [];
      for (const note of notes) {
        const regarding = await configMap();
        recorder.event(about(regarding, { note }));
        await recorder.flush();
        const [{ note: stored = '' } = {}] = await eventsOf(regarding);
        longest.push(Buffer.byteLength(stored));
      }
      await recorder.stop();
      expect(recorder.stats()).toMatchObject({ created: notes.length, failed: 0 });
      expect(Math.max(...longest.slice(0, 100))).toBe(1024);
    });

    it('has long reasons, actions and names of instances accepted', async () => {
      const regarding = await configMap();
      const recorder = new EventRecorder({
        rest: clients.rest,
        reportingController: 'x'.repeat(63),
        reportingInstance: 'é'.repeat(64),
      });
      recorder.event(about(regarding, { reason: '😀'.repeat(100), action: 'é'.repeat(100), note: '' }));
      await recorder.stop();
      expect(await eventsOf(regarding)).toMatchObject([{ reason: '😀'.repeat(32), action: 'é'.repeat(64) }]);
    });

    it('records events of cluster-scoped objects and of names that are not names of events', async () => {
      const name = unique('system:e2e:');
      const role = await clients.rbacV1.clusterRoles().create({ metadata: { name } });
      const recorder = recorderOf();
      recorder.event(about(role, { related: await configMap() }));
      await recorder.stop();
      expect(await eventsOf(role)).toMatchObject([
        { metadata: { namespace: 'default' }, regarding: { name } },
      ]);
    });

    it('creates an event again that was deleted', async () => {
      const regarding = await configMap();
      const recorder = recorderOf();
      recorder.event(about(regarding));
      await recorder.flush();
      for (const { metadata } of await eventsOf(regarding)) {
        await clients.eventsV1.events('default').delete(metadata.name);
      }
      recorder.event(about(regarding));
      await recorder.stop();
      expect(await eventsOf(regarding)).toMatchObject([{ series: { count: 2 } }]);
    });

    it('bounds a flood of 10,000 events', async () => {
      const [first, second] = [await configMap(), await configMap()];
      const recorder = recorderOf();
      for (let index = 0; index < 5000; index += 1) {
        recorder.event(about(first, { reason: `Reason${index}` }));
        recorder.event(about(second));
      }
      expect(await recorder.stop({ timeoutMs: 60_000 })).toBe(true);
      expect((await eventsOf(first)).length).toBe(25);
      expect(await eventsOf(second)).toMatchObject([{ series: { count: 5000 } }]);
      const { created, patched, failed, rateLimited } = recorder.stats();
      expect({ created, failed, rateLimited }).toEqual({ created: 26, failed: 0, rateLimited: 4975 });
      expect(patched).toBeLessThanOrEqual(2);
    });

    it('settles with a caller that may not create events', async () => {
      const config = await plane.addUser('nobody');
      const limited = new Clientset(config);
      const messages: string[] = [];
      const note = (_: object, message: string): void => void messages.push(message);
      const recorder = new EventRecorder({
        rest: limited.rest,
        reportingController: 'kgen',
        log: { debug: note, info: note, warn: note, error: note },
      });
      const regarding = await configMap();
      for (let index = 0; index < 10; index += 1) recorder.event(about(regarding, { reason: `R${index}` }));
      expect(await recorder.stop()).toBe(true);
      expect(recorder.stats()).toMatchObject({ failed: 10, created: 0 });
      expect(messages).toEqual([
        expect.stringMatching(
          /^create of an event failed: Forbidden: grant create .* in namespace default; /,
        ),
      ]);
      await limited.close();
    });
  },
);
