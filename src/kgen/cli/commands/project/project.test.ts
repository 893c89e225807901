import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { repository } from '../../../../../test/support/emitted.ts';
import { parseArguments } from '../../arguments.ts';
import { runIn } from '../../console.fixture.ts';

const foo = 'create api --group shop --version v1alpha1 --kind Foo';
let cwd = '';

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-project-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(cwd, { recursive: true });
});

const read = (path: string): string => readFileSync(join(cwd, path), 'utf8');
const write = (path: string, text: string): void => writeFileSync(join(cwd, path), text);

describe('a new project', () => {
  test('has at most 16 files of the author after its first kind', async () => {
    const init = await runIn(cwd, 'init my-operator --domain example.com');
    expect(init).toMatchObject({ code: 0, stderr: '' });
    const create = await runIn(cwd, foo);
    expect(create).toMatchObject({ code: 0, stderr: '' });
    const created = [init, create].flatMap(({ stdout }) => stdout.match(/(?<=^created +)\S+/gm) ?? []);
    expect(created).toMatchInlineSnapshot(`
      [
        "package.json",
        "tsconfig.json",
        "kgen.config.js",
        ".gitignore",
        "README.md",
        "src/operator.ts",
        "src/main.ts",
        "api/foo.ts",
        "samples/foo.yaml",
        "src/controllers/foo.ts",
        "test/foo.test.ts",
        "test/foo.simulation.test.ts",
        "test/foo.e2e.test.ts",
      ]
    `);
    expect(created.length).toBeLessThanOrEqual(16);
  });

  test('keeps the files that exist', async () => {
    write('README.md', 'mine');
    const { code, stdout } = await runIn(cwd, 'init my-operator --domain example.com');
    expect(code).toBe(0);
    expect(stdout).toContain('kept     README.md\n');
    await runIn(cwd, foo);
    expect(read('README.md')).toBe('mine');
  });

  test('is not written over another one', async () => {
    await runIn(cwd, 'init my-operator --domain example.com');
    expect(await runIn(cwd, 'init other --domain example.com')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: this folder is a project already: kgen create adds to it, and kgen init with --agents, --ci or --devcontainer\n',
    });
  });

  test('is a git repository, unless its folder is part of one', async () => {
    const { stdout } = await runIn(cwd, 'init outer --domain example.com');
    expect(stdout).toContain('The folder is a git repository now, without a commit.\n');
    expect(existsSync(join(cwd, '.git/HEAD'))).toBe(true);
    cwd = join(cwd, 'inner');
    mkdirSync(cwd);
    expect((await runIn(cwd, 'init inner --domain example.com')).stdout).not.toContain('git repository');
    expect(existsSync(join(cwd, '.git'))).toBe(false);
    cwd = join(cwd, '..');
  });

  test('needs no git', async () => {
    vi.stubEnv('PATH', join(cwd, 'nothing'));
    const result = await runIn(cwd, 'init my-operator --domain example.com');
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).not.toContain('git repository');
    expect(existsSync(join(cwd, 'src/main.ts'))).toBe(true);
  });

  test.each([
    ['npm/11.0.0', undefined, [], 'npm ci'],
    ['pnpm/12.21.0', undefined, [], 'pnpm install --frozen-lockfile'],
    ['yarn/4.18.1', 'yarn@4.18.1', ['.yarnrc.yml'], 'yarn install --immutable'],
    ['yarn/1.22.22', 'yarn@1.22.22', [], 'yarn install --frozen-lockfile'],
    ['bun/1.4.5', undefined, [], 'bun install --frozen-lockfile'],
  ])('of %s has its settings, and states its version', async (agent, stated, settings, install) => {
    vi.stubEnv('npm_config_user_agent', `${agent} npm/? node/v24.0.0`);
    await runIn(cwd, 'init my-operator --domain example.com --ci');
    expect(JSON.parse(read('package.json'))['packageManager']).toBe(stated);
    const found = ['pnpm-workspace.yaml', '.yarnrc.yml'].filter((path) => existsSync(join(cwd, path)));
    expect(found).toEqual(settings);
    expect(read('.github/workflows/ci.yaml')).toContain(`- run: ${install}\n`);
    const { stdout } = await runIn(cwd, foo);
    expect(stdout).toContain(`  3. ${agent.split('/')[0]} run test\n`);
  });

  test.each([
    ['npm/11.0.0 node/v24.0.0', '', '1. npm install', '2. npx kgen create'],
    ['pnpm/10.0.0 npm/? node/v24.0.0', '', '1. pnpm install', '2. pnpm exec kgen create'],
    ['yarn/4.0.0 npm/? node/v24.0.0', '', '1. yarn install', '2. yarn kgen create'],
    ['bun/1.3.0 npm/? node/v24.0.0', '', '1. bun install', '2. bunx kgen create'],
    ['npm/11.0.0 node/v24.0.0', '--packages bun', '1. bun install', '2. bunx kgen create'],
    ['', '', '1. npm install', '2. npx kgen create'],
  ])('begun with the user agent %j %s names the next steps', async (agent, flags, install, create) => {
    vi.stubEnv('npm_config_user_agent', agent);
    if (flags !== '') vi.stubEnv('PATH', join(cwd, 'nothing')); // Its version is unknown.
    const { stdout } = await runIn(cwd, `init my-operator --domain example.com --dry-run ${flags}`);
    expect(stdout).toContain('Nothing was written.');
    const written = await runIn(cwd, `init my-operator --domain example.com ${flags}`);
    expect(written.stdout).toContain(install);
    expect(written.stdout).toContain(create);
  });

  test('is named as its folder', async () => {
    cwd = join(cwd, 'My_Operator 2');
    mkdirSync(cwd);
    await runIn(cwd, 'init --domain example.com');
    expect(read('src/operator.ts')).toContain("const name = 'my-operator-2';");
    cwd = join(cwd, '..');
  });
});

describe('a kind of others', () => {
  const crd = join(repository, 'crds/myapp.yaml');
  const myApp = `create api --external my.domain/v1/MyApp --from ${crd}`;
  const created = ({ stdout }: { readonly stdout: string }): readonly string[] =>
    stdout.match(/(?<=^created +)\S+/gm) ?? [];

  beforeEach(async () => {
    await runIn(cwd, 'init my-operator --domain example.com');
    symlinkSync(join(repository, 'node_modules'), join(cwd, 'node_modules'), 'junction');
  });

  test.each([
    [myApp, ['external/my.domain_myapps.yaml']],
    [
      `${myApp} --controller`,
      [
        'src/controllers/myapp.ts',
        'test/myapp.test.ts',
        'test/myapp.simulation.test.ts',
        'external/my.domain_myapps.yaml',
      ],
    ],
    ['create api --external apps/v1/Deployment', []],
    [
      'create api --external v1/Pod --controller',
      ['src/controllers/pod.ts', 'test/pod.test.ts', 'test/pod.simulation.test.ts'],
    ],
  ])('%s creates its files, once', async (line, files) => {
    expect(created(await runIn(cwd, line))).toEqual(files);
    expect((await runIn(cwd, line)).stdout).toContain('Nothing changes.\n');
    const isExternal = line.includes('--from');
    expect(read('kgen.config.js').includes("input: ['config/crd', 'external'],")).toBe(isExternal);
  });

  test('gets its controller later', async () => {
    await runIn(cwd, myApp);
    expect(created(await runIn(cwd, `${myApp} --controller`))).toContain('src/controllers/myapp.ts');
    expect(read('src/operator.ts')).toContain('myAppController(manager, informers)');
  });

  test.each([
    [`${myApp}s`, 1, 'file or folder not found'],
    [
      `create api --external my.domain/v1/Other --from ${crd}`,
      1,
      'does not define Other of my.domain: it has my.domain/v1/MyApp\n',
    ],
    [
      `create api --external my.domain/v2/MyApp --from ${crd}`,
      1,
      'error: myapps.my.domain does not serve v2: it serves v1\n',
    ],
    [
      'create api --external apps/v2/Deployment',
      1,
      'error: apps/v2/Deployment is not a kind of Kubernetes; Kubernetes has apps/v1/Deployment: ',
    ],
    ['create api --external Deployment', 1, 'error: "Deployment" is not a kind: give group, version'],
    ['create api --external v1/Foo/', 1, 'is not a kind'],
    ['create api --external v1/Pod --kind Pod', 2, '--kind is not an option of kgen create api --external'],
    ['create api --from a', 2, '--from is not an option of kgen create api without --external'],
    ['create webhook --external v1/Pod', 2, '--external is not an option of kgen create webhook'],
    ['create api --group a --version v1', 2, "required option '--kind <kind>' not specified"],
  ])('%s is refused, and writes nothing', async (line, status, message) => {
    const before = read('.kgen/project.json');
    const { code, stderr } = await runIn(cwd, line);
    expect({ code, stderr }).toEqual({ code: status, stderr: expect.stringContaining(message) });
    expect(read('.kgen/project.json')).toBe(before);
  });

  test('is not added beside a kind of the project of the same name', async () => {
    await runIn(cwd, 'create api --group shop --version v1 --kind MyApp');
    expect((await runIn(cwd, myApp)).stderr).toBe(
      'error: the project has a kind MyApp of shop.example.com already\n',
    );
  });
});

interface WorkflowStep {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly needs?: string; readonly steps: readonly WorkflowStep[] }>
  >;
}

describe('further files of a project', () => {
  const paths = ['AGENTS.md', '.github/workflows/ci.yaml', '.devcontainer/devcontainer.json'];

  test('are written on request only', async () => {
    const { stdout } = await runIn(cwd, 'init my-operator --domain example.com --agents --ci --devcontainer');
    for (const path of paths) expect(stdout).toContain(`created  ${path}\n`);
    expect(await runIn(cwd, foo)).toMatchObject({ code: 0, stderr: '' });
  });

  test('are added to an existing project, once', async () => {
    await runIn(cwd, 'init my-operator --domain example.com');
    await runIn(cwd, 'init --ci');
    const { code, stdout } = await runIn(cwd, 'init --agents');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'created  AGENTS.md\n' });
    expect(JSON.parse(read('.kgen/project.json'))).toMatchObject({ parts: ['agents', 'ci'] });
    rmSync(join(cwd, 'AGENTS.md'));
    expect((await runIn(cwd, 'init --domain example.com --agents')).stdout).toBe('Nothing changes.\n');
    expect(() => read('AGENTS.md')).toThrow('ENOENT');
  });

  test('are not added to a project of another domain, nor without a project', async () => {
    await runIn(cwd, 'init my-operator --domain example.com');
    expect((await runIn(cwd, 'init --domain example.org --ci')).stderr).toContain('a project already');
    expect((await runIn(cwd, 'init --client --ci')).code).toBe(2);
    expect(() => read('.github/workflows/ci.yaml')).toThrow('ENOENT');
  });

  test.each([
    ['npm', 'npm ci'],
    ['pnpm', 'pnpm install --frozen-lockfile'],
    ['yarn', 'yarn install --immutable'],
    ['bun', 'bun install --frozen-lockfile'],
  ])('of %s name commands, scripts and programs that exist', async (packages, install) => {
    const parts = '--agents --ci --devcontainer';
    vi.stubEnv('npm_config_user_agent', `${packages}/4.0.0 npm/? node/v24.0.0`);
    await runIn(cwd, `init my-operator --domain example.com --packages ${packages} ${parts}`);
    await runIn(cwd, foo);
    const { scripts, devDependencies } = JSON.parse(read('package.json'));
    const files = [...paths, 'README.md'].map(read).join('\n');
    const run = `${packages} run`;
    const names = [...files.matchAll(/\b((?:npm|pnpm|yarn|bun) run) (\w+)/g)];
    expect(names.length).toBeGreaterThan(6);
    for (const [line, by, name = ''] of names) {
      expect(by, line).toBe(run);
      expect(scripts).toHaveProperty(name);
    }
    expect(devDependencies).toHaveProperty('vitest');
    const commands = [...read('.github/workflows/ci.yaml').matchAll(/ kgen (.+)/g)].map(
      ([, line = '']) => line,
    );
    expect(commands).toEqual(['build', 'deploy --image my-operator:ci --timeout 300', 'logs', 'doctor']);
    for (const line of commands) expect(parseArguments(line.split(' '), '1')).not.toHaveProperty('exitCode');
    const { jobs } = load(read('.github/workflows/ci.yaml')) as Workflow;
    expect(Object.keys(jobs)).toEqual(['test', 'kind']);
    for (const { needs = 'test', steps } of Object.values(jobs)) {
      expect(jobs).toHaveProperty(needs);
      for (const step of steps) expect('uses' in step).not.toBe('run' in step);
      expect(steps).toContainEqual({ run: install });
      const node = steps.find(({ uses }) => uses === 'actions/setup-node@v4');
      expect(node?.with?.['cache']).toBe(packages === 'bun' ? undefined : packages);
    }
    const container = JSON.parse(read('.devcontainer/devcontainer.json'));
    expect(container).toMatchObject({ postCreateCommand: expect.stringContaining(`${packages} install`) });
    expect(read('AGENTS.md')).toContain(`${run} check `);
  });

  test('have the commands of another package manager on request', async () => {
    await runIn(cwd, 'init my-operator --domain example.com --packages npm');
    vi.stubEnv('npm_config_user_agent', 'pnpm/12.0.0 npm/? node/v24.0.0');
    await runIn(cwd, 'init --ci --packages pnpm');
    expect(read('.github/workflows/ci.yaml')).toContain('version: 12');
    expect(read('package.json')).not.toContain('allowScripts');
    expect(read('README.md')).toContain('pnpm run check');
    await runIn(cwd, 'init --agents');
    expect(read('AGENTS.md')).toContain('pnpm exec kgen create api');
  });

  test('name folders and files that exist', async () => {
    await runIn(cwd, 'init my-operator --domain example.com --agents');
    await runIn(cwd, foo);
    const named = [...read('AGENTS.md').matchAll(/^\| `([^`]+)`/gm)].map(([, path = '']) => path);
    expect(named).toContain('src/controllers/');
    const own = named.filter((path) => path !== 'config/');
    for (const path of own) expect(existsSync(join(cwd, path)), path).toBe(true);
  });
});

describe('a further kind', () => {
  test('is added to the operator beside the edits of its author', async () => {
    await runIn(cwd, 'init my-operator --domain example.com');
    await runIn(cwd, foo);
    const edited = read('src/operator.ts').replace('port: 8443', 'port: 9443');
    write('src/operator.ts', edited);
    const { stdout } = await runIn(cwd, 'create api --group shop --version v1 --kind Bar');
    expect(stdout).toContain('merged   src/operator.ts\n');
    expect(read('src/operator.ts')).toContain('metrics: { port: 9443,');
    expect(read('src/operator.ts')).toContain('manager.add(barController(manager, informers));');
  });

  test('does not bring back a file that the author has deleted', async () => {
    await runIn(cwd, 'init my-operator --domain example.com');
    await runIn(cwd, foo);
    rmSync(join(cwd, 'samples/foo.yaml'));
    const { stdout } = await runIn(cwd, 'create api --group shop --version v1 --kind Bar');
    expect(stdout).not.toContain('samples/foo.yaml');
    expect(() => read('samples/foo.yaml')).toThrow('ENOENT');
  });

  test('is marked where the author has changed the same line', async () => {
    await runIn(cwd, 'init my-operator --domain example.com');
    write(
      'src/operator.ts',
      read('src/operator.ts').replace('  return manager;', '  return other(manager);'),
    );
    const { stderr } = await runIn(cwd, foo);
    expect(stderr).toBe(
      'src/operator.ts: warning: one place was changed by you and by kgen: choose between the parts at <<<<<<< and >>>>>>>\n',
    );
  });
});

test.each([
  ['init My --domain example.com', 1, 'name "My" must be'],
  ['init my --domain example', 1, 'domain "example" must be'],
  ['init my', 2, 'give --domain example.com, or --client'],
  [foo, 1, 'this folder is not a project: run kgen init --domain DOMAIN first'],
])('%s is refused', async (line, code, message) => {
  const result = await runIn(cwd, line);
  expect(result).toMatchObject({ code, stdout: '' });
  expect(result.stderr).toContain(message);
});

test.each([
  ['--group Shop --version v1 --kind Foo', 'group "Shop" must'],
  ['--group shop --version 1 --kind Foo', 'version "1" must'],
  ['--group shop --version v1 --kind foo', 'kind "foo" must'],
  ['--group shop --version v1 --kind Foo --plural a-b', 'plural "a-b" must'],
  ['--group shop --version v1 --kind FOO', 'the project has a kind Foo of shop.example.com already'],
])('create api %s is refused', async (options, message) => {
  await runIn(cwd, 'init my --domain example.com');
  await runIn(cwd, foo);
  const before = read('.kgen/project.json');
  const result = await runIn(cwd, `create api ${options}`);
  expect(result).toMatchObject({ code: 1, stdout: '' });
  expect(result.stderr).toContain(message);
  expect(read('.kgen/project.json')).toBe(before);
});

describe('kgen create', () => {
  beforeEach(async () => {
    await runIn(cwd, 'init my --domain example.com');
    await runIn(cwd, foo);
  });

  test('adds a version and webhooks once', async () => {
    const further = 'create api --group shop --version v1beta1 --kind Foo';
    expect((await runIn(cwd, further)).stdout).toMatch(
      /^updated +src\/operator.ts\nupdated +api\/foo.ts\ncreated +src\/webhooks\/foo.ts\ncreated +test\/foo.webhooks.test.ts\n/,
    );
    expect(await runIn(cwd, further)).toMatchObject({ code: 1, stdout: '' });
    const webhook = 'create webhook --group shop.example.com --version v1alpha1 --kind Foo --defaults';
    expect((await runIn(cwd, webhook)).stdout).toMatch(/^updated +src\/webhooks\/foo.ts\n/);
    const again = await runIn(cwd, webhook);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toMatch(/^Nothing changes/);
    expect(read('src/webhooks/foo.ts')).not.toContain('validates');
  });

  test('writes nothing in a dry run', async () => {
    const { stdout } = await runIn(
      cwd,
      'create webhook --group apps --version v1 --kind Deployment --dry-run',
    );
    expect(stdout).toMatch(/created +src\/webhooks\/deployment.ts\n[\s\S]*Nothing was written/);
    expect(existsSync(join(cwd, 'src/webhooks'))).toBe(false);
  });

  test.each([
    [
      'webhook --group shop --version v1 --kind Bar',
      'the project has no kind Bar of shop: run kgen create api first',
    ],
    ['webhook --group shop --version v1 --kind Foo', 'webhooks of Foo review v1alpha1'],
    [
      'webhook --group core --version v1 --kind Foo',
      'the project has a kind Foo of shop.example.com already',
    ],
    ['webhook --group core --version 1 --kind Pod', 'version "1" must'],
    ['webhook --group core --version v1 --kind ../Pod', 'kind "../Pod" must'],
    ['webhook --group ../k8s.io --version v1 --kind Pod', 'the project has no kind Pod of ../k8s.io'],
    [
      'webhook --group core --version v1 --kind Pod --plural pod',
      '--plural is not an option of kgen create webhook',
    ],
    [
      'api --group shop --version v1 --kind Bar --validates',
      '--validates is not an option of kgen create api',
    ],
    [
      'api --group shop --version v1alpha1 --kind Foo',
      'the project has a kind Foo of shop.example.com already, in v1alpha1',
    ],
  ])('%s is refused', async (line, message) => {
    const before = read('.kgen/project.json');
    const result = await runIn(cwd, `create ${line}`);
    expect(result).toMatchObject({ code: expect.any(Number), stdout: '' });
    expect(result.code).toBeGreaterThan(0);
    expect(result.stderr).toContain(message);
    expect(read('.kgen/project.json')).toBe(before);
  });
});

test.each([
  ['not JSON', 'it is not a JSON object'],
  ['{"name":"A"}', 'name or domain is missing or invalid'],
  ['{"name":"a","domain":"b.c","kinds":[],"parts":["x"],"files":{}}', 'parts is not a list of agents, ci'],
  ['{"name":"a","domain":"b.c","kinds":[{"kind":"../x"}],"files":{}}', 'kinds is not a list of kinds'],
  [
    '{"name":"a","domain":"b.c","kinds":[],"webhooks":[{"kind":"../x"}],"files":{}}',
    'webhooks is not a list of webhooks',
  ],
])('the record %j is refused', async (text, message) => {
  await runIn(cwd, 'init my --domain example.com');
  write('.kgen/project.json', text);
  expect((await runIn(cwd, foo)).stderr).toContain(message);
});
