import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

it('compiled modules are kept for the next run, by releases of Node.js that can', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-compiled-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(import.meta.dirname, '../../bin/kgen.js');
  const { NODE_COMPILE_CACHE: _, NODE_DISABLE_COMPILE_CACHE: __, ...others } = process.env;
  const env = { ...others, TMPDIR: folder, TEMP: folder, TMP: folder };
  execFileSync(process.execPath, [program, '--version'], { env });
  expect(existsSync(join(folder, 'node-compile-cache'))).toBe('enableCompileCache' in module);
});
