/** JavaScript of the published packages: the statements and names of the sources, for stack traces. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transformSync } from 'esbuild';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeBundledModules } from '../../scripts/bundled.mjs';
import { mergeModules } from '../../scripts/merge-modules.mjs';
import { repository } from '../support/emitted.ts';
import { type InstalledPackages, installPacked, manifestOf } from '../support/packed-packages.ts';

const built = join(repository, 'src/runtime/dist');
const others = ['undici', 'yaml', 'oauth4webapi', 'prom-client', '@opentelemetry/api', 'tdigest', 'bintrees'];

let project: InstalledPackages;
/** Build output in which modules are joined, with its comments. */
let merged: string;
let packed: string;
let modules: readonly string[];
beforeAll(async () => {
  project = installPacked(['src/certificates', 'src/runtime', 'src/controller'], others);
  packed = join(project.folder, 'node_modules/@kgen/runtime/dist');
  merged = join(project.folder, 'merged/dist');
  cpSync(built, merged, { recursive: true });
  cpSync(join(built, '../package.json'), join(merged, '../package.json'));
  await mergeModules(join(merged, '..'));
  await writeBundledModules(join(merged, '..'));
  modules = scriptsOf(packed);
});

function scriptsOf(folder: string): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => path.endsWith('.js')).sort();
}
afterAll(() => project.dispose());

/** Returns the text that a minifier prints, which depends on the tokens alone. */
const canonical = (text: string): string =>
  transformSync(text, { minifyWhitespace: true, minifySyntax: true, legalComments: 'none' }).code;

/** Returns the lines on which a statement begins behind another one of its block. */
function sharedLines(text: string): readonly number[] {
  const source = ts.createSourceFile('module.js', text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const found: number[] = [];
  const visit = (node: ts.Node): void => {
    const statements: readonly ts.Statement[] =
      ts.isSourceFile(node) || ts.isBlock(node) ? node.statements : [];
    for (const [index, statement] of statements.entries()) {
      const before = statements[index - 1];
      const line = lineOf(statement.getStart());
      if (before !== undefined && lineOf(before.end) === line) found.push(line);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('published scripts', () => {
  it('are the joined scripts without comments', () => {
    expect(modules.length).toBeGreaterThan(100);
    expect(modules).toEqual(scriptsOf(merged));
    const different = modules.filter((path) => {
      const [before, after] = [merged, packed].map((folder) =>
        canonical(readFileSync(join(folder, path), 'utf8')),
      );
      return before !== after;
    });
    expect(different).toEqual([]);
  });

  it('have short lines, with one statement each', () => {
    // Modules of other packages are as bundlers read them.
    const own = modules.filter((path) => !path.startsWith('bundled/'));
    const texts = own.map((path) => ({ path, text: readFileSync(join(packed, path), 'utf8') }));
    const long = texts.filter(({ text }) => text.split('\n').some((line) => line.length > 200));
    expect(long.map(({ path }) => path)).toEqual([]);
    const shared = texts.flatMap(({ path, text }) => sharedLines(text).map((line) => `${path}:${line}`));
    expect(shared).toEqual([]);
  });

  const entries = ['runtime', 'controller'].flatMap((name) => {
    const { exports = {} } = manifestOf(join(repository, 'src', name));
    return Object.keys(exports).flatMap((door) =>
      /json$|election-worker$/.test(door) ? [] : [`@kgen/${name}${door.slice(1)}`],
    );
  });

  it('export the names of the build output, from fewer modules', () => {
    const listing = (folder: string): unknown => {
      const text = `
        const names = {};
        for (const entry of ${JSON.stringify(entries)}) names[entry] = Object.keys(await import(entry));
        console.log(JSON.stringify(names));
      `;
      const args = ['--input-type=module', '-e', text];
      return JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }));
    };
    expect(entries.length).toBeGreaterThan(20);
    expect(listing(project.folder)).toEqual(listing(repository));
    expect(modules.length).toBeLessThan(0.65 * scriptsOf(built).length);
  });

  const program = `
    import { parseQuantity } from '@kgen/runtime/quantity';
    try { parseQuantity('1Xi'); } catch (error) { console.log(error.stack); }
  `;

  it('are named in stack traces, with the statement that throws', () => {
    writeFileSync(join(project.folder, 'main.mjs'), program);
    const stack = execFileSync(process.execPath, ['main.mjs'], { cwd: project.folder, encoding: 'utf8' });
    const [, url = '', line = ''] = /at \w+ \((file:.*@kgen\/runtime\/.*\.js):(\d+):\d+\)/.exec(stack) ?? [];
    const thrown = readFileSync(fileURLToPath(url), 'utf8').split('\n')[Number(line) - 1] ?? '';
    expect(thrown).toMatch(/^(throw new |return |const |if)/);
    expect(stack).toMatch(/at parseQuantity /);
  });

  it('keep the names of functions in a bundle', async () => {
    writeFileSync(join(project.folder, 'main.mjs'), program);
    const outfile = join(project.folder, 'bundle.mjs');
    await build({
      entryPoints: [join(project.folder, 'main.mjs')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
    const { stdout } = spawnSync(process.execPath, [outfile], { encoding: 'utf8' });
    expect(stdout).toMatch(/at parseQuantity \(.*bundle\.mjs/);
  });
});
