import { expect, test } from 'vitest';
import { type Arguments, parseArguments } from './arguments.ts';
import type { CommandArguments } from './commands/table.ts';
import type { Exit } from './exit.ts';

const parse = (line: string): Arguments | CommandArguments | Exit =>
  parseArguments(line.split(' ').filter(Boolean), '1.2.3');

const good: readonly { given: string; want: Partial<Arguments> }[] = [
  { given: 'a.yaml crds', want: { settings: { input: ['a.yaml', 'crds'] } } },
  { given: '', want: { settings: {} } },
  { given: '-', want: { settings: { input: ['-'] } } },
  { given: 'a --out x', want: { settings: { input: ['a'], out: 'x' } } },
  {
    given: 'a --include my.domain,x/v1 --include */*/Foo',
    want: { settings: { input: ['a'], include: ['my.domain', 'x/v1', '*/*/Foo'] } },
  },
  { given: '--exclude=a/v1 b', want: { settings: { input: ['b'], exclude: ['a/v1'] } } },
  {
    given: 'a --emit js --import-extension .ts',
    want: { settings: { input: ['a'], emit: 'js', importExtension: '.ts' } },
  },
  {
    given: 'a --group-alias x.io=foo --group-alias y.io=bar',
    want: { settings: { input: ['a'], groupAlias: { 'x.io': 'foo', 'y.io': 'bar' } } },
  },
  {
    given: 'a --no-docs --no-descriptions --no-listers --no-informers --no-schemas',
    want: {
      settings: {
        input: ['a'],
        docs: false,
        descriptions: false,
        listers: false,
        informers: false,
        schemas: false,
      },
    },
  },
  {
    given: '--from-cluster --context c --kubeconfig k --paths --verify',
    want: { settings: { fromCluster: true, context: 'c', kubeconfig: 'k', paths: true, verify: true } },
  },
  {
    given: '--from-cluster --no-protobuf',
    want: { settings: { fromCluster: true, protobuf: false } },
  },
  {
    given: '--from-cluster --protobuf all',
    want: { settings: { fromCluster: true, protobuf: 'all' } },
  },
  {
    given: '--openapi a --protobuf=served',
    want: { settings: { openapi: ['a'], protobuf: true } },
  },
  { given: '--kubernetes 1.33 --paths', want: { settings: { kubernetes: '1.33', paths: true } } },
  { given: '--from-cluster --timeout 5', want: { settings: { fromCluster: true, timeout: 5 } } },
  { given: '--openapi a.json --openapi dir', want: { settings: { openapi: ['a.json', 'dir'] } } },
  { given: './init', want: { settings: { input: ['./init'] } } },
  { given: '-- init', want: { settings: { input: ['init'] } } },
  { given: 'a init', want: { settings: { input: ['a', 'init'] } } },
  { given: 'generate a.yaml --out x', want: { settings: { input: ['a.yaml'], out: 'x' } } },
  { given: './generate', want: { settings: { input: ['./generate'] } } },
  { given: './help', want: { settings: { input: ['./help'] } } },
  { given: 'a help', want: { settings: { input: ['a', 'help'] } } },
  { given: 'a --runtime-import ./rt.js', want: { settings: { input: ['a'], runtimeImport: './rt.js' } } },
  { given: 'a --check --json', want: { settings: { input: ['a'] }, mode: 'check', print: 'json' } },
  { given: 'a --quiet', want: { settings: { input: ['a'] }, print: 'problems' } },
  {
    given: 'a --dry-run --config k.yaml',
    want: { settings: { input: ['a'] }, mode: 'dry-run', config: 'k.yaml' },
  },
];

test.each(good)('$given', ({ given, want }) => {
  expect(parse(given)).toEqual({ mode: 'write', print: 'text', ...want });
});

test.each([
  { given: 'init', want: { command: 'init', isClient: false, parts: [], force: false, mode: 'write' } },
  {
    given: 'init shop --domain example.com --dry-run',
    want: {
      command: 'init',
      name: 'shop',
      domain: 'example.com',
      isClient: false,
      parts: [],
      force: false,
      mode: 'dry-run',
    },
  },
  {
    given: 'init --format yaml --force',
    want: { command: 'init', isClient: true, parts: [], format: 'yaml', force: true, mode: 'write' },
  },
])('$given', ({ given, want }) => {
  expect(parse(given)).toEqual(want);
});

const exits: readonly { given: string; code: number; stdout?: RegExp; stderr?: RegExp }[] = [
  { given: '--version', code: 0, stdout: /^1\.2\.3\n$/ },
  {
    given: '--help',
    code: 0,
    stdout: /The core group.*core\.\n(?:.*\n)*Exit status:\n {2}0 .*\n {2}1 .*\n {2}2 .*\n {2}3 /,
  },
  { given: 'a --flavour', code: 2, stderr: /unknown option '--flavour'/ },
  { given: 'a --emit coffee', code: 2, stderr: /Allowed choices are ts, js/ },
  { given: '--from-cluster --protobuf none', code: 2, stderr: /Allowed choices are served, all/ },
  { given: '--from-cluster --protobuf', code: 2, stderr: /argument missing/ },
  { given: 'a --include a/b/c/d', code: 2, stderr: /Give group, group\/version or group\/version\/Kind/ },
  { given: 'a --include a,', code: 2, stderr: /Give group/ },
  { given: 'a --group-alias x', code: 2, stderr: /Give group=name/ },
  { given: 'a --group-alias x=9', code: 2, stderr: /Give group=name/ },
  { given: 'a --check --dry-run', code: 2, stderr: /cannot be used with/ },
  { given: 'a --quiet --json', code: 2, stdout: /"ok":false.*'--quiet' cannot be used with/ },
  { given: '--context=', code: 2, stderr: /Give the name of a context, not an empty string/ },
  { given: '--timeout 0', code: 2, stderr: /Give an integer from 1 to 3600/ },
  { given: '--timeout 5s', code: 2, stderr: /Give an integer from 1 to 3600/ },
  { given: '--kubeconfig=', code: 2, stderr: /Give a file, not an empty string/ },
  { given: '--kubernetes 1.33/../..', code: 2, stderr: /Give a release such as 1\.33 or 1\.33\.4\./ },
  { given: '--openapi=', code: 2, stderr: /Give files or folders, not an empty string/ },
  { given: 'init --help', code: 0, stdout: /^Usage: kgen init \[options\] \[name\]\n/ },
  { given: 'init here there', code: 2, stderr: /too many arguments/ },
  { given: 'init --client --domain a.b --format js', code: 2, stderr: /cannot be used with/ },
  { given: 'create api --group a --version v1', code: 2, stderr: /'--kind <kind>' not specified/ },
  {
    given: 'create pod --group a --version v1 --kind A',
    code: 2,
    stderr: /^error: 'pod' is not a valid part\. Allowed choices are api, webhook\./,
  },
  { given: 'init --format toml', code: 2, stderr: /Allowed choices are ts, js, json, yaml/ },
  { given: 'a --out', code: 2, stderr: /argument missing/ },
  { given: 'a --out=', code: 2, stderr: /Give a folder, not an empty string/ },
  { given: 'a --config=', code: 2, stderr: /Give a file, not an empty string/ },
  { given: 'a --runtime-import=', code: 2, stderr: /Give the name of a module, not an empty string/ },
  {
    given: 'a --group-alias x.io=foo --group-alias y.io=foo',
    code: 2,
    stderr: /Give x\.io and y\.io names that differ/,
  },
];

test.each(exits)('$given exits with $code', ({ given, code, stdout = /^$/, stderr = /^$/ }) => {
  expect(parse(given)).toEqual({
    exitCode: code,
    stdout: expect.stringMatching(stdout),
    stderr: expect.stringMatching(stderr),
  });
});

test('rejects an empty input', () => {
  expect(parseArguments(['a', ''], '1.2.3')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('not an empty string'),
  });
});

test('with --json, prints usage errors as one JSON object on standard output', () => {
  const exit = parse('a --json --flavour');
  expect(exit).toMatchObject({ exitCode: 2, stderr: '' });
  expect(JSON.parse('stdout' in exit ? exit.stdout : '')).toEqual({
    ok: false,
    problems: [{ severity: 'error', message: "unknown option '--flavour'" }],
  });
  expect(parse('--json --help')).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Usage/) });
});
