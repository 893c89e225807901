import { expect, test } from 'vitest';
import { outputBefore } from './previous-output.ts';

test('restores the previous output from the new output and its changes', () => {
  const files = new Map([
    ['same.ts', '1'],
    ['new.ts', '2'],
    ['changed.ts', '3'],
  ]);
  const before = outputBefore(files, {
    create: [{ path: 'new.ts', before: '', after: '2' }],
    update: [{ path: 'changed.ts', before: 'old', after: '3' }],
    remove: [{ path: 'gone.ts', before: 'gone', after: '' }],
  });
  expect(Object.fromEntries(before)).toEqual({ 'same.ts': '1', 'changed.ts': 'old', 'gone.ts': 'gone' });
  expect(files.size).toBe(3);
});
