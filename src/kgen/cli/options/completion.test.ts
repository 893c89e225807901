import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Argument, Command, Option } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runIn } from '../console.fixture.ts';
import { completionScript } from './completion.ts';
import { inputs } from './values.ts';

const cwd = mkdtempSync(join(tmpdir(), 'kgen-completion-'));
let script = '';

beforeAll(async () => {
  script = await printed('bash');
  for (const folder of ['crds', 'config dir']) mkdirSync(join(cwd, folder));
  for (const file of ['crd.yaml', 'a b.yaml']) writeFileSync(join(cwd, file), '');
});

afterAll(() => rmSync(cwd, { recursive: true }));

async function printed(shell: string): Promise<string> {
  const { code, stdout } = await runIn(cwd, `completion ${shell}`);
  expect(code).toBe(0);
  return stdout;
}

/** Returns the words that bash proposes for the last word of a command line. */
function completed(line: string): readonly string[] {
  const words = line.split(' ');
  const program = `eval "$SCRIPT"; complete -p kgen >/dev/null || exit 1
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _kgen kgen "\${COMP_WORDS[COMP_CWORD]}"; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const options = { cwd, encoding: 'utf8', env: { ...process.env, SCRIPT: script } } as const;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', program, 'bash', ...words], options);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.split('\n').filter((word) => word !== '');
}

const everyFile = ['a b.yaml', 'config dir', 'crd.yaml', 'crds'];

test.each<[line: string, want: readonly string[]]>([
  ['kgen in', ['init', 'install']],
  ['kgen cr', ['crd.yaml', 'crds', 'create']],
  ['kgen crd.yaml cr', ['crd.yaml', 'crds']],
  ['kgen --emit ', ['js', 'ts']],
  ['kgen --emit =', ['js', 'ts']],
  ['kgen --emit = t', ['ts']],
  ['kgen generate --protobuf ', ['all', 'served']],
  ['kgen --no-p', ['--no-protobuf']],
  ['kgen --config ', everyFile],
  ['kgen -o ', ['config dir', 'crds']],
  ['kgen init --packages p', ['pnpm']],
  ['kgen init --domain ', []],
  ['kgen init --dry-run --ci --f', ['--force', '--format']],
  ['kgen create ', ['api', 'webhook']],
  ['kgen create api --scope ', ['Cluster', 'Namespaced']],
  [
    'kgen logs ',
    ['-f', '-h', '--allow-protected', '--context', '--follow', '--help', '--kubeconfig', '--since', '--tail'],
  ],
  ['kgen replay rec.json ', everyFile],
  ['kgen completion ', ['bash', 'fish', 'powershell', 'zsh']],
  ['kgen help perm', ['permissions']],
  ['kgen unknown --em', ['--emit']],
  ['kgen $(echo', []],
])('bash completes "%s"', (line, want) => {
  expect([...completed(line)].sort()).toEqual([...want].sort());
});

test.each(['bash', 'zsh', 'fish', 'powershell'] as const)('the script of %s is as written', async (shell) => {
  const commands = [
    { name: 'pack', about: "packs the author's files", describe: pack },
    {
      name: 'generate',
      about: 'writes clients',
      describe: () => new Command().option('--all', 'all: [of them]'),
    },
  ];
  await expect(completionScript(shell, commands)).toMatchFileSnapshot(`completion.${shell}.golden.txt`);
});

function pack(): Command {
  return new Command()
    .addArgument(new Argument('<part>').choices(['image', 'chart']))
    .option('-o, --out <dir>', "the author's folder\nof the result", inputs)
    .option('--config <file>', 'settings')
    .addOption(new Option('--format <format>', 'format: [of the file]').choices(['ts', 'js']))
    .option('--name <name>', 'a name: \\ any')
    .helpOption('-h, --help', 'print this help');
}

test('all scripts contain the commands and options of --help', async () => {
  const { stdout } = await runIn(cwd, '--help');
  const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?--([\w-]+)/gm)].map(([, name]) => name ?? '');
  const names = [...stdout.matchAll(/^ {2}kgen (\w+) /gm)].map(([, name]) => name ?? '');
  expect(Math.min(flags.length, names.length)).toBeGreaterThan(20);
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const words = new Set((await printed(shell)).match(/[\w-]+/g)?.map((word) => word.replace(/^--/, '')));
    expect([...flags, ...names].filter((name) => !words.has(name))).toEqual([]);
  }
});

test('an unknown shell is an error that lists the shells', async () => {
  const { code, stderr } = await runIn(cwd, 'completion tcsh');
  expect(code).toBe(2);
  expect(stderr).toContain('Allowed choices are bash, zsh, fish, powershell.');
});
