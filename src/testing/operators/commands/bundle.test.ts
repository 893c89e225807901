import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { importBundled } from './bundle.ts';

test.each([
  ['that is valid', 'export const value: number = 1;', undefined],
  ['that throws', "throw new Error('broken');", 'broken'],
  ['that cannot be parsed', 'export const;', 'Build failed'],
])('a module %s leaves nothing behind in the folder of packages', async (_, source, message) => {
  const project = mkdtempSync(join(tmpdir(), 'kgen-bundle-'));
  onTestFinished(() => rmSync(project, { recursive: true }));
  mkdirSync(join(project, 'node_modules/@kgen/testing'), { recursive: true });
  writeFileSync(join(project, 'operator.ts'), source);
  const imported = importBundled(join(project, 'operator.ts'));
  if (message === undefined) expect(await imported).toMatchObject({ value: 1 });
  else await expect(imported).rejects.toThrow(message);
  expect(readdirSync(join(project, 'node_modules'))).toEqual(['@kgen']);
});
