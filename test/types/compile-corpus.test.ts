import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Line, resolutions, strictest, typeCheck } from '../support/compilers.ts';
import { corpus, emitted } from '../support/emitted.ts';
import { createProject, type Project } from '../support/project.ts';

describe.skipIf(corpus === undefined)('the CRDs of other projects compile', () => {
  let project: Project | undefined;
  beforeAll(async () => {
    project = createProject();
    const input = [`${corpus}/crds/*/*.yaml`];
    project.write((await emitted(input)).files, 'corpus');
    project.write((await emitted(input, { emit: 'js' })).files, 'corpusJs');
  });
  afterAll(() => project?.dispose());

  const cases: readonly [Line, keyof typeof resolutions, string][] = [
    ['5.5', 'nodenext', 'corpus'],
    ['5.9', 'nodenext', 'corpus'],
    ['5.9', 'bundler', 'corpus'],
    ['6', 'bundler', 'corpus'],
    ['7', 'nodenext', 'corpus'],
    ['7', 'bundler', 'corpusJs'],
  ];
  test.each(cases)(
    'TypeScript %s, %s, %s',
    async (line, resolution, form) => {
      const options = { ...strictest(line), ...resolutions[resolution] };
      const name = `${form}-${line}-${resolution}`;
      expect(await typeCheck({ line, folder: project?.folder ?? '', name, include: [form], options })).toBe(
        '',
      );
    },
    120_000,
  );
});
