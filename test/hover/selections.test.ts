/** Completion inside of selections of informers and clients. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';
import { createProject, type Project } from '../support/project.ts';
import { openEditor } from './editor.ts';

const file = 'completion.ts';
const prelude = `
import type { CoreV1Informers, PodClient } from './kubernetes/core/v1/index.js';
declare const core: CoreV1Informers;
declare const pods: PodClient;
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

/** Statements with the place of the completion, and some of the offered members. */
const rows: readonly (readonly [at: string, offers: readonly string[]])[] = [
  ['core.pods({ select: { ^ } });', ['metadata', 'spec', 'status']],
  ['core.pods({ select: { spec: { nodeName: true, ^ } } });', ['containers', 'volumes']],
  ['core.pods({ select: { spec: { containers: { ^ } } } });', ['image', 'resources']],
  ['core.pods({ select: { spec: { nodeName: true } }, ^ });', ['onEveryChange', 'namespace', 'transform']],
  ['pods.list({ select: { ^ } });', ['metadata', 'spec', 'status']],
  ['pods.list({ limit: 5, select: { spec: { containers: { env: { ^ } } } } });', ['name', 'valueFrom']],
  ['pods.iterate({ select: { status: { ^ } } });', ['phase', 'podIP']],
  ['pods.watch({ select: { metadata: { ^ } } });', ['labels', 'ownerReferences']],
  ['pods.list({ select: { spec: { nodeName: true } }, ^ });', ['limit', 'labelSelector']],
];

describe('completion inside of a selection', () => {
  let editor: ReturnType<typeof openEditor> | undefined;

  beforeAll(() => {
    const statements = rows.map(([at]) => `${at.replace('^', '')}\n`);
    project?.write({ [file]: `${prelude}${statements.join('')}` });
    editor = openEditor(project?.folder ?? '', file);
  });

  test.each(rows.map(([at, offers], index) => [at, offers, index] as const))('%s', (at, offers, index) => {
    const before = rows.slice(0, index).map(([other]) => other.length);
    const start = before.reduce((sum, length) => sum + length, prelude.length);
    const completions = editor?.completions(start + at.indexOf('^'));
    expect(completions).toEqual(expect.arrayContaining([...offers]));
  });
});
