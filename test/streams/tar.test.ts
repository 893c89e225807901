import { describe, expect, it } from 'vitest';
import { tarEnd } from '../../src/runtime/client/streams/copy/tar-write.ts';
import { campaign, randomOf } from '../support/random.ts';
import { file, folder, read, special } from './tar-entries.ts';

describe('readTar', () => {
  it('reads names of any length, empty files and large sizes, independently of chunks', () => {
    const long = `a/${'ü'.repeat(90)}/${'b'.repeat(120)}`;
    const bytes = Buffer.concat([
      folder('a'),
      file(long, 'content'),
      file('empty', ''),
      file('c', 'x'.repeat(513)),
      tarEnd,
    ]);
    for (const next of [() => bytes.length, () => 1, () => 511]) {
      const { events, state } = read(bytes, next);
      const entries = events.flatMap((event) =>
        event.type === 'entry' ? [`${event.entry.kind} ${event.entry.path} ${event.entry.size}`] : [],
      );
      expect(entries).toEqual(['directory a/ 0', `file ${long} 7`, 'file empty 0', 'file c 513']);
      expect(events.filter(({ type }) => type === 'close').length).toBe(3);
      expect(state.ended).toBe(true);
    }
  });

  it.each<[string, Buffer, RegExp]>([
    ['a wrong checksum', Buffer.alloc(512, 'x'), /checksum/],
    ['a name with a NUL', Buffer.concat([special('x', 'x')]), /^$/],
  ])('reports %s', (_, bytes, want) => expect(read(bytes).failure ?? '').toMatch(want));

  it('reads changed bytes with a bounded state', () => {
    const valid = Buffer.concat([file('a'.repeat(150), 'x'), folder('b'), tarEnd]);
    for (const seed of campaign('tar mutations', { rounds: 4000 })) {
      const random = randomOf(seed);
      const bytes = Buffer.from(valid);
      for (let changes = random.int(6); changes >= 0; changes -= 1)
        bytes[random.int(bytes.length)] = random.int(256);
      const { state } = read(bytes, () => random.int(700));
      expect(state.block.length).toBeLessThan(512);
      expect(state.content?.kept.length ?? 0).toBeLessThanOrEqual(1024 * 1024);
    }
  });
});
