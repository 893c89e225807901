/** `kgen view`, in a process of its own. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recordingText } from '../../src/kgen/view/recording.fixture.ts';
import { repository } from '../support/emitted.ts';

const kgen = join(repository, 'src/kgen/bin/kgen.js');

/** Returns a folder with the file of a recording. */
function folderWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-view-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'recording.jsonl'), text);
  return folder;
}

test('--out writes the page for the owner alone, without values of Secrets', () => {
  const cwd = folderWith(recordingText());
  writeFileSync(join(cwd, 'page.html'), 'an earlier page', { mode: 0o644 });
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [kgen, 'view', 'recording.jsonl', '--out', 'page.html'],
    {
      cwd,
      encoding: 'utf8',
    },
  );
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'wrote page.html\n', stderr: '' });
  const page = readFileSync(join(cwd, 'page.html'), 'utf8');
  expect(page).toContain('"title":"shop: recording"');
  expect(page).not.toContain('aHVudGVyMg');
  expect(statSync(join(cwd, 'page.html')).mode & 0o777).toBe(0o600);
});

test('serves the page until SIGINT', async () => {
  const child = spawn(process.execPath, [kgen, 'view', 'recording.jsonl'], {
    cwd: folderWith(recordingText()),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  expect(line).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}\n$/);
  expect(await (await fetch(String(line).trim())).text()).toContain('"title":"shop: recording"');
  const end = once(child, 'exit');
  child.kill('SIGINT');
  expect(await end).toEqual([0, null]);
});

test.each([
  ['a file that does not exist', ['no.jsonl'], /no\.jsonl: error: ENOENT/],
  [
    'another file',
    [kgen],
    /kgen\.js: error: this is neither a recording of the flight recorder nor a document in JSON/,
  ],
])('refuses %s', (_, args, message) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [kgen, 'view', ...args], {
    cwd: folderWith(''),
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(message);
});
