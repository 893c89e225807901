/** Steps of walkthroughs, from the text of a page. */
import { describe, expect, test } from 'vitest';
import { missingLine, stepsOf } from './walkthrough/steps.ts';

const fence = '```';
const command = { kind: 'command', beside: '', isLasting: false, output: [] };

describe('steps of a page', () => {
  test.each([
    ['headings', '# A\n\n## B', [{ title: 'A' }, { title: 'B', line: 3 }]],
    [
      'commands with comments',
      `${fence}sh\na --b # make a\n\nc '#'\n${fence}`,
      [
        { ...command, command: 'a --b', beside: 'make a', line: 2 },
        { ...command, command: "c '#'", line: 4 },
      ],
    ],
    [
      'the output of the last command',
      `${fence}sh\na\nb\n${fence}\n\n${fence}text\n1\n2\n${fence}`,
      [
        { command: 'a', output: [] },
        { command: 'b', output: ['1', '2'] },
      ],
    ],
    ['a command that lasts', `${fence}sh until Ctrl+C\na\n${fence}`, [{ command: 'a', isLasting: true }]],
    ['a command that is not run', `${fence}sh not run: no image\na\n${fence}\n# A`, [{ title: 'A' }]],
    ['files', `${fence}ts file api/a.ts\n# x\n${fence}`, [{ kind: 'file', path: 'api/a.ts', text: '# x\n' }]],
  ])('are %s', (_, page, steps) => {
    expect(stepsOf(page)).toMatchObject(steps);
    expect(stepsOf(page)).toHaveLength(steps.length);
  });

  test.each([
    ['a program', `${fence}ts\n1;\n${fence}`, 'line 2: a block of ts  is not a step'],
    ['an output without a command', `${fence}text\n1\n${fence}`, 'line 2: a block of text  is not a step'],
    ['two commands that last', `${fence}sh until Ctrl+C\na\nb\n${fence}`, 'line 2: expected one command'],
  ])('are not %s', (_, page, message) => {
    expect(() => stepsOf(page)).toThrow(message);
  });
});

describe('an output', () => {
  test.each([
    ['has its lines in order', 'a\nb\nc', ['a', 'c'], undefined],
    ['has any width of columns', 'NAME    AGE  ', ['NAME AGE'], undefined],
    [
      'has any characters in place of …',
      'ok  permissions: 12 granted',
      ['ok permissions: … granted'],
      undefined,
    ],
    ['lacks a line in another order', 'b\na', ['a', 'b'], 'b'],
    ['lacks a line that only begins so', 'created x', ['created'], 'created'],
    ['contains no patterns', 'abc', ['a.c'], 'a.c'],
  ])('%s', (_, output, expected, missing) => {
    expect(missingLine(output, expected)).toBe(missing);
  });
});
