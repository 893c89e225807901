/** All files of a project that its author owns, as they are before the first edit. */
import { definitionFolders, type ProjectFacts } from '../record.ts';
import { kindFiles } from './kind-files.ts';
import { partFiles } from './part-files.ts';
import { projectFiles } from './project-files.ts';
import { webhookFiles } from './webhook-files.ts';

/** Returns the files of a project, by path. */
export function templatesOf(facts: ProjectFacts): ReadonlyMap<string, string> {
  const kinds = facts.kinds.flatMap((kind) => [...kindFiles(kind, definitionFolders(facts))]);
  return new Map([...projectFiles(facts), ...kinds, ...webhookFiles(facts), ...partFiles(facts)]);
}
