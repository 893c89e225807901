/** 50,000 objects change during a relist; 10,000 in `npm test`. */
import { InformerFactory, RESTClient } from '@kgen/runtime';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { rounds } from '../support/seeds.ts';
import { Chance } from './chance.ts';
import { History, Truth } from './checker/history.ts';
import { requestProblems } from './checker/requests.ts';
import { warmUp } from './play.ts';
import { quiet } from './quiet.ts';
import type { Traits } from './server/lists.ts';
import { ApiServer } from './server/server.ts';
import { SimulatedClock } from './simulated-clock.ts';
import { transportTo, widgets } from './widgets.ts';

const objects = rounds(50_000, 2_000);

// Loading a module takes event-loop turns in which the simulated time would pass.
beforeAll(async () => {
  await Promise.all([
    warmUp(),
    import('../../src/runtime/codec/json-stream.ts'),
    import('../../src/runtime/common/time-slice.ts'),
  ]);
});

/** Event-loop turns without activity that end a pause: a long list is parsed in slices of one turn each. */
const quietTurnCount = 200;

let informers: InformerFactory | undefined;
afterEach(() => informers?.stop());

function put({ database }: ApiServer, index: number, chance: Chance): void {
  database.put(
    { namespace: 'shop', name: `w-${String(index).padStart(5, '0')}`, tier: 'web', size: index },
    chance,
  );
}

test.each<[string, Traits]>([
  ['in pages', { cache: false, state: 400, pageSize: 500 }],
  ['in one list', { cache: true, state: 400, pageSize: 500 }],
  ['as a stream', { cache: true, state: 'streamed', pageSize: 500 }],
])(
  'keeps many objects that are read %s',
  async (_, traits) => {
    const [clock, chance] = [new SimulatedClock(), new Chance(5)];
    const server = new ApiServer(clock, chance, traits);
    for (let index = 0; index < objects; index += 1) put(server, index, chance);
    server.publish();
    const rest = new RESTClient({ server: 'http://server' }, { transport: transportTo(server) });
    informers = new InformerFactory({ rest }, { environment: { clock, random: () => 0 } });
    const informer = informers.of(widgets);
    const view = { namespace: undefined, tier: undefined };
    const history = new History(new Truth(server.database.log, [view]));
    informer.handle({
      add: (object) => history.add(object),
      update: (object, old) => history.update(object, old),
      delete: (object, { missed }) => history.delete(object, missed),
    });
    const settle = (): Promise<void> =>
      quiet(() => server.activity + clock.activity + history.calls.length, quietTurnCount);
    const caughtUp = async (): Promise<void> => {
      const behind = (): boolean => history.newest < server.database.version || server.streams.length === 0;
      for (let tries = 0; tries < 1000 && behind(); tries += 1) await clock.pass(1000, settle);
      // A list is delivered in the order of its names, so the newest object is not the last one.
      await settle();
    };
    server.journal.note('*', { type: 'start' });
    await informers.start();
    await caughtUp();
    const changed = changeOnRequest(server, chance, traits.cache ? objects : traits.pageSize);
    for (const stream of server.streams) stream.fail(410);
    await clock.pass(10_000, settle);
    await caughtUp();
    expect(changed()).toBe(objects);
    history.compareWith(server.database.at(server.database.version));
    expect(history.problems.slice(0, 5)).toEqual([]);
    expect(informer.lister.list()).toHaveLength(objects);
    expect(requestProblems(server.journal.notes)).toEqual([]);
    await rest.close();
  },
  120_000,
);

/** From now on this number of changes follows each response, until every object has changed once. */
function changeOnRequest(server: ApiServer, chance: Chance, atOnce: number): () => number {
  let changed = 0;
  server.journal.onNote = ({ type }) => {
    if (type !== 'answer') return;
    for (const end = Math.min(objects, changed + atOnce); changed < end; changed += 1)
      put(server, changed, chance);
    // Watches are notified after the response is sent.
    queueMicrotask(() => server.publish());
  };
  return () => changed;
}
