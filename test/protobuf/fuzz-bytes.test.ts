/** Random changes of bytes: flipped, cut, joined with others. */
import { expect, it } from 'vitest';
import { injured } from './damage.ts';
import { campaign, expectAllEnds } from './fuzz.ts';
import { inputs } from './settings.ts';
import { closed, opened } from './wire.ts';

it('corrupted bytes', { timeout: 900_000 }, async () => {
  const ends = await campaign('changed bytes', Math.ceil((2 * inputs) / 3), (bytes, other, random) => {
    if (random.chance(0.2)) return injured(bytes, other, random);
    // With a valid envelope, the damage is in the object.
    const { type, message } = opened(bytes);
    return closed({ type, message: injured(message, opened(other).message, random) });
  });
  expectAllEnds(ends);
  expect(ends.refused).toBeGreaterThan(0);
});
