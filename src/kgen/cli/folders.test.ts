import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { crdText } from '../input/reading.fixture.ts';
import { type Ran, runIn } from './console.fixture.ts';

let cwd = '';

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-folders-'));
});

afterEach(() => rmSync(cwd, { recursive: true }));

function put(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text, 'latin1');
  }
}

const json = async (line: string): Promise<{ readonly code: number; readonly lines: readonly string[] }> => {
  const { code, stdout }: Ran = await runIn(cwd, `${line} --json`);
  const { problems }: { readonly problems: readonly { file?: string; severity: string; message: string }[] } =
    JSON.parse(stdout);
  return { code, lines: problems.map(({ file, severity, message }) => `${file}: ${severity}: ${message}`) };
};

/** The parts of a project that kubebuilder creates. */
const project: Readonly<Record<string, string>> = {
  PROJECT: 'layout:\n- go.kubebuilder.io/v4\n',
  '.golangci.yml': 'run: [',
  '.git/x.yaml': 'a: [',
  'node_modules/x/y.yaml': 'a: [',
  'config/crd/bases/goods.yaml': crdText('Good'),
  'config/crd/bases/others.yaml': crdText('Other'),
  'config/crd/kustomization.yaml': 'resources:\n- bases/goods.yaml\npatches: []\n',
  'config/crd/kustomizeconfig.yaml': 'nameReference:\n- kind: Service\n',
  'config/crd/patches/cainjection_in_goods.yaml':
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  annotations:\n    cert-manager.io/inject-ca-from: a/b\n  name: goods.my.domain\n',
  'config/crd/patches/webhook_in_goods.yaml':
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: goods.my.domain\nspec:\n  conversion:\n    strategy: Webhook\n',
  'config/crd/patches/versions_in_others.yaml':
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: others.my.domain}\nspec:\n  versions: [{name: v1, deprecated: true}]\n',
  'config/crd/patches/json_patch.yaml': '- op: remove\n  path: /spec/versions/0/schema\n',
  'config/default/manager_auth_proxy_patch.yaml': 'apiVersion: apps/v1\nkind: Deployment\nspec: {}\n',
  'config/samples/my_v1_good.yaml': 'apiVersion: my.domain/v1\nkind: Good\nmetadata: {name: a}\n',
  'dist/install.yaml': `${crdText('Good').replace('metadata:\n', 'metadata:\n  labels: {a: b}\n')}---\napiVersion: v1\nkind: Namespace\n`,
  'dist/chart/Chart.yaml': 'apiVersion: v2\nname: x\n',
  'dist/chart/values.yaml': 'crd:\n  enable: true\n',
  'dist/chart/templates/crd/goods.yaml': `{{- if .Values.crd.enable }}\n${crdText('Good')}{{- end }}\n`,
  'dist/chart/templates/manager.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nspec:\n  replicas: {{ .Values.replicas }}\n',
  'package.json': '{"name": "x", "scripts": {}}',
  'tsconfig.json': '{\n  // the strictest\n  "compilerOptions": {"strict": true,},\n}\n',
  'data.json': '\xff\x00binary',
  'list.json': '["a", 1]',
  'text.yaml': 'only a text\n',
};

describe('a folder of a project', () => {
  const want = [
    'config/crd/kustomization.yaml: warning: the object has no apiVersion and kind: it is skipped',
    'config/crd/kustomizeconfig.yaml: warning: the object has no apiVersion and kind: it is skipped',
    'config/crd/patches/cainjection_in_goods.yaml: warning: this is a patch of CRD goods.my.domain, whose definition is in the input: it is skipped',
    'config/crd/patches/json_patch.yaml: warning: expected a Kubernetes object and found a list: it is skipped',
    'config/crd/patches/versions_in_others.yaml: warning: this is a patch of CRD others.my.domain, whose definition is in the input: it is skipped',
    'config/crd/patches/webhook_in_goods.yaml: warning: this is a patch of CRD goods.my.domain, whose definition is in the input: it is skipped',
    'data.json: warning: this is not a text file: it is skipped',
    'dist/chart/Chart.yaml: warning: the object has no apiVersion and kind: it is skipped',
    'dist/chart/templates/crd/goods.yaml: warning: this is a template of CRD goods.my.domain, whose definition is in the input: it is skipped',
    'dist/chart/templates/manager.yaml: warning: this is not valid YAML and has no CustomResourceDefinition: it is skipped',
    'dist/chart/values.yaml: warning: the object has no apiVersion and kind: it is skipped',
    'dead.yaml: warning: file or folder not found: check the path; it is skipped',
    'list.json: warning: expected a Kubernetes object and found a list: it is skipped',
    'package.json: warning: the object has no apiVersion and kind: it is skipped',
    'text.yaml: warning: expected a Kubernetes object and found the string "only a text": it is skipped',
    'tsconfig.json: warning: this is not valid JSON and has no CustomResourceDefinition: it is skipped',
  ].sort();

  test.each(['.', '**'])('is read with exit status 0 and one line for each other file: %s', async (input) => {
    put(project);
    symlinkSync('nothing.yaml', join(cwd, 'dead.yaml'));
    const pattern = input === '**' ? '**/*.{yaml,json}' : input;
    const lines = want.filter((line) => input === '.' || !line.startsWith('dead.yaml'));
    expect(await json(pattern)).toEqual({ code: 0, lines });
    expect((await runIn(cwd, pattern)).stdout).toContain('2 kinds in 1 group version');
  });

  test('has errors if the definition of a patch or of a template is missing', async () => {
    put({ ...project, 'config/crd/bases/goods.yaml': '', 'dist/install.yaml': '' });
    const { code, lines } = await json('.');
    expect(code).toBe(1);
    expect(lines.filter((line) => line.includes(': error: '))).toEqual([
      'config/crd/patches/cainjection_in_goods.yaml: error: spec is missing: add it',
      ...[
        'spec.group is missing',
        'spec.names is missing',
        'spec.scope is missing',
        'spec.versions is missing',
      ].map((what) => expect.stringContaining(`config/crd/patches/webhook_in_goods.yaml: error: ${what}`)),
      expect.stringContaining('dist/chart/templates/crd/goods.yaml: error: this is a template, not YAML'),
    ]);
  });
});

test('a file that is named on the command line must be valid', async () => {
  put({ 'good.yaml': crdText('Good'), 'tsconfig.json': '{\n  // a\n  "b": {}\n}', 'text.yaml': 'text' });
  const { code, lines } = await json('good.yaml tsconfig.json text.yaml');
  expect(code).toBe(1);
  expect(lines).toEqual([
    expect.stringContaining('text.yaml: error: expected a Kubernetes object'),
    expect.stringContaining('tsconfig.json: error: broken JSON'),
  ]);
});
