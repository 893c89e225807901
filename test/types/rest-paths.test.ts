import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { surprises } from '../support/lines.ts';
import { createProject, type Project } from '../support/project.ts';
import { describePledges, linesOf } from './pledges.ts';
import { paths, pledges, prelude } from './tables/rest-paths.ts';

let found: readonly string[] = [];
let project: Project | undefined;

beforeAll(() => {
  project = createProject();
  const { folder } = project;
  project.write({
    'paths.ts': paths.replace('interface Thing', 'export interface Thing'),
    'other/runtime.ts': `export { ClientsetBase, RESTClient } from '@kgen/runtime';\n`,
  });
  cpSync(join(folder, 'node_modules/@kgen'), join(folder, 'other/node_modules/@kgen'), { recursive: true });
  found = surprises(project, prelude, linesOf(pledges), { noUnusedLocals: false });
});

afterAll(() => project?.dispose());

describePledges('types of a client with paths', pledges, () => found);
