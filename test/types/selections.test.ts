/** Types of informers with selections, and their cost. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compilerOptions } from '../support/checker.ts';
import { surprises } from '../support/compiled-lines.ts';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';
import { createProject, type Project } from '../support/project.ts';
import { describeGuarantees, linesOf } from './guarantees.ts';
import { guarantees, prelude } from './tables/selections.ts';

let found: readonly string[] = [];
let project: Project | undefined;

beforeAll(() => {
  const folder = join(repository, 'generated/kubernetes/dist');
  const files = filesBelow(folder, '.d.ts').map(
    (path) => [path, readFileSync(join(folder, path), 'utf8')] as const,
  );
  project = createProject();
  project.write(new Map(files), 'kubernetes');
  found = surprises(project, prelude, linesOf(guarantees), { noUnusedLocals: false, skipLibCheck: true });
});

afterAll(() => project?.dispose());

describeGuarantees('types of informers with selections', guarantees, () => found);

const start =
  "import { InformerFactory } from './kubernetes/index.js';\ndeclare const informers: InformerFactory;\n";

/** Returns the number of instantiated types of a program, which is equal on all machines, unlike its time. */
function instantiations(text: string): number {
  project?.write({ 'cost.ts': text });
  const folder = project?.folder ?? '';
  const options = { ...compilerOptions(folder), skipLibCheck: true };
  const program = ts.createProgram([join(folder, 'cost.ts')], options);
  expect(program.getSemanticDiagnostics().map(({ messageText }) => messageText)).toEqual([]);
  return program.getInstantiationCount();
}

test('a selection over Pod costs few instantiations', () => {
  const reads = 'console.log(informer.lister.list()[0]?.spec.containers[0]?.image);\n';
  const whole = instantiations(`${start}const informer = informers.coreV1.pods();\n${reads}`);
  const select = [
    'metadata: { labels: true }',
    'spec: { nodeName: true, containers: { image: true, resources: true } }',
    'status: { phase: true }',
  ];
  const selected = instantiations(
    `${start}const informer = informers.coreV1.pods({ select: { ${select.join(', ')} } });\n${reads}`,
  );
  expect(selected - whole).toBeLessThan(4000);
});
