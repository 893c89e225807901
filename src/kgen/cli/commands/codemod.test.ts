import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runIn } from '../console.fixture.ts';

it('kgen codemod rewrites programs of the last release, and prints the changes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-codemod-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'main.ts');
  const before = "import { DynamicClient, loadConfig, type Owner } from '@kgen/runtime';\n";
  writeFileSync(file, before);
  const lines = [
    'main.ts:1:10: DynamicClient of @kgen/runtime is DynamicClient of @kgen/runtime/dynamic',
    'main.ts:1:37: Owner of @kgen/runtime is OwnerObject of @kgen/runtime/objects',
  ];

  const check = await runIn(folder, 'codemod main.ts --check');
  expect(check).toEqual({ code: 1, stdout: [...lines, '1 file would change', ''].join('\n'), stderr: '' });
  expect(readFileSync(file, 'utf8')).toBe(before);

  const json = await runIn(folder, 'codemod main.ts gone.ts --check --json');
  expect(json).toMatchObject({ code: 2, stderr: '' });
  expect(JSON.parse(json.stdout)).toEqual({
    ok: false,
    files: [],
    problems: [{ severity: 'error', file: 'gone.ts', message: 'file or folder not found: check the path' }],
  });
  const { code, stdout, stderr } = await runIn(folder, 'codemod main.ts --json --check');
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({
    ok: true,
    files: [
      {
        path: 'main.ts',
        changes: [
          { line: 1, column: 10, message: lines[0]?.slice('main.ts:1:10: '.length) },
          { line: 1, column: 37, message: lines[1]?.slice('main.ts:1:37: '.length) },
        ],
      },
    ],
    problems: [],
  });

  const write = await runIn(folder, 'codemod main.ts');
  expect(write).toEqual({ code: 0, stdout: [...lines, '1 file changed', ''].join('\n'), stderr: '' });
  expect(readFileSync(file, 'utf8')).toBe(
    `import { loadConfig } from '@kgen/runtime';
import { DynamicClient } from '@kgen/runtime/dynamic';
import type { OwnerObject } from '@kgen/runtime/objects';
`,
  );
  const again = await runIn(folder, 'codemod --check main.ts');
  expect(again).toEqual({ code: 0, stdout: 'no file uses a name that has moved\n', stderr: '' });
  expect(await runIn(folder, 'codemod')).toMatchObject({ code: 2, stdout: '' });
  expect(await runIn(folder, 'codemod gone')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('gone'),
  });
});
