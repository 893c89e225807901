/** Usual mistakes in calls of clients: each is one compile error of few lines, which names the cause. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Line, lines, resolutions, strictest, typeCheck } from '../support/compilers.ts';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';
import { createProject, type Project } from '../support/project.ts';
import { rows } from '../support/seeds.ts';
import { type Mistake, mistakes, prelude } from './tables/mistakes.ts';

/** Maximum number of lines of an error. */
const maxLines = 4;

let project: Project | undefined;

beforeAll(() => {
  project = createProject({ links: ['node', 'controller'] });
  for (const groupVersion of ['apps/v1', 'core/v1', 'rbac.authorization.k8s.io/v1']) {
    const folder = join(repository, 'generated/kubernetes/dist', groupVersion);
    const files = filesBelow(folder, '.d.ts').map(
      (path) => [path, readFileSync(join(folder, path), 'utf8')] as const,
    );
    project.write(new Map(files), groupVersion);
  }
  const program = [prelude, ...mistakes.map(({ code }) => code), ''].join('\n');
  project.write({ 'mistakes.ts': program });
});

afterAll(() => project?.dispose());

/** Returns the errors by the index of their mistake, one array of lines each. */
async function errorsOf(line: Line): Promise<ReadonlyMap<number, readonly (readonly string[])[]>> {
  const options = { ...strictest(line), ...resolutions.nodenext, skipLibCheck: true };
  const folder = project?.folder ?? '';
  const output = await typeCheck({
    line,
    folder,
    name: `mistakes-${line}`,
    include: ['mistakes.ts'],
    options,
  });
  const first = prelude.split('\n').length + 1;
  const found = new Map<number, string[][]>();
  let last: string[] = [];
  for (const text of output.split('\n').filter((one) => one !== '')) {
    const place = /^mistakes\.ts\((\d+),\d+\): /.exec(text);
    if (place === null) {
      last.push(text);
      continue;
    }
    last = [text.slice(place[0].length)];
    const index = Number(place[1]) - first;
    found.set(index, [...(found.get(index) ?? []), last]);
  }
  return found;
}

describe.each(rows(lines, (line) => line === '7'))('TypeScript %s', (line) => {
  let errors: ReadonlyMap<number, readonly (readonly string[])[]> = new Map();

  beforeAll(async () => {
    errors = await errorsOf(line);
  }, 120_000);

  test.each(mistakes.map((mistake, index): [string, Mistake, number] => [mistake.name, mistake, index]))(
    'reports in a few lines: %s',
    (_, { names, hasTwoForms, mostLines = maxLines }, index) => {
      const [error = [], ...others] = errors.get(index) ?? [];
      expect(others).toEqual([]);
      expect(error.length).toBeLessThanOrEqual(hasTwoForms === true ? maxLines + 1 : mostLines);
      expect(error.join('\n')).toContain(names);
      if (hasTwoForms !== true) expect(error.join('\n')).not.toContain('No overload matches');
    },
  );

  test('reports nothing else', () => {
    expect([...errors.keys()].filter((index) => mistakes[index] === undefined)).toEqual([]);
  });
});
