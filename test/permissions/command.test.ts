import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runIn } from '../../src/kgen/cli/console.fixture.ts';
import { repository } from '../support/emitted.ts';

function project(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-permissions-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries({ 'package.json': '{"type": "module"}', ...files }))
    writeFileSync(join(folder, name), text);
  return folder;
}

const main = `import { Clientset } from '@kgen/kubernetes';
import { loadConfig } from '@kgen/runtime';

export const { coreV1, rest } = new Clientset(await loadConfig());
await coreV1.secrets().list();
await coreV1.pods('shop').get('web');
`;

it('kgen permissions prints the permissions of a program, and which are dangerous', async () => {
  const folder = project({ 'main.ts': main });
  expect(await runIn(folder, 'permissions main.ts')).toEqual({
    code: 0,
    stdout: `pods named web in namespace shop
  get: main.ts:6 get
secrets in the whole cluster
  list: main.ts:5 list
dangerous
  main.ts:5: list secrets in the whole cluster: reads the Secrets of all namespaces, also tokens of service accounts
`,
    stderr: '',
  });
  const json = await runIn(folder, 'permissions main.ts --json');
  const secrets = {
    group: '',
    resource: 'secrets',
    verbs: ['list'],
    scope: 'cluster',
    names: [],
    file: 'main.ts',
  };
  expect(JSON.parse(json.stdout)).toEqual({
    ok: true,
    permissions: [
      {
        group: '',
        resource: 'pods',
        verbs: ['get'],
        scope: 'namespace',
        namespace: 'shop',
        names: ['web'],
        file: 'main.ts',
        line: 6,
        column: 27,
        reason: 'get',
      },
      { ...secrets, line: 5, column: 24, reason: 'list' },
    ],
    dangers: [
      { ...secrets, line: 5, column: 24, reason: expect.stringContaining('Secrets of all namespaces') },
    ],
    problems: [],
  });
});

it('kgen permissions reports a request whose resource is unknown, until the configuration states it', async () => {
  const folder = project({ 'main.ts': `${main}await rest.get(String(process.argv[2]));\n` });
  const { code, stderr } = await runIn(folder, 'permissions main.ts');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^main\.ts:7:12: error: the resource of a request by path is not known at compile time/,
    ),
  });
  writeFileSync(join(folder, 'kgen.config.yaml'), 'permissions:\n  main.ts: [apps/deployments get]\n');
  expect(await runIn(folder, 'permissions main.ts')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(
      'deployments.apps in the whole cluster\n  get: main.ts stated by @permissions\n',
    ),
  });
  writeFileSync(join(folder, 'kgen.config.yaml'), 'permissions: [apps/deployments get]\n');
  expect(await runIn(folder, 'permissions main.ts')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'kgen.config.yaml:1:1: error: permissions must be an object of files and lists of permissions\n',
  });
  writeFileSync(join(folder, 'kgen.config.yaml'), '{}');
  expect(await runIn(folder, 'permissions gone.ts')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('gone.ts'),
  });
});

it('kgen permissions and manifests fail for a program that does not compile, and write nothing', async () => {
  const folder = project({
    'a-module.ts': `import { pods } from './clients.js';\nawait pods.list();\n`,
    'b-member.ts': `${main}await coreV1.podz('shop').list();\n`,
    'c-name.ts': `await clientset.coreV1.pods('shop').list();\nexport {};\n`,
    'd-type.ts': `${main}await coreV1.pods('shop').get(5);\n`,
    'e-package.ts': `${main}import 'acme-cleaner';\n`,
    'f-syntax.ts': `${main}await coreV1.pods('shop'.list();\n`,
  });
  const program = 'a-module.ts b-member.ts c-name.ts d-type.ts e-package.ts f-syntax.ts';
  const { code, stdout, stderr } = await runIn(folder, `permissions ${program}`);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.split('\n').map((line) => line.replace(/: [^:]*(?= \(TS)/, ''))).toEqual([
    'a-module.ts:1:22: error (TS2307)',
    'b-member.ts:7:14: error (TS2339)',
    'c-name.ts:1:7: error (TS2304)',
    'd-type.ts:7:31: error (TS2345)',
    'e-package.ts:7:8: error (TS2882)',
    'f-syntax.ts:7:32: error (TS1005)',
    'error: the program does not compile, and its types name the resources of its requests',
    '',
  ]);
  const options = program.replaceAll(/^| /g, ' --program ').trim();
  expect(await runIn(folder, `manifests ${options}`)).toMatchObject({ code: 1, stderr });
  expect(existsSync(join(folder, 'config'))).toBe(false);
});

it('kgen permissions fails for a module of JavaScript that imports a module that does not exist', async () => {
  const folder = project({ 'main.js': `import { pods } from './gone.js';\nawait pods.list();\n` });
  const { code, stderr } = await runIn(folder, 'permissions main.js');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `main.js:1:22: error: the module "./gone.js" does not exist
error: the program does not compile, and its types name the resources of its requests
`,
  });
});

it('kgen permissions ignores errors that the author has not requested, and unused names', async () => {
  const options = (strict: object) =>
    JSON.stringify({ compilerOptions: { module: 'nodenext', noUnusedLocals: true, ...strict } });
  const text = `${main}const unused = 1;\nexport const f = (value) => value.length;\n`;
  const folder = project({ 'main.ts': text, 'tsconfig.json': options({ strict: false }) });
  expect(await runIn(folder, 'permissions main.ts')).toMatchObject({ code: 0, stderr: '' });
  writeFileSync(join(folder, 'tsconfig.json'), options({ strict: true }));
  const { code, stderr } = await runIn(folder, 'permissions main.ts');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^main\.ts:8:19: error: .*TS7006/m),
  });
});
