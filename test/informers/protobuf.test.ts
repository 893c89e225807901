/** The schedules against a server with protobuf. `KGEN_SEED` runs one of them. */
import { beforeAll, expect, test } from 'vitest';
import { rounds } from '../support/seeds.ts';
import { Chance } from './chance.ts';
import { Play, warmUp } from './play.ts';
import { speakingProtobuf } from './protobuf.ts';
import { scheduleOf } from './schedule.ts';

const seedCount = rounds(400, 10);

/** Loading modules on demand takes time that a simulated clock does not control. */
beforeAll(async () => {
  await warmUp();
  await import('../../src/runtime/rest/protobuf/bodies.ts');
});

test('informers over protobuf converge, and call handlers consistently', async () => {
  const only = process.env['KGEN_SEED'];
  const seeds =
    only === undefined ? Array.from({ length: seedCount }, (_, index) => index + 1) : [Number(only)];
  const [responses, failures]: [string[], string[]] = [[], []];
  for (const seed of seeds) {
    const chance = new Chance(seed, 7);
    const play = new Play(scheduleOf(seed), {
      through: (transport) => {
        const spoken = speakingProtobuf(transport, chance);
        return async (request) => {
          const response = await spoken(request);
          responses.push(response.headers['content-type'] ?? '');
          return response;
        };
      },
    });
    const [problem] = (await play.run()).problems;
    if (problem !== undefined) failures.push(`KGEN_SEED=${seed}: ${problem}`);
  }
  expect(failures).toEqual([]);
  const count = (part: string): number => responses.filter((type) => type.includes(part)).length;
  expect(count('protobuf')).toBeGreaterThan(seeds.length);
  // After an unknown field.
  if (only === undefined) expect(count('json')).toBeGreaterThan(seeds.length);
}, 240_000);
