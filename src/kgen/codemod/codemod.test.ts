/** Programs before and after the rewriting, with a table of every kind of change. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodemodResult, codemod } from './codemod.ts';

const since = '0.1.0';
const lib = '@kgen/lib';
const renames = [
  { package: lib, from: 'Old', to: 'New', since },
  { package: lib, from: 'Moved', to: 'Moved', toPackage: '@kgen/lib/parts', since },
  { package: lib, from: 'Both', to: 'Renamed', toPackage: '@kgen/lib/parts', since },
  { package: lib, from: 'Other', to: 'Other', toPackage: '@kgen/lib/more', since },
  { package: lib, from: 'First', to: 'Second', toPackage: '@kgen/lib/parts', since },
  { package: '@kgen/lib/parts', from: 'Second', to: 'Last', since },
  { package: lib, from: 'Info.initial', to: 'Info.isInitial', since },
  { package: lib, from: 'Options.waitSeconds', to: 'Options.waitMs', since },
];

const declarations = `
export interface Info { readonly isInitial: boolean }
export interface Options { readonly waitMs?: number; readonly name?: string }
export declare function start(options: Options): Partial<Options>;
export declare function handle(handler: (object: object, info: Info) => void): void;
export declare const kept: number;
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kgen-codemod-'));
  const manifest = { name: lib, version: '1.0.0', exports: { '.': { types: './index.d.ts' } } };
  write('node_modules/@kgen/lib/package.json', JSON.stringify(manifest));
  write('node_modules/@kgen/lib/index.d.ts', declarations);
  write('package.json', '{ "type": "module" }');
  write(
    'tsconfig.json',
    '{ "compilerOptions": { "module": "nodenext" }, "include": ["src", "cases"] } // comment',
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

const cases: readonly (readonly [string, string, string])[] = [
  [
    'a renamed import with its references',
    `import { Old } from '${lib}';\nconst a: Old = new Old();\nexport { Old };\nf({ Old });`,
    `import { New } from '${lib}';\nconst a: New = new New();\nexport { New as Old };\nf({ Old: New });`,
  ],
  [
    'an import whose names all move',
    `// first\nimport { Moved /* here */, Both } from "${lib}"; // last\nMoved(Both);`,
    `// first\nimport { Moved /* here */, Renamed } from "${lib}/parts"; // last\nMoved(Renamed);`,
  ],
  [
    'one name of several',
    `import { kept, Moved, type Both } from '${lib}'\nkept(Moved)\n`,
    `import { kept } from '${lib}'\nimport { Moved } from '${lib}/parts'\nimport type { Renamed } from '${lib}/parts'\nkept(Moved)\n`,
  ],
  [
    'names to several entry points',
    `import {\n  // the first\n  Moved,\n  kept,\n  Other,\n} from '${lib}';\n`,
    `import {\n  kept,\n} from '${lib}';\nimport { Moved } from '${lib}/parts';\nimport { Other } from '${lib}/more';\n`,
  ],
  [
    'a chain of renames',
    `import { First } from '${lib}';\nFirst();`,
    `import { Last } from '${lib}/parts';\nLast();`,
  ],
  [
    'an import with a name of its own',
    `import { Old as Mine, Both as Yours, kept } from '${lib}';`,
    `import { New as Mine, kept } from '${lib}';\nimport { Renamed as Yours } from '${lib}/parts';`,
  ],
  [
    'a name that clashes with a local one',
    `import { Old } from '${lib}';\nconst New = Old;\n`,
    `import { New as Old } from '${lib}';\nconst New = Old;\n`,
  ],
  [
    'a local name that hides the import',
    `import { Old } from '${lib}';\nconst f = (Old: number) => Old;\nf(Old);`,
    `import { New } from '${lib}';\nconst f = (Old: number) => Old;\nf(New);`,
  ],
  [
    'an existing import of the entry point',
    `import { Moved, kept } from '${lib}';\nimport {\n  a,\n  b,\n} from '${lib}/parts';\n`,
    `import { kept } from '${lib}';\nimport {\n  a,\n  b,\n  Moved,\n} from '${lib}/parts';\n`,
  ],
  [
    'an import of which nothing remains',
    `import { Moved } from '${lib}';\nimport { a } from '${lib}/parts';\na();\n`,
    `import { a, Moved } from '${lib}/parts';\na();\n`,
  ],
  [
    'types in an existing import of values',
    `import type { Moved, Old } from '${lib}';\nimport { a } from '${lib}/parts';\n`,
    `import type { New } from '${lib}';\nimport { a, type Moved } from '${lib}/parts';\n`,
  ],
  [
    'values beside an existing import of types',
    `import { Moved, kept } from '${lib}';\nimport type { A } from '${lib}/parts';\n`,
    `import { kept } from '${lib}';\nimport { Moved } from '${lib}/parts';\nimport type { A } from '${lib}/parts';\n`,
  ],
  [
    're-exports, whose exported names remain',
    `export { Old, Both as Mine, kept } from '${lib}';\nexport type { Moved } from '${lib}';\n`,
    `export { New as Old, kept } from '${lib}';\nexport { Renamed as Mine } from '${lib}/parts';\nexport type { Moved } from '${lib}/parts';\n`,
  ],
  [
    'a namespace import',
    `import * as lib from '${lib}';\nconst a: lib.Moved = lib.kept + lib.Old;\n`,
    `import * as lib from '${lib}';\nimport * as libParts from '${lib}/parts';\nconst a: libParts.Moved = lib.kept + lib.New;\n`,
  ],
  [
    'a namespace import of one entry point',
    `import type * as lib from '${lib}';\nlet a: lib.Moved | lib.Both;\n`,
    `import type * as lib from '${lib}/parts';\nlet a: lib.Moved | lib.Renamed;\n`,
  ],
  [
    'a type of import()',
    `let a: import('${lib}').Both<number> | import("${lib}").Old.Inner;`,
    `let a: import('${lib}/parts').Renamed<number> | import("${lib}").New.Inner;`,
  ],
  [
    'destructured dynamic imports',
    `async function f() {\n  const { kept, Moved, Both: mine } = await import('${lib}');\n  const { Old } = await import('${lib}');\n}`,
    `async function f() {\n  const { kept } = await import('${lib}');\n  const { Moved, Renamed: mine } = await import('${lib}/parts');\n  const { New: Old } = await import('${lib}');\n}`,
  ],
  [
    'a destructured import of two other entry points',
    `const { Moved, Other } = await import('${lib}');\n`,
    `const { Moved } = await import('${lib}/parts');\nconst { Other } = await import('${lib}/more');\n`,
  ],
  [
    'members of a dynamic import',
    `const a = (await import('${lib}')).Both;\nconst m = await import('${lib}');\nm.Moved(m.kept);\n`,
    `const a = (await import('${lib}/parts')).Renamed;\nconst m = await import('${lib}');\nconst mParts = await import('${lib}/parts');\nmParts.Moved(m.kept);\n`,
  ],
  [
    'then() of a dynamic import',
    `import('${lib}').then(({ Moved, Both }) => Moved(Both));\nimport('${lib}').then((m) => m.Both);\n`,
    `import('${lib}/parts').then(({ Moved, Renamed: Both }) => Moved(Both));\nimport('${lib}/parts').then((m) => m.Renamed);\n`,
  ],
  [
    'members that were renamed',
    `import { handle, type Info } from '${lib}';\nhandle((_, { initial }) => initial);\nhandle((_, info) => info.initial || info['initial']);\ntype T = Info['initial'];\nconst i: Info = { initial: true };\nconst other = { initial: 1 }.initial;\n`,
    `import { handle, type Info } from '${lib}';\nhandle((_, { isInitial: initial }) => initial);\nhandle((_, info) => info.isInitial || info['isInitial']);\ntype T = Info['isInitial'];\nconst i: Info = { isInitial: true };\nconst other = { initial: 1 }.initial;\n`,
  ],
  [
    'units of members',
    `import { start } from '${lib}';\nconst waitSeconds = 2;\nstart({ waitSeconds: 1.5 });\nstart({ waitSeconds });\nstart({ waitSeconds: waitSeconds + 1 });\n`,
    `import { start } from '${lib}';\nconst waitSeconds = 2;\nstart({ waitMs: 1500 });\nstart({ waitMs: 1000 * waitSeconds });\nstart({ waitMs: 1000 * (waitSeconds + 1) });\n`,
  ],
  [
    'lines of Windows',
    `import { kept, Moved } from '${lib}';\r\nkept(Moved);\r\n`,
    `import { kept } from '${lib}';\r\nimport { Moved } from '${lib}/parts';\r\nkept(Moved);\r\n`,
  ],
  [
    'nothing in other imports',
    `import { Old } from 'other';\nimport { Moved } from '${lib}/more';\nconst Both = { Old, Moved };\n`,
    `import { Old } from 'other';\nimport { Moved } from '${lib}/more';\nconst Both = { Old, Moved };\n`,
  ],
];

describe('kgen codemod', () => {
  const fileOf = (before: string): string => `cases/${cases.findIndex((one) => one[1] === before)}.ts`;
  let first: CodemodResult;
  let second: CodemodResult;
  beforeAll(() => {
    for (const [, before] of cases) write(fileOf(before), before);
    first = codemod({ paths: ['cases'], cwd: folder, isCheck: false, renames });
    second = codemod({ paths: ['cases'], cwd: folder, isCheck: true, renames });
  });

  it.each(cases)('rewrites %s', (_, before, after) => {
    expect(read(fileOf(before))).toBe(after);
  });

  it('changes nothing in a second run', () => {
    expect(first.problems).toEqual([]);
    expect(second).toEqual({ files: [], problems: [] });
  });

  it('rewrites require() in JavaScript and TypeScript', () => {
    write(
      'src/a.cjs',
      `const { kept, Moved } = require('${lib}');\nconst lib = require('${lib}'), fs = require('fs');\nlib.Moved(lib.kept, require("${lib}").Both);\n`,
    );
    write('src/b.cts', `import lib = require('${lib}');\nlib.Moved(lib.kept);\nconst { Other } = lib;\n`);
    codemod({ paths: ['src'], cwd: folder, isCheck: false, renames });
    expect(read('src/a.cjs')).toBe(
      `const { kept } = require('${lib}');\nconst { Moved } = require('${lib}/parts');\nconst lib = require('${lib}'), libParts = require('${lib}/parts'), fs = require('fs');\nlibParts.Moved(lib.kept, require("${lib}/parts").Renamed);\n`,
    );
    expect(read('src/b.cts')).toBe(
      `import lib = require('${lib}');\nimport libParts = require('${lib}/parts');\nimport libMore = require('${lib}/more');\nlibParts.Moved(lib.kept);\nconst { Other } = libMore;\n`,
    );
  });

  it('warns of places that must be changed by hand', () => {
    write(
      'src/hand.ts',
      `import { start } from '${lib}';
export * from '${lib}';
start({}).waitSeconds;
import('${lib}').then(({ kept, Moved }) => kept(Moved));
`,
    );
    const { files, problems } = codemod({ paths: ['src/hand.ts'], cwd: folder, isCheck: true, renames });
    const warnings = problems.map(({ where, what }) => `${where?.line}: ${what}`);
    expect(files).toEqual([]);
    expect(warnings).toEqual([
      expect.stringMatching(/^2: .*export \*/),
      expect.stringMatching(/^4: Moved of @kgen\/lib is in @kgen\/lib\/parts: change it by hand/),
      expect.stringMatching(/^3: Options\.waitSeconds is waitMs, in milliseconds/),
    ]);
  });

  it('reads files, folders, or the files of tsconfig.json, and writes nothing with check', () => {
    const program = `import { Moved } from '${lib}';\n`;
    for (const path of ['src/a.ts', 'tests/b.mts', 'tests/node_modules/c.ts', 'tests/d.d.ts', 'e.ts'])
      write(path, program);
    const pathsOf = (paths: readonly string[]): readonly string[] =>
      check(paths).files.map(({ path }) => path);
    const check = (paths: readonly string[]): CodemodResult =>
      codemod({ paths, cwd: folder, isCheck: true, renames });
    expect(pathsOf(['src'])).toEqual(['src/a.ts']);
    expect(pathsOf([])).toEqual(['src/a.ts']);
    expect(pathsOf(['tests', 'e.ts'])).toEqual(['tests/b.mts', 'e.ts']);
    expect(read('src/a.ts')).toBe(program);
    expect(check(['gone.ts']).problems).toEqual([
      expect.objectContaining({ severity: 'error', where: { file: 'gone.ts' } }),
    ]);
    rmSync(join(folder, 'tsconfig.json'));
    expect(check([]).problems).toEqual([
      expect.objectContaining({ what: expect.stringContaining('name files or folders') }),
    ]);
  });
});
