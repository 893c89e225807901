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

it('kgen codemod client-node prints the difference, and writes files with --write', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-codemod-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const file = join(folder, 'main.js');
  const before = `import * as k8s from '@kubernetes/client-node';

const kc = new k8s.KubeConfig();
kc.loadFromDefault();
console.log(kc.getCurrentContext());
`;
  writeFileSync(file, before);
  const place = 'main.js:5:13';
  const message = 'getCurrentContext of KubeConfig has no equivalent: change it by hand';

  const dry = await runIn(folder, 'codemod client-node main.js --dry-run');
  expect(dry).toEqual({
    code: 0,
    stdout: `--- main.js
+++ main.js
@@ -2,4 +2,5 @@
 
 const kc = new k8s.KubeConfig();
 kc.loadFromDefault();
+// kgen codemod: getCurrentContext of KubeConfig has no equivalent
 console.log(kc.getCurrentContext());
1 file would change
`,
    stderr: `${place}: warning: ${message}\n`,
  });
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(await runIn(folder, 'codemod client-node main.js --check')).toMatchObject({ code: 1 });
  expect(await runIn(folder, 'codemod client-node main.js --check --write')).toMatchObject({ code: 2 });
  expect(await runIn(folder, 'codemod main.js --write')).toMatchObject({ code: 2 });

  const json = await runIn(folder, 'codemod client-node main.js --json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    ok: true,
    files: [{ path: 'main.js' }],
    problems: [{ severity: 'warning', file: 'main.js', line: 5, column: 13, message }],
  });
  expect(await runIn(folder, 'codemod client-node main.js --write')).toMatchObject({
    code: 0,
    stdout: '1 file changed\n',
  });
  const written = readFileSync(file, 'utf8');
  await runIn(folder, 'codemod client-node main.js --write');
  expect(readFileSync(file, 'utf8')).toBe(written);
});

it.each([
  {
    name: 'main.cjs',
    text: "const k8s = require('@kubernetes/client-node');",
    what: /CommonJS files cannot await/,
  },
  { name: 'all.ts', text: "export * from '@kubernetes/client-node';", what: /only imports at the start/ },
  { name: 'main.ts', text: "import { V1Pod } from '@kubernetes/client-node';", what: /"type": "module"/ },
])('kgen codemod client-node warns about the modules of $name', async ({ name, text, what }) => {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-codemod-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(join(folder, name), `${text}\n`);
  const { code, stderr } = await runIn(folder, `codemod client-node ${name}`);
  expect(code).toBe(0);
  expect(stderr).toMatch(what);
});
