import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { defineConfig, type KgenConfig, parseConfig } from './config.ts';
import { loadConfig } from './load.ts';
import { formats } from './names.ts';
import { rules } from './rules.ts';
import { configText } from './template.ts';

let cwd = '';

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-template-'));
  writeFileSync(join(cwd, 'package.json'), '{"type": "module"}');
});

afterEach(() => rmSync(cwd, { recursive: true }));

/** Returns the template with every example activated. */
function uncommented(text: string): string {
  return text.replace(/^( *)(?:#|\/\/) (\w+: .*)$/gm, (line, indent: string, setting: string) =>
    setting.startsWith('Default:') ? line : `${indent}${setting}`,
  );
}

test.each(formats)('writes a valid template for %s', async (format) => {
  writeFileSync(join(cwd, `kgen.config.${format}`), configText(format));
  const { value, problems } = await loadConfig(cwd, undefined);
  expect({ value, problems }).toEqual({ value: { settings: { input: ['crds'] } }, problems: [] });
});

test('explains each setting with a valid example', () => {
  const value: unknown = parse(uncommented(configText('yaml')));
  expect(Object.keys(Object(value)).sort()).toEqual([...Object.keys(rules), 'outputs'].sort());
  const { problems } = parseConfig(value, () => ({ file: 'f' }));
  expect(problems.map(({ what }) => what)).toEqual([
    expect.stringMatching(/^out cannot be combined with outputs/),
  ]);
});

test('has no overlong line', () => {
  for (const format of formats) {
    for (const line of configText(format).split('\n')) expect(line.length).toBeLessThanOrEqual(110);
  }
});

test('compiles with all examples enabled, and rejects invalid values', () => {
  const text = configText('ts');
  expect(complaints(text)).toEqual([]);
  expect(complaints(uncommented(text))).toEqual([]);
  expect(complaints(text.replace('input:', 'inputs:'))).toEqual([expect.stringContaining("'inputs'")]);
  expect(complaints(text.replace("['crds']", '[7]'))).toHaveLength(1);
});

const strips = Boolean(Reflect.get(process.features, 'typescript'));

// Older versions of Node cannot strip types, so the test does not apply.
if (strips) {
  test('runs in Node.js without kgen installed', () => {
    writeFileSync(join(cwd, 'kgen.config.ts'), configText('ts'));
    const script = "const m = await import('./kgen.config.ts'); console.log(JSON.stringify(m.default))";
    const reported = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd,
      encoding: 'utf8',
    });
    expect(JSON.parse(reported)).toEqual({ input: ['crds'] });
  });
}

test('defineConfig returns its argument', () => {
  const config: KgenConfig = { input: 'crds', outputs: [{ out: 'a', include: 'x' }] };
  expect(defineConfig(config)).toBe(config);
});

function complaints(text: string): readonly string[] {
  const file = join(cwd, 'kgen.config.ts');
  writeFileSync(file, text);
  const here = dirname(fileURLToPath(import.meta.url));
  const program = ts.createProgram([file], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
    paths: { kgen: [join(here, 'config.ts')] },
  });
  const source = program.getSourceFile(file);
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
  );
}
