/** Scripts of a release: version, changelog, registry and checks of archives. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packages, withLinks } from '../../scripts/pack.mjs';
import { releasedChangelog } from '../../scripts/release/changelog.mjs';
import { undeclaredImports, withContained } from '../../scripts/release/checks.mjs';
import { tableOf } from '../../scripts/release/matrix.mjs';
import { startRegistry } from '../../scripts/release/registry.mjs';
import { repository } from '../support/emitted.ts';
import { manifestOf } from '../support/packed-packages.ts';

const today = '2026-11-30';

test('a link of a README to a file is that of the version in the repository', () => {
  const origin = { url: 'git+https://example.com/kgen.git', directory: 'src/a' };
  const linked = withLinks('[a](../../docs/a.md#b) [c](https://c.example)', {
    version: '1.0.0',
    repository: origin,
  });
  expect(linked).toBe('[a](https://example.com/kgen/blob/v1.0.0/docs/a.md#b) [c](https://c.example)');
});

test.each(packages)('links in the README of %s lead to files of the repository', (folder) => {
  const { version, repository: origin } = manifestOf(join(repository, folder));
  const text = readFileSync(join(repository, folder, 'README.md'), 'utf8');
  const linked = withLinks(text, { version, repository: origin ?? {} });
  const links = [...linked.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const base = `https://github.com/kgen-dev/kgen/blob/v${version}/`;
  const own = links.filter((link) => link.startsWith(base));
  expect(links.filter((link) => !link.startsWith('https://'))).toEqual([]);
  const missing = own.filter(
    (link) => !existsSync(join(repository, link.slice(base.length).replace(/#.*/, ''))),
  );
  expect(missing).toEqual([]);
});

describe('the changelog of a release', () => {
  const before =
    '# Changelog\n\n## 0.2.0 – unreleased\n\n### Added\n- One thing.\n\n## 0.1.0 – 2026-01-01\n- Start.\n';
  const after = before.replace('unreleased', today);

  test.each([
    ['dates the changes since the last release', before, [], after],
    [
      'adds notes of changesets in front',
      before,
      ['Two\nlines.'],
      after.replace('- One', '- Two\n  lines.\n- One'),
    ],
    ['repeats no note that is a line already', before, ['One thing.'], after],
    ['remains if the version has a date', after, [], after],
  ])('%s', (_, text, notes, expected) => {
    expect(releasedChangelog(text, { version: '0.2.0', date: today, notes })).toBe(expected);
  });

  test('needs a heading for them', () => {
    const release = { version: '0.2.0', date: today, notes: [] };
    expect(() => releasedChangelog('# Changelog\n', release)).toThrow('has no heading');
  });
});

/** Returns an archive as `npm pack` writes it. */
async function archiveOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const entries = Object.entries(files).map(([name, text]) => {
    const body = Buffer.from(text);
    return { header: { name: `package/${name}`, size: body.length, type: 'file' as const }, body };
  });
  return gzipSync(await packTar(entries));
}

const manifest = {
  name: 'a',
  version: '1.0.0',
  dependencies: { b: '1.0.0' },
  peerDependencies: { '@c/d': '*' },
};

test('imports that a manifest does not declare are found in scripts and declarations', async () => {
  const archive = await archiveOf({
    'package.json': JSON.stringify(manifest),
    'index.js':
      "import 'b'; import '@c/d/part'; import 'node:fs'; import 'a/self'; import('./x.js'); import('e');",
    'index.d.ts': "export type { F } from 'f/types'; export type G = import('@g/h').G;",
    'README.md': "import 'i';",
  });
  expect(await undeclaredImports(archive)).toEqual([
    { file: 'index.js', name: 'e' },
    { file: 'index.d.ts', name: 'f' },
    { file: 'index.d.ts', name: '@g/h' },
  ]);
});

test('npm installs an archive from the registry of a release', async () => {
  const registry = await startRegistry([
    await archiveOf({ 'package.json': JSON.stringify({ name: '@kgen/example', version: '1.2.3' }) }),
  ]);
  onTestFinished(() => registry.close());
  const folder = mkdtempSync(join(tmpdir(), 'kgen-release-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const env = { ...process.env, npm_config_registry: registry.url, npm_config_cache: join(folder, 'cache') };
  await promisify(execFile)('npm', ['install', '@kgen/example'], { cwd: folder, env });
  const found = execFileSync(process.execPath, ['-p', "require('@kgen/example/package.json').version"], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(found.trim()).toBe('1.2.3');
});

test('the table has a line for each environment, and a column for each step', () => {
  const table = tableOf([{ environment: 'npm', results: { install: 'passed', vitest: 'failed' } }]);
  const [header = '', , line] = table.split('\n');
  expect(line?.split('|').length).toBe(header.split('|').length);
  expect(line).toMatch(/^\| npm \| ✓ \| – .*\| ✗ (?:\| – )+\| 1 of 2 \|$/);
});

test('a dry run without a mode is refused', () => {
  const script = join(repository, 'scripts/release.mjs');
  expect(() => execFileSync(process.execPath, [script], { stdio: 'pipe' })).toThrow('Command failed');
});

test('a bill of materials lists the packages that a component contains as modules', () => {
  const component = (name: string, purl: string) => ({ 'bom-ref': `${name}@1.0.0`, name, purl });
  const components = [
    component('runtime', 'pkg:npm/%40kgen/runtime@1.0.0'),
    component('undici', 'pkg:npm/undici@7.0.0'),
  ];
  const manifests = [{ name: '@kgen/runtime', contains: { yaml: '2.0.0' } }, { name: '@kgen/schema' }];
  const yaml = { type: 'library', name: 'yaml', version: '2.0.0', purl: 'pkg:npm/yaml@2.0.0' };
  expect(withContained({ components }, manifests).components).toEqual([
    { ...components[0], components: [{ 'bom-ref': 'runtime@1.0.0|yaml@2.0.0', ...yaml }] },
    components[1],
  ]);
});
