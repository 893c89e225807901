import { describe, expect, it } from 'vitest';
import { firstBlock, readTar } from '../../src/runtime/client/streams/copy/tar-read.ts';
import { tarEnd, tarPadding } from '../../src/runtime/client/streams/copy/tar-write.ts';
import { expectBounded } from './mutations.ts';
import { file, folder, read, sealed, special } from './tar-entries.ts';

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
    const header = special('x', 'x');
    const records = Buffer.from('22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n26 GNU.sparse.realsize=99\n');
    header.write(`${records.length.toString(8).padStart(11, '0')}\0`, 124);
    const sparse = [sealed(header), records, tarPadding(records.length), file('s', '1\n5\n3\n'.padEnd(515))];
    const valid = Buffer.concat([file('a'.repeat(150), 'x'), folder('b'), ...sparse, tarEnd]);
    expect(read(valid).events.map(({ type }) => type)).toContain('end');
    expectBounded('tar mutations', 20_000, [valid], {
      first: firstBlock,
      step: (state, chunk) => {
        const { state: next, events, failure } = readTar(state, chunk);
        let content = 0;
        for (const event of events) if (event.type === 'data') content += event.bytes.length;
        const isBounded = next.block.length < 512 && (next.content?.kept.length ?? 0) <= 8 * 1024 * 1024;
        return { state: next, content, isOk: isBounded, isEnd: failure !== undefined || next.ended };
      },
    });
  });
});
