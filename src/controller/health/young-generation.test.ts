import { expect, test } from 'vitest';
import { noteYoungGeneration } from './young-generation.ts';

test.each<{ name: string; execArgv?: string[]; options?: string; isNoted: boolean }>([
  { name: 'no flag', isNoted: true },
  { name: 'another flag', execArgv: ['--max-old-space-size=100'], isNoted: true },
  { name: 'the flag', execArgv: ['--max-semi-space-size=8'], isNoted: false },
  { name: 'the flag with underscores', execArgv: ['--max_semi_space_size=8'], isNoted: false },
  { name: 'the flag in NODE_OPTIONS', options: '--trace-warnings --max-semi-space-size=8', isNoted: false },
])('the space of new objects is noted with $name: $isNoted', ({ execArgv = [], options, isNoted }) => {
  const lines: string[] = [];
  const unused = (): void => expect.unreachable();
  const debug = (_: object, message: string): unknown => lines.push(message);
  const log = { debug, info: unused, warn: unused, error: unused };
  noteYoungGeneration(log, { execArgv, env: options === undefined ? {} : { NODE_OPTIONS: options } });
  expect(lines).toEqual(isNoted ? [expect.stringContaining('node --max-semi-space-size=8')] : []);
});
