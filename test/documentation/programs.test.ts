/**
 * Every program of README.md, docs/ and the packages' READMEs compiles and runs, and every example of a doc
 * comment compiles; see `pages.ts` and `doc-examples.ts` for the rules.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Complaint } from '../support/checker.ts';
import { docExamples, docExampleTags } from './doc-examples.ts';
import { pages, programsOf } from './pages.ts';
import { createProject } from './project.ts';

const programs = pages.map((page) => ({ page, programs: programsOf(page) }));
const all = [...programs.flatMap((entry) => entry.programs), ...docExamples];
const project = createProject();
let found: readonly Complaint[] = [];

beforeAll(() => {
  found = project.compile(Object.fromEntries(all.map(({ file, text }) => [file, text])));
});
afterAll(() => project.remove());

describe('programs of the documentation', () => {
  it.each(all)('$name compiles', ({ name, file }) => {
    const page = name.replace(/:\d+$/, '');
    const own = found.filter((complaint) => complaint.file === file);
    const lines = own.map(({ line, text }) => `${page}:${line + 1}: ${text}`);
    expect(lines, lines.join('\n')).toEqual([]);
  });

  const runnable = programs
    .map(({ page, programs: own }) => ({
      path: page.path,
      files: own
        .filter(({ notRun }) => notRun === undefined)
        .map(({ file, until }) => (until === undefined ? '' : `${until}:`) + file.replace(/ts$/, 'js')),
    }))
    .filter(({ files }) => files.length > 0);
  it.each(runnable)('those of $path run', async ({ files }) => {
    const { status, output } = await project.run(files);
    expect(status, output).toBe(0);
  });

  it('of doc comments are the code blocks of `@example` tags, one per tag', () => {
    expect(docExamples.length).toBeGreaterThanOrEqual(40);
    expect(docExamples.map(({ name }) => name)).toEqual(docExampleTags);
  });

  it('state a reason where they are not run', () => {
    expect(all.filter(({ notRun }) => notRun?.trim() === '').map(({ name }) => name)).toEqual([]);
  });
});
