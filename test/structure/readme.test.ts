/** The programs of the READMEs compile, against the samples and the packages as they are built. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { complaints, programOf } from '../support/checker.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readmes = ['README.md', 'src/runtime/README.md'];
const texts = readmes.map((path) => readFileSync(join(root, path), 'utf8'));
const programs = texts.flatMap((text) =>
  [...text.matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1] ?? ''),
);
const project = mkdtempSync(join(tmpdir(), 'kgen-readme-'));

beforeAll(() => {
  mkdirSync(join(project, 'node_modules/@kgen'), { recursive: true });
  for (const name of ['runtime', 'testing']) {
    symlinkSync(join(root, 'src', name), join(project, 'node_modules/@kgen', name));
  }
  symlinkSync(join(root, 'generated/kubernetes'), join(project, 'node_modules/@kgen/kubernetes'));
  symlinkSync(join(root, 'node_modules/@types'), join(project, 'node_modules/@types'));
  cpSync(join(root, 'generated/crds'), join(project, 'generated'), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rmSync(project, { recursive: true }));

describe('the READMEs', () => {
  it('contain programs', () => {
    for (const text of texts) expect(text).toContain('```ts\n');
  });

  it.each(programs.map((text, index) => ({ name: `program ${index + 1}`, text })))(
    'compile: $name',
    ({ name, text }) => {
      const file = `${name.replace(' ', '-')}.ts`;
      writeFileSync(join(project, file), text);
      const options = { isolatedDeclarations: false, declaration: false };
      expect(complaints(programOf(project, [file], options), project)).toEqual([]);
    },
  );
});
