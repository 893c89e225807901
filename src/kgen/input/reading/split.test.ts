import { expect, test } from 'vitest';
import { splitDocuments } from './split.ts';

const cases: readonly { given: string; want: readonly string[] }[] = [
  { given: '', want: [] },
  { given: 'a: 1\n', want: ['a: 1\n'] },
  { given: 'a: 1\n---\nb: 2\n', want: ['a: 1\n', '---\nb: 2\n'] },
  { given: '---\na: 1\n---\n---\nb: 2', want: ['---\na: 1\n', '---\n', '---\nb: 2'] },
  { given: 'a: 1\r\n---\r\nb: 2\r\n', want: ['a: 1\r\n', '---\r\nb: 2\r\n'] },
  { given: 'a: 1\n--- # comment\nb: 2\n', want: ['a: 1\n', '--- # comment\nb: 2\n'] },
  { given: '--- {a: 1}\n---', want: ['--- {a: 1}\n', '---'] },
  { given: 'a: |\n  x\n  ---\n  y\n', want: ['a: |\n  x\n  ---\n  y\n'] },
  { given: 'a: 1\n----\n---b\n', want: ['a: 1\n----\n---b\n'] },
  { given: 'a: 1\n...\nb: 2\n', want: ['a: 1\n', 'b: 2\n'] },
  { given: 'a: 1\n...', want: ['a: 1\n'] },
  { given: 'a: 1\n...\n---\nb: 2\n...\n', want: ['a: 1\n', '---\nb: 2\n'] },
  { given: '%YAML 1.2\n# c\n---\na: 1\n', want: ['%YAML 1.2\n# c\n---\na: 1\n'] },
  { given: 'a: 1\n...\n%YAML 1.1\n---\nb: 2\n', want: ['a: 1\n', '%YAML 1.1\n---\nb: 2\n'] },
  { given: 'a: "x\u2028--- y"\n', want: ['a: "x\u2028--- y"\n'] },
  { given: '{"a": 1}{"b": 2}', want: ['{"a": 1}', '{"b": 2}'] },
  { given: '{"a": 1}\n{"b": 2}\n', want: ['{"a": 1}', '{"b": 2}\n'] },
  { given: ' \r\n{"a": 1}\r\n\t{"b": "}{\\""} {}', want: ['{"a": 1}', '{"b": "}{\\""}', '{}'] },
  { given: '{\n  "a": {"b": []}\n}\n{\n  "c": 2\n}\n', want: ['{\n  "a": {"b": []}\n}', '{\n  "c": 2\n}\n'] },
  { given: '{"a": 1}\n', want: ['{"a": 1}\n'] },
  { given: '{"a": 1}\n---\n{"b": 2}\n', want: ['{"a": 1}\n', '---\n{"b": 2}\n'] },
  { given: '{"a": 1}\n{"b": 2}\nc: 3\n', want: ['{"a": 1}', '{"b": 2}\nc: 3\n'] },
  { given: '{"a": 1}\n{b: 2}\n', want: ['{"a": 1}\n{b: 2}\n'] },
  { given: '{"a": 1}\n{"b": 2', want: ['{"a": 1}\n{"b": 2'] },
  { given: '{a: 1}\n{b: 2}\n', want: ['{a: 1}\n{b: 2}\n'] },
];

test.each(cases)('splits $given', ({ given, want }) => {
  const chunks = splitDocuments(given);
  expect(chunks.map(({ text }) => text)).toEqual(want);
  for (const { offset, text } of chunks) expect(given.slice(offset, offset + text.length)).toBe(text);
});
