/** Archives and repositories as input, which are read in memory. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { packTar } from 'modern-tar';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { formatProblem } from '../../common/problems.ts';
import { loadCrds } from '../load.ts';
import { crdText } from '../reading.fixture.ts';
import { readArchive } from './archive.ts';
import type { FetchFunction } from './url.ts';

type Files = Readonly<Record<string, string>>;

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-archive-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
});

/** Returns a tar archive with gzip. A content that begins with `->` is the target of a link. */
async function tgz(files: Files): Promise<Buffer> {
  const entries = Object.entries(files).map(([name, content]) => {
    const [, target] = /^->(.*)/.exec(content) ?? [];
    return target === undefined
      ? { header: { name, size: Buffer.byteLength(content) }, body: content }
      : { header: { name, size: 0, type: 'symlink' as const, linkname: target } };
  });
  return gzipSync(await packTar(entries));
}

const zip = async (files: Files): Promise<Uint8Array> =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, strToU8(content)])));

async function load(input: readonly string[], more: { fetch?: FetchFunction; stdin?: Readable } = {}) {
  const read = await loadCrds({ input, cwd, stdin: Readable.from([]), ...more });
  return {
    kinds: read.crds.map(({ names }) => names.kind),
    files: read.crds.map((crd) => crd.input.file),
    sources: read.sources,
    stated: read.problems.map(formatProblem),
  };
}

const long = `${'folder-of-a-chart/'.repeat(9)}long.yaml`;
const chart: Files = {
  'app/Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
  'app/crds/web.yaml': crdText('Web'),
  [`app/${long}`]: crdText('Long'),
  'app/templates/crd.yaml': `{{- if .Values.crds }}\n${crdText('Optional')}{{- end }}\n`,
  'app/templates/NOTES.txt': 'Thanks {{ .Release.Name }}',
  'app/.hidden/crd.yaml': crdText('Hidden'),
  'app/node_modules/crd.yaml': crdText('Module'),
  'app/link.yaml': '->../../etc/passwd',
};
const { 'app/link.yaml': _, ...regular } = chart;

describe.each([
  ['app-1.0.0.tgz', tgz, chart],
  ['app.tar.gz', tgz, chart],
  ['app.zip', zip, regular],
] as const)('%s', (name, pack, files) => {
  test('is read as a folder with its files', async () => {
    writeFileSync(join(cwd, name), await pack(files));
    expect(await load([name])).toEqual({
      kinds: ['Web', 'Long'],
      files: [`${name}/app/crds/web.yaml`, `${name}/app/${long}`],
      sources: 3,
      stated: [
        expect.stringContaining(
          `${name}/app/templates/crd.yaml: warning: this is a template of a chart: it is skipped; to include it, pipe the output of \`helm template\``,
        ),
        expect.stringContaining(`${name}/app/Chart.yaml`),
      ],
    });
  });

  test('is read from an address of any name, and from standard input', async () => {
    const bytes = await pack({ 'crds/web.yaml': crdText('Web') });
    const fetch: FetchFunction = async () => new Response(Buffer.from(bytes));
    expect(await load(['https://h/download?version=1'], { fetch })).toMatchObject({
      kinds: ['Web'],
      files: ['https://h/download/crds/web.yaml'],
      stated: [],
    });
    expect(await load(['-'], { stdin: Readable.from([bytes]) })).toMatchObject({
      files: ['<stdin>/crds/web.yaml'],
      stated: [],
    });
  });

  test('has errors with the file and the line', async () => {
    writeFileSync(
      join(cwd, name),
      await pack({ 'a.yaml': `${crdText('Web')}---\n${crdText('Bad', '{type: 5}')}` }),
    );
    const { kinds, stated } = await load([name]);
    expect(kinds).toEqual(['Web']);
    expect(stated).toEqual([expect.stringMatching(`^${name}/a\\.yaml:\\d+:\\d+: error: `)]);
  });

  test('never names a path outside of it', async () => {
    const names = ['../a.yaml', '/etc/a.yaml', 'x/../../a.yaml', 'a\\..\\a.yaml', 'a\u001b[31m.yaml'];
    const outside = Object.fromEntries(names.map((path) => [path, crdText('Bad')]));
    writeFileSync(join(cwd, name), await pack({ ...outside, 'x/good..yaml': crdText('Good') }));
    expect(await load([name])).toMatchObject({ files: [`${name}/x/good..yaml`], sources: 1, stated: [] });
  });

  test('is refused without input files, beyond the limit, and damaged', async () => {
    const messages = async (bytes: Uint8Array, maxBytes?: number): Promise<readonly string[]> => {
      const { value, problems } = await readArchive({ file: name, bytes }, { ...(maxBytes && { maxBytes }) });
      expect(value).toEqual([]);
      return problems.map(formatProblem);
    };
    expect(await messages(await pack({ 'a.txt': 'a' }))).toEqual([
      `${name}: error: no *.yaml, *.yml or *.json file is in it: give another one`,
    ]);
    const mebibyte = 1024 * 1024;
    const large = await pack({ 'a.yaml': 'a'.repeat(mebibyte + 1) });
    expect(await messages(large, mebibyte)).toEqual([
      `${name}: error: the archive has more than 1 MiB of files: unpack it, and give the files that you need`,
    ]);
    const whole = Buffer.from(await pack(files));
    for (const damaged of [whole.subarray(0, whole.length / 2), whole.subarray(0, 12)])
      expect(await messages(damaged)).toEqual([
        expect.stringMatching(
          `^${name}: error: the archive cannot be unpacked \\(.+\\): only \\.tar\\.gz and \\.zip`,
        ),
      ]);
  });
});

test('of files with one name in an archive, the last one counts', async () => {
  const entries = ['Old', 'New'].map((kind) => {
    const body = crdText(kind);
    return { header: { name: './a.yaml', size: Buffer.byteLength(body) }, body };
  });
  writeFileSync(join(cwd, 'a.tgz'), gzipSync(await packTar(entries)));
  expect((await load(['a.tgz'])).kinds).toEqual(['New']);
});

test('gzip that is not a tar archive is refused', async () => {
  writeFileSync(join(cwd, 'crd.yaml.gz'), gzipSync(crdText('Web')));
  expect((await load(['crd.yaml.gz'])).stated).toEqual([expect.stringContaining('cannot be unpacked')]);
});

test('reads the archives that a pattern matches', async () => {
  for (const name of ['a', 'b'])
    writeFileSync(join(cwd, `${name}.tgz`), await tgz({ 'x.yaml': crdText(`K${name}`) }));
  expect(await load(['*.tgz'])).toMatchObject({ kinds: ['Ka', 'Kb'], stated: [] });
});

describe('repositories', () => {
  const archive = {
    'operator-1.2.0/config/crd/web.yaml': crdText('Web'),
    'operator-1.2.0/config/crd/bases/db.yaml': crdText('Db'),
    'operator-1.2.0/config/crds.yaml': crdText('Other'),
    'operator-1.2.0/.github/a.yaml': crdText('Hidden'),
  };
  const requested: string[] = [];
  const fetch: FetchFunction = async ({ href }) => {
    requested.push(href);
    if (href === 'https://codeload.github.com/my-org/operator/tar.gz/v1.2.0')
      return new Response(new Uint8Array(await tgz(archive)));
    if (href === 'https://raw.githubusercontent.com/my-org/operator/release/1.2/a/web.yaml')
      return new Response(crdText('Web'));
    return new Response('', { status: 404 });
  };
  beforeEach(() => {
    requested.length = 0;
  });

  test.each([
    [
      'github:my-org/operator@v1.2.0:config/crd',
      [
        'github:my-org/operator@v1.2.0:config/crd/bases/db.yaml',
        'github:my-org/operator@v1.2.0:config/crd/web.yaml',
      ],
    ],
    [
      'github:my-org/operator@v1.2.0:config/crd/bases/',
      ['github:my-org/operator@v1.2.0:config/crd/bases/db.yaml'],
    ],
    [
      'github:my-org/operator@v1.2.0',
      ['bases/db.yaml', 'web.yaml']
        .map((name) => `github:my-org/operator@v1.2.0:config/crd/${name}`)
        .concat('github:my-org/operator@v1.2.0:config/crds.yaml'),
    ],
    ['github:my-org/operator@v1.2.0:.github', ['github:my-org/operator@v1.2.0:.github/a.yaml']],
    ['github:my-org/operator@release/1.2:a/web.yaml', ['github:my-org/operator@release/1.2:a/web.yaml']],
  ])('are read with one request: %s', async (input, files) => {
    expect(await load([input], { fetch })).toMatchObject({ files, stated: [] });
    expect(requested).toHaveLength(1);
  });

  const missing = 'GitHub has no such repository, ref or file, or it is private';
  const malformed = 'this is not a part of a repository: give github:owner/repo@tag:path';
  test.each([
    ['github:my-org/operator@v9:config', missing],
    ['github:my-org/operator@v1.2.0:none.yaml', missing],
    ['github:my-org/operator@v1.2.0:conf', 'no *.yaml, *.yml or *.json file is in it'],
    ['github:my-org/operator', malformed],
    ['github:my-org@v1', malformed],
    ['github:my-org/operator@v1:../../other/x.yaml', malformed],
    ['github:my-org/operator@..:x.yaml', malformed],
    ['github:my-org/operator@v1:a//b', malformed],
    ['github:my-org/operator@v1?token=x:a', malformed],
    ['github:u:p@my-org/operator@v1', malformed],
    ['github:my-org/operator@v1#x:a', malformed],
  ])('are refused: %s', async (input, message) => {
    const { stated, sources } = await load([input], { fetch });
    expect(stated).toEqual([expect.stringContaining(message)]);
    expect(sources).toBe(0);
    expect(requested.length).toBe(message === malformed ? 0 : 1);
  });

  test('stay as they are in a configuration file of another folder', async () => {
    const { loadConfig } = await import('../../config/load.ts');
    writeFileSync(join(cwd, 'kgen.config.json'), '{"input": ["github:o/r@v1:crds", "a.tgz"]}');
    const { value } = await loadConfig(tmpdir(), join(cwd, 'kgen.config.json'));
    expect(value.settings.input).toEqual(['github:o/r@v1:crds', join(cwd, 'a.tgz')]);
  });
});
