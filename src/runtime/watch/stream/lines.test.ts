import { describe, expect, it } from 'vitest';
import { Seeded } from '../../../../test/support/runtime/random.ts';
import { LineSplitter, LineTooLong } from './lines.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('LineSplitter', () => {
  it.each<{ given: string[]; want: string[] }>([
    { given: ['a\nb\n'], want: ['a', 'b'] },
    { given: ['a', 'b', '\n'], want: ['ab'] },
    { given: ['a\n\n \nb\n'], want: ['a', '', ' ', 'b'] },
    { given: ['a\r\nb\r\n'], want: ['a\r', 'b\r'] },
    { given: ['a\nhalf'], want: ['a'] },
    { given: [''], want: [] },
  ])('$given returns $want', ({ given, want }) => {
    const splitter = new LineSplitter();
    expect(given.flatMap((chunk) => splitter.push(bytes(chunk)))).toEqual(want);
  });

  it.each<{ given: string[]; want: string | undefined }>([
    { given: [], want: undefined },
    { given: ['a\n'], want: undefined },
    { given: ['a\nha', 'lf'], want: 'half' },
    { given: ['a\n\r'], want: '\r' },
  ])('$given ends with $want', ({ given, want }) => {
    const splitter = new LineSplitter();
    for (const chunk of given) splitter.push(bytes(chunk));
    expect(splitter.end()).toBe(want);
  });

  it('splits lines regardless of chunk boundaries, even within a character', () => {
    const lines = ['grüße', '日本語', '🙂🙂', 'plain', 'ß'.repeat(300)];
    const whole = bytes(`${lines.join('\n')}\n`);
    for (let seed = 1; seed <= 50; seed += 1) {
      const random = new Seeded(seed);
      const splitter = new LineSplitter();
      const seen: string[] = [];
      for (let at = 0; at < whole.length; ) {
        const size = 1 + random.below(7);
        seen.push(...splitter.push(whole.subarray(at, at + size)));
        at += size;
      }
      expect(seen, `seed ${seed}`).toEqual(lines);
    }
  });

  it('joins a long line of several chunks', () => {
    const chunks = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(10_000));
    const splitter = new LineSplitter();
    const seen = [...chunks, '\nnext\n'].flatMap((chunk) => splitter.push(bytes(chunk)));
    expect(seen).toEqual([chunks.join(''), 'next']);
  });

  it.each([
    { chunks: ['12345\n'], fails: false },
    { chunks: ['123456\n'], fails: true },
    { chunks: ['123', '456'], fails: true },
    { chunks: ['123\n', '12345\n', '12345\n'], fails: false },
  ])('enforces the limit of lines: $chunks', ({ chunks, fails }) => {
    const splitter = new LineSplitter(5);
    const push = (): void => chunks.forEach((chunk) => void splitter.push(bytes(chunk)));
    if (fails) expect(push).toThrow(LineTooLong);
    else expect(push).not.toThrow();
  });
});
