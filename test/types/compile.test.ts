import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EmitOptions } from '../../src/kgen/emit/options.ts';
import { type Line, lines, type Options, resolutions, strictest, typeCheck } from '../support/compilers.ts';
import { emitted } from '../support/emitted.ts';
import { createProject, type Project } from '../support/project.ts';
import { rows } from '../support/seeds.ts';
import { program } from './program.ts';

/** A form of output, and its import in a program; some are compiled without a program. */
interface Form {
  readonly emit: Partial<EmitOptions>;
  readonly extension?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** Forms of output, each in a folder of its own. */
const forms = {
  ts: { emit: { importExtension: '.js' }, extension: '.js' },
  tsExtension: { emit: { importExtension: '.ts' }, extension: '.ts' },
  noExtension: { emit: { importExtension: '' }, extension: '' },
  js: { emit: { emit: 'js' }, extension: '.js' },
  types: { emit: {} },
  bare: { emit: { docs: 'none', informers: false, listers: false } },
  noListers: { emit: { listers: false } },
  ownRuntime: {
    emit: { runtimeImport: './runtime.js' },
    files: { 'generated/runtime.ts': `export * from '@kgen/runtime/gen/v1';\n` },
  },
  commonjs: { emit: { emit: 'js' }, extension: '.js', files: { 'package.json': '{ "type": "commonjs" }' } },
} as const satisfies Record<string, Form>;

const { nodenext, bundler } = resolutions;
const importTs = { allowImportingTsExtensions: true };

/** Configuration of a project that uses some of the forms. */
interface Setting {
  readonly forms: readonly (keyof typeof forms)[];
  readonly options: Options;
  /** Without additional flags. Default: the strictest flags of the compiler. */
  readonly lax?: boolean;
  /** First compiler that supports it: before 5.8, CommonJS could not import ES modules. */
  readonly since?: Line;
}

const settings: Readonly<Record<string, Setting>> = {
  nodenext: {
    forms: ['ts', 'tsExtension', 'js', 'bare', 'noListers', 'ownRuntime'],
    options: { ...nodenext, ...importTs },
  },
  bundler: { forms: ['ts', 'tsExtension', 'noExtension', 'js'], options: { ...bundler, ...importTs } },
  'strict alone': { forms: ['ts', 'js'], options: { ...nodenext, strict: true }, lax: true },
  'not strict': { forms: ['ts', 'js'], options: { ...bundler, strict: false }, lax: true },
  'types of the browser instead of those of Node': {
    forms: ['ts', 'js'],
    options: { ...nodenext, types: [], lib: ['es2023', 'dom'] },
  },
  'a CommonJS package': {
    forms: ['commonjs'],
    options: { ...nodenext, strict: true },
    lax: true,
    since: '5.9',
  },
  'types of the language alone': { forms: ['types'], options: { ...nodenext, types: [] } },
};

/**
 * Returns true for the sample of `npm test`: every configuration with the fastest compiler, and the widest
 * one with the oldest.
 */
function isSampled(line: Line, name: string): boolean {
  return line === '7' || (line === '5.5' && name === 'nodenext');
}

/** Time limit of a compiler on a busy machine, in milliseconds. */
const timeout = 120_000;

let project: Project | undefined;

function folder(): string {
  if (project === undefined) throw new Error('the project is not set up');
  return project.folder;
}

beforeAll(async () => {
  project = createProject();
  for (const [name, form] of Object.entries<Form>(forms)) {
    const { files } = await emitted(['crds/*.yaml'], form.emit);
    project.write(files, `${name}/generated`);
    project.write(form.files ?? {}, name);
    if (form.extension !== undefined) project.write({ 'program.ts': program(form.extension) }, name);
  }
});

afterAll(() => project?.dispose());

function check(line: Line, name: string): Promise<string> {
  const setting = settings[name];
  if (setting === undefined) throw new Error(`unknown setting ${name}`);
  const { options, lax = false } = setting;
  const flags = lax ? options : { ...strictest(line), ...options };
  const id = `${line}-${name.replaceAll(/[^a-z]+/gi, '-')}`;
  return typeCheck({ line, folder: folder(), name: id, include: setting.forms, options: flags });
}

const possible = lines.flatMap((line) =>
  Object.entries(settings)
    .filter(([, { since = '5.5' }]) => lines.indexOf(since) <= lines.indexOf(line))
    .map(([name]) => [line, name] as const),
);

describe('the samples compile with', () => {
  test.each(rows(possible, ([line, name]) => isSampled(line, name)))(
    'TypeScript %s %s',
    async (line, name) => {
      expect(await check(line, name)).toBe('');
    },
    timeout,
  );
});
