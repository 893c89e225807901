/** Random changes of fields: dropped, doubled, exchanged, renumbered, nested. The lengths stay valid. */
import { expect, it } from 'vitest';
import { rearranged } from './damage.ts';
import { campaign, expectAllEnds } from './fuzz.ts';
import { inputs } from './settings.ts';
import { bytesOf, closed, fieldsOf, opened, type WireField } from './wire.ts';

it('corrupted fields', { timeout: 900_000 }, async () => {
  const known = new Map<Buffer, readonly WireField[]>();
  const fields = (bytes: Buffer): readonly WireField[] => {
    const found = known.get(bytes) ?? fieldsOf(opened(bytes).message) ?? [];
    known.set(bytes, found);
    return found;
  };
  const ends = await campaign('changed fields', Math.floor(inputs / 3), (bytes, other, random) => {
    const message = bytesOf(rearranged(fields(bytes), fields(other), random));
    return closed({ type: opened(bytes).type, message });
  });
  expectAllEnds(ends);
  expect(ends.unwritable).toBeGreaterThan(0);
});
