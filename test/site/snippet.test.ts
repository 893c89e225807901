/** Programs of the playground are compiled with the files beside them. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { responseTo } from '../../site/playground/generated.ts';
import { complaints, programOf } from '../support/checker.ts';
import { repository } from '../support/emitted.ts';

const inputs = ['crds', 'site/playground/samples', 'test/golden'].flatMap((folder) =>
  readdirSync(join(repository, folder))
    .filter((file) => file.endsWith('.yaml') && file !== 'openapi.yaml')
    .map((file) => join(folder, file)),
);

test.each(inputs)('programs for %s compile', { timeout: 60_000 }, (input) => {
  const { files, snippets } = responseTo(
    { id: 1, text: readFileSync(join(repository, input), 'utf8') },
    '0.0.0',
  );
  expect(snippets.length).toBeGreaterThan(0);
  // Below the repository, whose packages the programs import.
  const folder = mkdtempSync(join(repository, 'node_modules/.cache/kgen-snippet-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const { name, text } of files) {
    mkdirSync(dirname(join(folder, 'generated', name)), { recursive: true });
    writeFileSync(join(folder, 'generated', name), text);
  }
  const programs = snippets.map(({ text }, index) => {
    writeFileSync(join(folder, `program-${index}.ts`), text);
    return `program-${index}.ts`;
  });
  expect(complaints(programOf(folder, programs), folder)).toEqual([]);
});

test.each([
  [
    'bakery',
    `    flour: 'wheat',
    ovens: 2,
    recipes: [{
      minutes: 1,
      name: 'name',
    }],
`,
  ],
  [
    'rules',
    `    schedule: 'schedule',
    target: {
      bucket: {
        name: 'name',
      },
    },
`,
  ],
])('the program for %s has required values, defaults and values of enumerations', (sample, spec) => {
  const text = readFileSync(join(repository, `site/playground/samples/${sample}.yaml`), 'utf8');
  const [program] = responseTo({ id: 1, text }, '0.0.0').snippets;
  expect(program?.text).toContain(`  spec: {\n${spec}  },\n`);
});
