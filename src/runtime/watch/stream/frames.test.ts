import { describe, expect, it } from 'vitest';
import { FrameCutter, FrameTooLong, frameLimit } from './frames.ts';

const frame = (...bytes: number[]): number[] => [0, 0, 0, bytes.length, ...bytes];

/** Returns the frames of the chunks, and whether the stream is incomplete. */
function cut(chunks: readonly (readonly number[])[], limit?: number) {
  const cutter = new FrameCutter(limit);
  const frames = chunks.flatMap((chunk) => [...cutter.push(Uint8Array.from(chunk))].map((one) => [...one]));
  return { frames, open: cutter.open };
}

describe('FrameCutter', () => {
  it.each<{ name: string; given: number[][]; want: number[][]; open?: boolean }>([
    { name: 'returns no frames for an empty chunk', given: [[]], want: [] },
    { name: 'cuts several frames in a chunk', given: [[...frame(1), ...frame(2, 3)]], want: [[1], [2, 3]] },
    { name: 'cuts empty frames', given: [[...frame(), ...frame()]], want: [[], []] },
    {
      name: 'cuts an empty frame over two chunks',
      given: [
        [0, 0],
        [0, 0],
      ],
      want: [[]],
    },
    { name: 'cuts a header over chunks', given: [[0], [0, 0], [2, 7, 8]], want: [[7, 8]] },
    {
      name: 'cuts a payload over chunks',
      given: [[...frame(7, 8), 0, 0, 0, 3, 1], [2], [3, 0]],
      want: [
        [7, 8],
        [1, 2, 3],
      ],
      open: true,
    },
    { name: 'detects the end within a header', given: [[...frame(1), 0, 0, 0]], want: [[1]], open: true },
    { name: 'detects the end within a frame', given: [[0, 0, 0, 2, 1]], want: [], open: true },
    { name: 'detects the end after a header', given: [[0, 0, 0, 2]], want: [], open: true },
  ])('$name', ({ given, want, open = false }) => {
    expect(cut(given)).toEqual({ frames: want, open });
  });

  it.each([
    { name: 'at the limit is accepted', given: [frame(1, 2)], fails: false },
    { name: 'above the limit is rejected by its header', given: [[0, 0, 0, 3]], fails: true },
    { name: 'above the limit is rejected in one chunk', given: [frame(1, 2, 3)], fails: true },
    { name: 'with the maximum length is rejected', given: [[255, 255, 255, 255]], fails: true },
    {
      name: 'with the maximum length is rejected over chunks',
      given: [
        [255, 255],
        [255, 255],
      ],
      fails: true,
    },
  ])('a frame $name', ({ given, fails }) => {
    if (fails) expect(() => cut(given, 2)).toThrow(FrameTooLong);
    else expect(cut(given, 2).frames).toEqual([[1, 2]]);
  });

  it.each([1, 100, 9999, 60_000])('cuts large frames in chunks of %i bytes', (size) => {
    const large = Array.from({ length: 50_000 }, (_, index) => index % 251);
    const bytes = [...frame(7), 0, 0, 195, 80, ...large, ...frame(8)];
    const chunks: number[][] = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size));
    const { frames, open } = cut(chunks);
    // Compared as strings, so that a difference is found quickly.
    expect(frames.map(String)).toEqual(['7', String(large), '8']);
    expect(open).toBe(false);
  });

  it('allocates no memory for announced bytes', () => {
    const cutters = Array.from({ length: 20 }, () => new FrameCutter());
    const before = process.memoryUsage().arrayBuffers;
    for (const cutter of cutters) expect([...cutter.push(Buffer.of(1, 0, 0, 0, 1))]).toEqual([]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(frameLimit);
  });

  it('throws an error with the limit', () => {
    expect(() => cut([[1, 0, 0, 1]])).toThrow(`a frame has 16777217 bytes; ${frameLimit} is the limit`);
  });
});
