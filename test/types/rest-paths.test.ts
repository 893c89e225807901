import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { surprises } from '../support/compiled-lines.ts';
import { createProject, type Project } from '../support/project.ts';
import { describeGuarantees, linesOf } from './guarantees.ts';
import { guarantees, paths, prelude } from './tables/rest-paths.ts';

let found: readonly string[] = [];
let project: Project | undefined;

beforeAll(() => {
  project = createProject();
  const { folder } = project;
  project.write({
    'paths.ts': paths.replace('interface Thing', 'export interface Thing'),
    'other/runtime.ts': `export { RESTClient } from '@kgen/runtime';
export { ClientsetBase } from '@kgen/runtime/client';\n`,
  });
  cpSync(join(folder, 'node_modules/@kgen'), join(folder, 'other/node_modules/@kgen'), { recursive: true });
  found = surprises(project, prelude, linesOf(guarantees), { noUnusedLocals: false });
});

afterAll(() => project?.dispose());

describeGuarantees('types of a client with paths', guarantees, () => found);
