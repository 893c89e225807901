import { expect, test } from 'vitest';
import { formatProblem } from '../../common/problems.ts';
import { decode } from './decode.ts';

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

test.each([
  { name: 'UTF-8', given: Buffer.from('a: ä\n'), want: 'a: ä\n' },
  { name: 'UTF-8 with a byte order mark', given: Buffer.from('\ufeffa: 1\n'), want: 'a: 1\n' },
  { name: 'UTF-16 little-endian', given: utf16('\ufeffa: ä\n'), want: 'a: ä\n' },
  { name: 'UTF-16 big-endian', given: utf16('\ufeffa: ä\n').swap16(), want: 'a: ä\n' },
  { name: 'nothing', given: Buffer.alloc(0), want: '' },
])('$name', ({ given, want }) => {
  expect(decode({ file: 'f', bytes: given })).toEqual({
    value: { file: 'f', text: want },
    problems: [],
  });
});

test.each([
  {
    name: 'NUL bytes',
    given: Buffer.from('a: b\nc: \0d\n'),
    want: 'f:2:4: error: the file has NUL bytes, so it is not a text file: give YAML or JSON in UTF-8',
  },
  {
    name: 'Latin-1',
    given: Buffer.from('a: ü\nb: é', 'latin1'),
    want: 'f:1:4: error: the file is not UTF-8 text from here on: give YAML or JSON in UTF-8',
  },
  {
    name: 'UTF-8 cut in the middle of a character',
    given: Buffer.from('x\na: ü').subarray(0, 6),
    want: 'f:2:4: error: the file is not UTF-8 text from here on: give YAML or JSON in UTF-8',
  },
  {
    name: 'random bytes',
    given: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    want: 'f:1:1: error: the file is not UTF-8 text from here on: give YAML or JSON in UTF-8',
  },
])('$name', ({ given, want }) => {
  const { value, problems } = decode({ file: 'f', bytes: given });
  expect(value).toBeUndefined();
  expect(problems.map(formatProblem)).toEqual([want]);
});
