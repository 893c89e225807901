import { afterAll, beforeAll } from 'vitest';
import { surprises } from '../support/compiled-lines.ts';
import { emitted } from '../support/emitted.ts';
import { createProject, type Project } from '../support/project.ts';
import { describeGuarantees, linesOf } from './guarantees.ts';
import { guarantees, prelude } from './tables/helpers.ts';

let found: readonly string[] = [];
let project: Project | undefined;

beforeAll(async () => {
  project = createProject();
  project.write((await emitted(['crds/*.yaml'])).files, 'generated');
  const options = { noUnusedLocals: false };
  found = surprises(project, prelude, linesOf(guarantees), options);
});

afterAll(() => project?.dispose());

describeGuarantees('types of generated clients', guarantees, () => found);
