import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formatProblem } from '../common/problems.ts';
import { loadConfig } from './load.ts';
import type { OutputSettings } from './settings.ts';

let cwd = '';

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-config-'));
});

afterEach(() => rmSync(cwd, { recursive: true }));

const everything: OutputSettings = {
  input: ['crds'],
  fromCluster: false,
  context: 'dev',
  kubeconfig: 'kube/config',
  openapi: ['swagger.json'],
  kubernetes: '1.33',
  out: 'src/generated',
  include: ['my.domain/*'],
  exclude: ['*/v1alpha1'],
  emit: 'js',
  importExtension: '.ts',
  runtimeImport: './runtime.js',
  groupAlias: { 'my.domain': 'mine' },
  paths: false,
  protobuf: 'all',
  verify: true,
  docs: false,
  descriptions: false,
  listers: false,
  informers: false,
  schemas: false,
};
const json = JSON.stringify(everything);

const good: readonly { file: string; text: string; want: OutputSettings }[] = [
  { file: 'kgen.config.json', text: json, want: everything },
  {
    file: 'kgen.config.yaml',
    text: 'input: crds\ninclude: [a, b]\n',
    want: { input: ['crds'], include: ['a', 'b'] },
  },
  { file: 'kgen.config.js', text: `export default ${json};`, want: everything },
  { file: 'other.txt', text: '', want: {} },
];

test.each(good)('$file', async ({ file, text, want }) => {
  writeFileSync(join(cwd, 'package.json'), '{"type": "module"}');
  writeFileSync(join(cwd, file), text);
  expect(await loadConfig(cwd, undefined)).toEqual({ value: { settings: want }, problems: [] });
});

const bad: readonly { file: string; text: string; want: readonly string[] }[] = [
  {
    file: 'kgen.config.yaml',
    text: 'out: x\nemit: coffee\ndocs: "no"\nflavour: sweet\n',
    want: [
      'kgen.config.yaml:2:1: error: emit must be `ts` or `js`',
      'kgen.config.yaml:3:1: error: docs must be true or false',
      'kgen.config.yaml:4:1: error: unknown setting "flavour": use input, fromCluster, context, kubeconfig, timeout, openapi, kubernetes, out, include, exclude, emit, importExtension, runtimeImport, groupAlias, paths, protobuf, definitions, jsonSchema, exactlyOne, verify, docs, descriptions, listers, informers, schemas, outputs, permissions, deployment, bundle, protect, webhooks',
    ],
  },
  {
    file: 'kgen.config.yaml',
    text: 'fromCluster: yes please\ncontext: 3\nopenapi: [3]\nkubernetes: 1.30\nverify: 1\nprotobuf: some\ndescriptions: x\n',
    want: [
      'kgen.config.yaml:1:1: error: fromCluster must be true or false',
      'kgen.config.yaml:2:1: error: context must be a string that is not empty',
      'kgen.config.yaml:3:1: error: openapi must be a string or a list of strings',
      'kgen.config.yaml:4:1: error: kubernetes must be a release in quotes, such as `1.33` or `1.33.4`',
      'kgen.config.yaml:5:1: error: verify must be true or false',
      'kgen.config.yaml:6:1: error: protobuf must be true, false or `all`',
      'kgen.config.yaml:7:1: error: descriptions must be true or false',
    ],
  },
  {
    file: 'kgen.config.yaml',
    text: 'out: x\noutputs:\n- out: a\n  docs: 1\n- input: b\n- 7\n- out: c\n  outputs: []\n',
    want: [
      'kgen.config.yaml:1:1: error: out cannot be combined with outputs: give each output its own, and remove this one',
      'kgen.config.yaml:4:3: error: docs must be true or false',
      'kgen.config.yaml:5:3: error: this output has no out: give it a folder of its own',
      'kgen.config.yaml:6:3: error: the settings must be one object',
      expect.stringMatching(
        /^kgen\.config\.yaml:8:3: error: unknown setting "outputs": use input, .*, schemas$/,
      ),
    ],
  },
  {
    file: 'kgen.config.yaml',
    text: 'webhooks:\n  url: http://a\n  injectCa: me\n  port: 0\n  service:\n    name: A b\n    path: x\n  name: x\n',
    want: [
      'kgen.config.yaml:2:3: error: url must be https://HOST[:PORT][/PATH], without user, query and fragment',
      'kgen.config.yaml:3:3: error: injectCa must be `cert-manager` or `service-ca`',
      'kgen.config.yaml:4:3: error: port must be an integer from 1 to 65535',
      'kgen.config.yaml:8:3: error: unknown setting "name": use service, url, port, injectCa',
      'kgen.config.yaml:6:5: error: name must be the name of a Service',
      'kgen.config.yaml:7:5: error: unknown setting "path": use name, port',
    ],
  },
  {
    file: 'kgen.config.json',
    text: '{"outputs": []}',
    want: ['kgen.config.json:1:2: error: outputs must be a list of at least one object with settings'],
  },
  {
    file: 'kgen.config.json',
    text: '{"out": ',
    want: [
      'kgen.config.json:1:9: error: broken JSON: object must end with a }; look for an unclosed quote, bracket or block, or an incomplete line',
    ],
  },
  {
    file: 'kgen.config.json',
    text: '[]',
    want: ['kgen.config.json:1:1: error: the settings must be one object'],
  },
  {
    file: 'kgen.config.json',
    text: '{"groupAlias": {"a": "1x"}}',
    want: [
      'kgen.config.json:1:2: error: groupAlias must be an object of groups and names, no name twice; a name is a lower-case letter, then letters and digits',
    ],
  },
  {
    file: 'kgen.config.yaml',
    text: 'groupAlias: {a: x, b: y, c: x}\n',
    want: [
      'kgen.config.yaml:1:1: error: groupAlias must be an object of groups and names, no name twice; a name is a lower-case letter, then letters and digits',
    ],
  },
  {
    file: 'kgen.config.yaml',
    text: 'out: x\nemit: *x\n',
    want: [
      'kgen.config.yaml:2:7: error: the settings cannot be read: unidentified alias "x"; write them out in full',
    ],
  },
  {
    file: 'kgen.config.json',
    text: '{"input": *x}',
    want: [
      'kgen.config.json:1:11: error: the settings cannot be read: unidentified alias "x"; write them out in full',
    ],
  },
  {
    file: 'kgen.config.yaml',
    text: `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join()}]\n`).join('')}`,
    want: [
      'kgen.config.yaml:2:8: error: the settings cannot be read: too many aliases, or nested too deeply; write them out in full',
    ],
  },
  {
    file: 'kgen.config.yaml',
    text: 'out: x\nnull: y\n',
    want: [
      'kgen.config.yaml:2:1: error: the key of a mapping is null, but keys are strings: make it one, in quotes if necessary',
    ],
  },
  {
    file: 'kgen.config.json',
    text: '{"out": "a", "out": "b"}',
    want: ['kgen.config.json:1:14: error: the key "out" occurs twice in one mapping: remove one of the two'],
  },
  {
    file: 'kgen.config.json',
    text: '{"__proto__": {"out": "x"}}',
    want: [expect.stringContaining('unknown setting "__proto__"')],
  },
  {
    file: 'kgen.config.js',
    text: 'export const out = 1;',
    want: ['kgen.config.js: error: the file has no default export: write `export default { … }`'],
  },
  {
    file: 'kgen.config.js',
    text: 'throw new Error("no\\nway");',
    want: [expect.stringMatching(/^kgen\.config\.js:1: error: the file cannot be run: no$/)],
  },
  {
    file: 'kgen.config.js',
    text: 'throw null;',
    want: ['kgen.config.js: error: the file cannot be run: it throws null, which is not an Error'],
  },
  {
    file: 'kgen.config.js',
    text: 'throw Object.create(null);',
    want: ['kgen.config.js: error: the file cannot be run: it throws an object, which is not an Error'],
  },
  {
    file: 'kgen.config.js',
    text: '\nexport default { get out() { throw new Error("mine"); } };',
    want: [expect.stringMatching(/^kgen\.config\.js:2: error: the file cannot be run: mine$/)],
  },
  {
    file: 'kgen.config.js',
    text: 'export default { groupAlias: new Proxy({}, { ownKeys() { throw 7; } }) };',
    want: ['kgen.config.js: error: the file cannot be run: it throws 7, which is not an Error'],
  },
];

test.each(bad)('rejects $file: $text', async ({ file, text, want }) => {
  writeFileSync(join(cwd, 'package.json'), '{"type": "module"}');
  writeFileSync(join(cwd, file), text);
  const { problems } = await loadConfig(cwd, undefined);
  expect(problems.map(formatProblem)).toEqual(want);
});

test('resolves paths of a file in another folder from that folder', async () => {
  mkdirSync(join(cwd, 'conf'));
  writeFileSync(
    join(cwd, 'conf/k.yaml'),
    'input: [crds, "-", "https://h/x", /abs]\nkubeconfig: kube\nruntimeImport: ./rt.js\noutputs:\n- {out: gen, openapi: v3}\n',
  );
  const { value } = await loadConfig(cwd, 'conf/k.yaml');
  expect(value).toEqual({
    settings: {
      input: [join(cwd, 'conf/crds'), '-', 'https://h/x', '/abs'],
      kubeconfig: join(cwd, 'conf/kube'),
      runtimeImport: './rt.js',
    },
    outputs: [{ out: join(cwd, 'conf/gen'), openapi: [join(cwd, 'conf/v3')] }],
  });
});

test.each(['no.json', 'no.js'])('throws for a file that does not exist: %s', async (name) => {
  const { problems } = await loadConfig(cwd, name);
  expect(problems.map(formatProblem)).toEqual([
    expect.stringMatching(
      /^no\.js(on)?: error: (file or folder not found|the file, or a module that it imports, does not exist)/,
    ),
  ]);
});
