/** Completion inside of selections of informers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';
import { createProject, type Project } from '../support/project.ts';
import { openEditor } from './editor.ts';

const file = 'completion.ts';
const prelude = `
import type { CoreV1Informers } from './kubernetes/core/v1/index.js';
declare const core: CoreV1Informers;
`;

let project: Project | undefined;

beforeAll(() => {
  const folder = join(repository, 'generated/kubernetes/dist');
  project = createProject();
  project.write(
    new Map(filesBelow(folder, '.d.ts').map((path) => [path, readFileSync(join(folder, path), 'utf8')])),
    'kubernetes',
  );
});

afterAll(() => project?.dispose());

describe('completion inside of a selection', () => {
  test.each<[at: string, offers: readonly string[]]>([
    ['core.pods({ select: { ^ } });', ['metadata', 'spec', 'status']],
    ['core.pods({ select: { spec: { nodeName: true, ^ } } });', ['containers', 'volumes']],
    ['core.pods({ select: { spec: { containers: { ^ } } } });', ['image', 'resources']],
    ['core.pods({ select: { spec: { nodeName: true } }, ^ });', ['onEveryChange', 'namespace', 'transform']],
  ])('%s', (at, offers) => {
    project?.write({ [file]: `${prelude}${at.replace('^', '')}\n` });
    const editor = openEditor(project?.folder ?? '', file);
    const completions = editor.completions(prelude.length + at.indexOf('^'));
    expect(completions).toEqual(expect.arrayContaining([...offers]));
  });
});
