import { afterAll, beforeAll } from 'vitest';
import { emitted } from '../support/emitted.ts';
import { surprises } from '../support/lines.ts';
import { createProject, type Project } from '../support/project.ts';
import { describePledges, linesOf } from './pledges.ts';
import { pledges, prelude } from './tables/helpers.ts';

let found: readonly string[] = [];
let project: Project | undefined;

beforeAll(async () => {
  project = createProject();
  project.write((await emitted(['crds/*.yaml'])).files, 'generated');
  const options = { noUnusedLocals: false };
  found = surprises(project, prelude, linesOf(pledges), options);
});

afterAll(() => project?.dispose());

describePledges('types of generated clients', pledges, () => found);
