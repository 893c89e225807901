/**
 * Streams of frames that are interrupted at any byte: a watch resumes after the last complete frame.
 * `KGEN_SEED` repeats one of them.
 */
import { expect, test } from 'vitest';
import { watch } from '../../src/runtime/watch/watch.ts';
import { rounds } from '../support/seeds.ts';
import { Chance } from './chance.ts';
import { quiet } from './quiet.ts';
import { ApiServer } from './server/server.ts';
import { SimulatedClock } from './simulated-clock.ts';
import { transportTo } from './widgets.ts';

const seedCount = rounds(200, 10);
const steps = 30;

/** Returns the events of a watch and the changes of the server, in the same form. */
async function follow(seed: number): Promise<{
  readonly reported: readonly string[];
  readonly expected: readonly string[];
  readonly cuts: number;
}> {
  const [chance, clock] = [new Chance(seed, 1), new SimulatedClock()];
  const server = new ApiServer(clock, chance, { cache: true, state: 400, pageSize: 5, frames: true });
  const transport = transportTo(server);
  const since = String(server.database.version);
  const reported: string[] = [];
  const settle = (): Promise<void> => quiet(() => server.activity + clock.activity + reported.length);
  const source = {
    target: { resource: 'widgets' },
    list: () => Promise.reject(new Error('nothing was lost: a list is not necessary')),
    watch: async (params: object, signal: AbortSignal) => ({
      ...(await transport(watchRequest(params, signal))),
      readFrame: (frame: Uint8Array): unknown => JSON.parse(Buffer.from(frame).toString()),
    }),
  };
  const controller = new AbortController();
  const { signal } = controller;
  const environment = { clock, random: new Chance(seed, 2).next };
  const ended = (async () => {
    for await (const { type, object } of watch<unknown>(source, {
      resourceVersion: since,
      signal,
      environment,
    })) {
      reported.push(`${type} ${object.metadata.name} ${object.metadata.resourceVersion}`);
    }
  })();
  ended.catch(() => undefined);
  let cuts = 0;
  for (let step = 0; step < steps; step += 1) {
    for (let count = chance.below(4); count > 0; count -= 1) change(server, chance);
    server.publish();
    if (chance.odds(0.4)) cuts += cut(server, chance);
    await clock.pass(chance.pick([0, 1, 2000, 90_000]), settle);
  }
  await clock.pass(120_000, settle);
  controller.abort();
  await ended;
  const expected = server.database.log.map(
    ({ type, object: { metadata } }) => `${type} ${metadata.name} ${metadata.resourceVersion}`,
  );
  return { reported, expected, cuts };
}

function change({ database }: ApiServer, chance: Chance): void {
  const name = `w-${chance.below(4)}`;
  if (chance.odds(0.3)) database.delete(`shop/${name}`, chance);
  else database.put({ namespace: 'shop', name, tier: 'web', size: chance.below(9) }, chance);
}

/** Interrupts open streams: between frames, or within the header or the body of one. */
function cut(server: ApiServer, chance: Chance): number {
  const { streams } = server;
  for (const stream of streams) {
    stream.cut('cut', { partial: chance.pick(['', '{"type":"ADDED"', 'x']), inOrder: chance.odds(0.3) });
  }
  return streams.length;
}

function watchRequest(params: object, signal: AbortSignal) {
  const query = Object.entries({ watch: true, ...params }).map(
    ([name, value]) => [name, String(value)] as const,
  );
  const operation = { verb: 'watch', resource: 'widgets' };
  return {
    method: 'GET',
    path: '/apis/example.com/v1/widgets',
    query,
    headers: {},
    operation,
    signal,
  } as const;
}

test('watches over frames miss and repeat no event', async () => {
  const only = process.env['KGEN_SEED'];
  const seeds =
    only === undefined ? Array.from({ length: seedCount }, (_, index) => index + 1) : [Number(only)];
  let cuts = 0;
  for (const seed of seeds) {
    const followed = await follow(seed);
    expect(followed.reported, `KGEN_SEED=${seed}`).toEqual(followed.expected);
    cuts += followed.cuts;
  }
  expect(cuts).toBeGreaterThan(seeds.length);
}, 60_000);
