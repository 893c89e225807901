/** `kgen update` of projects of earlier versions, with edits of their authors in every file. */
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runIn } from '../../src/kgen/cli/console.fixture.ts';
import { version } from '../../src/kgen/common/version.ts';
import { type ProjectRecord, parseRecord, printRecord } from '../../src/kgen/project/record.ts';
import { templatesOf } from '../../src/kgen/project/templates/templates.ts';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';
import { obsolete } from './releases/earlier.ts';
import { releasedProjects } from './releases/table.ts';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-update-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const read = (path: string): string => readFileSync(join(cwd, path), 'utf8');
const update = (options = '') => runIn(cwd, `update ${options}`);

function write(path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), text);
}

/** Writes a project with edits of its author. */
function start(record: ProjectRecord, edit: Edit = (text) => text): void {
  for (const [path, text] of record.files) write(path, edit(text, path));
  write('.kgen/project.json', printRecord(record));
}

/** Returns all files of the project except its record. */
function content(): ReadonlyMap<string, string> {
  const paths = filesBelow(cwd, '').filter((path) => path !== '.kgen/project.json');
  return new Map(paths.map((path) => [path, read(path)]));
}

/** An edit that is independent of the version of the template. */
type Edit = (text: string, path: string) => string;

const isScript = (path: string): boolean => path.endsWith('.ts') || path.endsWith('.js');

const edits: Readonly<Record<string, Edit>> = {
  none: (text) => text,
  'a line at the begin': (text, path) =>
    path.endsWith('.json')
      ? text.replace('{\n', '{\n  "mine": [1, 2],\n')
      : `${isScript(path) ? '// mine' : '# mine'}\n\n${text}`,
  'lines after the end': (text, path) =>
    path.endsWith('.json')
      ? text.replace(/\n\}\n$/, ',\n  "mine": null\n}\n')
      : `${text}\n\n\n${isScript(path) ? '// mine' : '# mine'}\n`,
  CRLF: (text) => text.replaceAll('\n', '\r\n'),
  'no final newline': (text) => text.slice(0, -1),
  'CRLF and no final newline': (text) => text.slice(0, -1).replaceAll('\n', '\r\n'),
  'a byte order mark': (text) => `\uFEFF${text}`,
};

describe.each(releasedProjects)('a project of $version', ({ record }) => {
  const today = templatesOf(record.facts);

  test.each(Object.entries(edits))('with this edit in every file: %s', async (_, edit) => {
    start(record, edit);
    const { code, stderr, stdout } = await update();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`kgen ${record.kgen} -> ${version}\n`);
    const files = new Map(content());
    files.delete(obsolete[0]);
    expect(Object.fromEntries(files)).toEqual(
      Object.fromEntries([...today].map(([path, text]) => [path, edit(text, path)])),
    );
    expect(parseRecord(read('.kgen/project.json')).value).toEqual({ ...record, kgen: version, files: today });
  });
});

describe('an update', () => {
  const [earlier] = releasedProjects;
  if (earlier === undefined) throw new Error('no project');
  const { record } = earlier;
  const today = templatesOf(record.facts);
  const edit = (path: string, from: string, to: string): void => {
    expect(read(path)).toContain(from);
    write(path, read(path).replace(from, to));
  };

  test('merges files that the author has renamed where they are, and leaves deleted files deleted', async () => {
    start(record);
    renameSync(join(cwd, 'src/operator.ts'), join(cwd, 'src/app.ts'));
    renameSync(join(cwd, 'src/index.ts'), join(cwd, 'src/start.ts'));
    mkdirSync(join(cwd, 'samples/small'));
    renameSync(join(cwd, 'samples/cart.yaml'), join(cwd, 'samples/small/cart.yaml'));
    rmSync(join(cwd, 'README.md'));
    rmSync(join(cwd, 'test/cart.test.ts'));
    edit('src/start.ts', './operator.js', './app.js');
    expect(await update()).toMatchObject({ code: 0, stderr: '' });
    const files = content();
    expect(files.get('src/app.ts')).toBe(today.get('src/operator.ts'));
    expect(files.get('src/start.ts')).toBe(today.get('src/main.ts')?.replace('./operator.js', './app.js'));
    expect(files.get('samples/small/cart.yaml')).toBe(today.get('samples/cart.yaml'));
    const absent = [
      'README.md',
      'test/cart.test.ts',
      'src/operator.ts',
      'src/main.ts',
      'src/index.ts',
      'samples/cart.yaml',
    ];
    expect(absent.filter((path) => files.has(path))).toEqual([]);
    expect((await update()).stdout).toMatch(/^Nothing changes\.$/m);
  });

  test('marks conflicts, is refused while they are there, and has nothing to do afterwards', async () => {
    start(record);
    edit('tsconfig.json', '"noUncheckedIndexedAccess": true,', '"noUncheckedIndexedAccess": true, // mine');
    edit('test/cart.simulation.test.ts', 'seeds: 50', 'seeds: 7');
    const { code, stderr, stdout } = await update();
    expect({ code, stderr: stderr.match(/^[\w/.]+: warning/gm) }).toEqual({
      code: 1,
      stderr: ['tsconfig.json: warning', 'test/cart.simulation.test.ts: warning'],
    });
    expect(stdout).toContain('1. resolve the conflicts in tsconfig.json, test/cart.simulation.test.ts\n');
    const marked = read('test/cart.simulation.test.ts');
    for (const part of ['<<<<<<< yours\n', 'seeds: 7', '=======\n', 'seeds: 100', '>>>>>>> kgen\n'])
      expect(marked).toContain(part);
    for (const line of ['update', 'init --agents', 'create api --group shop --version v1 --kind Foo']) {
      const before = content();
      const refused = await runIn(cwd, line);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toMatch(/^[\w/.]+:\d+: error: the file has conflicts/);
      expect(content()).toEqual(before);
    }
    const resolved = /<{7} yours\n(.*?)={7}\n.*?>{7} kgen\n/gs;
    for (const path of ['tsconfig.json', 'test/cart.simulation.test.ts'])
      write(path, read(path).replaceAll(resolved, '$1'));
    expect(await update()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Nothing changes\.$/m) });
    expect(read('test/cart.simulation.test.ts')).toContain('seeds: 7');
  });

  test('is refused for a conflict in any file of the program', async () => {
    start(record);
    write('src/own.ts', 'export {};\n<<<<<<< HEAD\n');
    expect((await update()).stderr).toContain('src/own.ts:2: error: the file has conflicts');
  });

  test('rewrites renamed exports first, also in files and lines of the author', async () => {
    start(record);
    const own =
      "import type { RecordedWrite } from '@kgen/controller';\r\nexport type Mine = RecordedWrite;\r\n";
    write('src/own.ts', `\uFEFF${own}`);
    edit('src/controllers/cart.ts', 'CartWrite = RecordedWrite;', 'CartWrite = RecordedWrite | undefined;');
    const { stdout, code } = await update();
    expect(stdout).toContain('rewritten src/own.ts\n');
    expect(read('src/own.ts')).toBe(`\uFEFF${own.replaceAll('RecordedWrite', 'RunWrite')}`);
    // The template no longer has the line, which the author has changed.
    expect(code).toBe(1);
    expect(read('src/controllers/cart.ts')).toContain('CartWrite = RunWrite | undefined;');
    expect(read('src/controllers/cart.ts')).not.toContain('RecordedWrite');
  });

  test('keeps a changed file whose template is gone, and removes an unchanged one', async () => {
    start(record);
    expect((await update()).stdout).toContain(`removed  ${obsolete[0]}\n`);
    expect(content().has(obsolete[0])).toBe(false);
    start(record);
    write(obsolete[0], 'mine');
    expect((await update()).stdout).toContain(`kept     ${obsolete[0]}\n`);
    expect(read(obsolete[0])).toBe('mine');
  });

  test('writes nothing in a dry run', async () => {
    start(record, (text, path) => (isScript(path) ? `// mine\n\n${text}` : text));
    const before = [content(), read('.kgen/project.json')];
    const { code, stdout } = await update('--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain('merged   src/index.ts -> src/main.ts\n');
    expect(stdout).toContain('Nothing was written.\n');
    expect([content(), read('.kgen/project.json')]).toEqual(before);
  });

  test('raises the packages of kgen, also in a package.json that existed before', async () => {
    start({ ...record, files: new Map([...record.files].filter(([path]) => path !== 'package.json')) });
    write('package.json', '{"dependencies":{"@kgen/runtime":"^0.0.1","kgen":"file:../kgen"}}');
    const { stdout } = await update();
    expect(stdout).toContain('rewritten package.json\n');
    expect(read('package.json')).toBe(
      `{"dependencies":{"@kgen/runtime":"^${version}","kgen":"file:../kgen"}}`,
    );
  });

  test('is refused for a project of a later version, and required for one of an earlier version', async () => {
    start({ ...record, kgen: '99.0.0' });
    expect((await update()).stderr).toContain(
      `written by kgen 99.0.0, and this is ${version}: install kgen 99.0.0`,
    );
    start(record);
    const create = await runIn(cwd, 'create api --group shop --version v1 --kind Foo');
    expect(create).toMatchObject({ code: 1, stdout: '' });
    expect(create.stderr).toContain(
      `written by kgen ${record.kgen}, and this is ${version}: run kgen update first`,
    );
  });

  test('leaves a file that is not UTF-8 text, and a link in place of a file', async () => {
    start(record);
    const bytes = Buffer.concat([Buffer.from(read('README.md')), Buffer.from([0xe9, 10])]);
    writeFileSync(join(cwd, 'README.md'), bytes);
    expect((await update()).stderr).toContain('README.md: error: the file is not UTF-8 text');
    expect(readFileSync(join(cwd, 'README.md'))).toEqual(bytes);
    rmSync(join(cwd, 'README.md'));
    write('docs/guide.txt', 'mine');
    symlinkSync('docs/guide.txt', join(cwd, 'README.md'));
    expect(await update()).toMatchObject({ code: 0, stderr: '' });
    expect(read('docs/guide.txt')).toBe('mine');
  });

  test('writes config and generated again if the packages are installed', { timeout: 120_000 }, async () => {
    start(record);
    symlinkSync(join(repository, 'node_modules'), join(cwd, 'node_modules'), 'junction');
    const { code, stdout } = await update();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^config: \d+ new/m);
    expect(await runIn(cwd, '--check')).toMatchObject({ code: 0 });
    await promisify(execFile)(process.execPath, [join(cwd, 'node_modules/typescript/bin/tsc'), '--noEmit'], {
      cwd,
    });
  });
});
