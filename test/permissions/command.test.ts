import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
