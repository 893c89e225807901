/** All files of a project that its author owns, as they are before the first edit. */
import type { ProjectFacts } from '../record.ts';
import { kindFiles } from './kind-files.ts';
import { projectFiles } from './project-files.ts';

/** Returns the files of a project, by path. */
export function templatesOf(facts: ProjectFacts): ReadonlyMap<string, string> {
  return new Map([...projectFiles(facts), ...facts.kinds.flatMap((kind) => [...kindFiles(kind)])]);
}
