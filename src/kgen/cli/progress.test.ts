import { expect, test } from 'vitest';
import { plain } from './colors.ts';
import { startProgress } from './progress.ts';

function shown(name: string | undefined, steps: readonly (readonly [string, number?, number?])[]): string {
  let text = '';
  const write = (more: string): void => {
    text += more;
  };
  const progress = startProgress({ isTerminal: true, hasCursor: true, paint: plain, write }, name);
  for (const [step, done, total] of steps) progress.show(step, done, total);
  progress.end();
  return text;
}

test('an output that cannot replace a line shows no progress', () => {
  const write = (): void => expect.unreachable();
  const progress = startProgress({ isTerminal: true, hasCursor: false, paint: plain, write });
  progress.show('reading');
  progress.end();
});

test.each([
  { name: undefined, steps: [], want: '' },
  { name: undefined, steps: [['asking', 2, 10]], want: '\rasking 2/10 …\r             \r' },
  { name: 'a', steps: [['b', 7], ['c']], want: '\ra: b 7 …\ra: c …  \r      \r' },
] as const)('$name $steps', ({ name, steps, want }) => {
  expect(shown(name, steps)).toBe(want);
});
