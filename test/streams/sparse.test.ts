/** Sparse files, as GNU tar writes them in each of its formats. */
import { execFileSync } from 'node:child_process';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { copyFrom, copyTo } from '@kgen/runtime/streams';
import { describe, expect, it, vi } from 'vitest';
import { Extraction } from '../../src/runtime/client/streams/copy/extract.ts';
import { firstBlock, readTar } from '../../src/runtime/client/streams/copy/tar-read.ts';
import { tarEnd, tarPadding } from '../../src/runtime/client/streams/copy/tar-write.ts';
import { mulberry32 } from '../support/random.ts';
import { processes } from './processes.ts';
import { podsOf, startServer } from './support.ts';
import { file, read, sealed, special, temporaryFolder } from './tar-entries.ts';

/** The formats of GNU tar. Holes are found by reading, on any file system. */
const formats = [
  '--format=gnu',
  '--format=posix --sparse-version=0.0',
  '--format=posix --sparse-version=0.1',
  '--format=posix --sparse-version=1.0',
].map((format) => [`--sparse --hole-detection=raw ${format}`]);

const mebibyte = 1024 * 1024;

/** Content at some offsets of a file of this size. */
interface Sample {
  readonly name: string;
  readonly size: number;
  readonly parts: readonly (readonly [at: number, content: string])[];
}

const samples: readonly Sample[] = [
  { name: 'hole-at-both-ends', size: 10 * mebibyte, parts: [[mebibyte, 'x'.repeat(1000)]] },
  { name: 'hole-only', size: 5 * mebibyte + 1, parts: [] },
  { name: 'ends-with-data', size: 3 * mebibyte + 7, parts: [[3 * mebibyte, 'end4567']] },
  // More parts than a header and one block after it have.
  {
    name: `${'many'.repeat(30)}ü`,
    size: 8 * mebibyte,
    parts: Array.from({ length: 100 }, (_, index) => [index * 65_536, `${index}`.repeat(5000)]),
  },
  { name: 'dense', size: 5000, parts: [[0, 'y'.repeat(5000)]] },
  { name: 'empty', size: 0, parts: [] },
];

async function sampleFolder(): Promise<string> {
  const folder = await temporaryFolder();
  for (const { name, size, parts } of samples) {
    const handle = await open(join(folder, name), 'w');
    for (const [at, content] of parts) await handle.write(content, at);
    await handle.truncate(size);
    await handle.close();
  }
  return folder;
}

/** Compares the samples in two folders, and whether the copies have holes where the originals have them. */
async function expectSame(original: string, copy: string, isSparse: boolean): Promise<void> {
  for (const { name, size } of samples) {
    const [one, other] = [join(original, name), join(copy, name)];
    expect((await readFile(one)).equals(await readFile(other)), name).toBe(true);
    if (isSparse && size > mebibyte && (await stat(one)).blocks * 512 < size / 2)
      expect((await stat(other)).blocks * 512, name).toBeLessThan(size / 2);
  }
}

describe.each(formats)('GNU tar with %s', (options) => {
  it('is extracted with its holes, independently of chunks', async () => {
    const original = await sampleFolder();
    const args = ['-cf', '-', ...options.split(' '), '-C', original, '.'];
    const archive = execFileSync('tar', args, { maxBuffer: 64 * mebibyte });
    expect(archive.length).toBeLessThan(2 * mebibyte);
    const next = mulberry32(1);
    for (const lengthOf of [() => archive.length, () => 1 + Math.floor(next() * 700)]) {
      const target = await temporaryFolder();
      const extraction = new Extraction(target, (path) => path.split('/').filter((part) => part.length > 1));
      let state = firstBlock;
      for (let at = 0; at < archive.length; ) {
        const chunk = archive.subarray(at, at + lengthOf());
        const step = readTar(state, chunk);
        expect(step.failure).toBeUndefined();
        for (const event of step.events) await extraction.add(event);
        state = step.state;
        at += chunk.length;
      }
      expect(state.ended).toBe(true);
      expect(extraction.result).toMatchObject({ files: samples.length, skipped: [] });
      await expectSame(original, target, true);
    }
  });

  it('in the container is copied, also after a truncation', async () => {
    vi.stubEnv('TAR_OPTIONS', options);
    const original = await sampleFolder();
    const copy = join(await temporaryFolder(), 'copy');
    const pods = podsOf(await startServer(processes(original, { cutAfter: [3000, 200_000] })));
    await copyFrom(pods, 'web-0', original, copy);
    vi.unstubAllEnvs();
    await expectSame(original, copy, true);
  });
});

it('sparse files are copied to a container with their content', async () => {
  const original = await sampleFolder();
  const copy = join(await temporaryFolder(), 'copy');
  const pods = podsOf(await startServer(processes(original)));
  await copyTo(pods, 'web-0', original, copy);
  await expectSame(original, copy, false);
});

/** Returns an entry of type `S` with the given fields of 12 bytes: parts, and the size of the file. */
function old(size: string, ...parts: readonly (readonly [offset: string, length: string])[]): Buffer {
  const block = special('a', 'S');
  block.write('00000000012\0', 124);
  for (const [index, [offset, length]] of parts.entries()) {
    block.write(`${offset.padStart(11, '0')}\0`, 386 + index * 24, 'latin1');
    block.write(`${length.padStart(11, '0')}\0`, 398 + index * 24, 'latin1');
  }
  block.write(size, 483, 'latin1');
  return sealed(block);
}

/** Returns an entry with records of an extended header. */
function pax(
  records: Readonly<Record<string, string>> | readonly (readonly [string, string])[],
  content = '',
) {
  const list = Array.isArray(records) ? records : Object.entries(records);
  const lines = list.map(([key, value]) => {
    const rest = ` GNU.sparse.${key}=${value}\n`;
    const digits = [1, 2, 3, 4, 5, 6, 7].find((count) => String(rest.length + count).length === count) ?? 0;
    return `${rest.length + digits}${rest}`;
  });
  const extended = Buffer.from(lines.join(''));
  const head = special('x', 'x');
  head.write(`${extended.length.toString(8).padStart(11, '0')}\0`, 124);
  const header = Buffer.concat([sealed(head), extended, tarPadding(extended.length)]);
  return Buffer.concat([header, file('GNUSparseFile.0/a', content)]);
}

const inContent = { major: '1', minor: '0', name: 'a', realsize: '100' };
const many = 70_000;

describe('a hostile sparse file', () => {
  it.each<[string, Buffer, RegExp]>([
    ['overlapping parts', old('00000001000', ['0', '5'], ['4', '5']), /overlap/],
    ['parts in another order', old('00000001000', ['100', '5'], ['0', '5']), /overlap/],
    ['a part beyond the end', old('00000000010', ['0', '5'], ['5', '5']), /beyond its end/],
    ['a negative offset', old('00000001000', ['-1', '12']), /map of a sparse file is invalid/],
    [
      'a negative length of GNU tar',
      old('00000001000', ['0', '\xff\xff\xff']),
      /map of a sparse file is invalid/,
    ],
    ['a size of 2^60', old('\x80\0\0\0\x10\0\0\0\0\0\0\0', ['0', '12']), /size of a sparse file is invalid/],
    [
      'a negative size',
      old('\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff', ['0', '12']),
      /size of a sparse/,
    ],
    ['less content than parts', old('00000001000', ['0', '20']), /size of its content/],
    ['more content than parts', old('00000001000', ['0', '2']), /size of its content/],
    ['an offset without a length', pax({ size: '9', map: '0' }, 'x'), /map of a sparse file is invalid/],
    [
      'a length before its offset',
      pax(
        [
          ['size', '9'],
          ['numbytes', '0'],
          ['offset', '1'],
        ],
        'x',
      ),
      /map of a/,
    ],
    ['an overlapping list', pax({ size: '9', map: '0,2,1,1' }, 'xyz'), /overlap/],
    ['a negative number in a list', pax({ size: '9', map: '-1,2' }, 'xy'), /map of a sparse file is invalid/],
    ['a size of 2^60 in a record', pax({ size: String(2 ** 60), map: '0,1' }, 'x'), /size of a sparse/],
    ['no size', pax({ map: '0,1' }, 'x'), /size of a sparse file is invalid/],
    ['an unknown version', pax({ ...inContent, major: '2' }, 'x'), /unknown version 2/],
    ['a list of many parts', pax({ size: '9', map: `${'1,0,'.repeat(many)}1,0` }), /more than 65536 parts/],
    ['a huge number of parts', pax(inContent, `${10 ** 14}\n`.padEnd(512)), /more than 65536 parts/],
    ['an endless number', pax(inContent, '1'.repeat(1024)), /map of a sparse file is invalid/],
    [
      'text that is not a number',
      pax(inContent, '1\n-1\n5\n'.padEnd(512)),
      /map of a sparse file is invalid/,
    ],
    ['a map that is longer than its content', pax(inContent, '5\n'), /longer than its content/],
    ['overlapping lines', pax(inContent, `${'2\n0\n5\n1\n5\n'.padEnd(512)}0123456789`), /overlap/],
  ])('with %s is refused', (_, bytes, want) => {
    const archive = Buffer.concat([bytes, Buffer.alloc(512, '\0'), tarEnd]);
    expect(read(archive).failure).toMatch(want);
    if (archive.length < 10_000) expect(read(archive, () => 1).failure).toMatch(want);
  });

  it('with endless blocks of a map is refused after a limited number of parts', () => {
    const head = old('77777777777', ['0', '0'], ['0', '0'], ['0', '0'], ['0', '0']);
    head[482] = 1;
    const block = Buffer.alloc(512);
    for (let part = 0; part < 42; part += 1) block.write('00000000000\0', part * 12);
    block[504] = 1;
    let step = readTar(firstBlock, sealed(head));
    let blocks = 0;
    for (; step.failure === undefined && blocks < 10_000; blocks += 1) step = readTar(step.state, block);
    expect(step.failure).toMatch(/more than 65536 parts/);
    expect(blocks).toBeLessThan(65_536 / 21 + 2);
  });
});
