/** Exclusion of documents with errors. */
import { apiVersionOf } from '../common/names.ts';
import type { Checked } from '../common/problems.ts';
import { type Described, type DescribeInput, describeApi } from './describe.ts';
import { readPaths } from './resources/served.ts';
import type { ApiDocument } from './types.ts';

/** Description of the documents without errors. */
export interface Sound extends Described {
  /** The documents without errors. */
  readonly sound: readonly ApiDocument[];
}

/**
 * Describes the documents without errors. A document with errors is excluded as a whole, with the group
 * versions that it serves, because a partial API would look complete. Problems of the other documents are
 * reported if they persist without it.
 */
export function describeSound(input: DescribeInput): Checked<Sound> {
  const { value, problems } = describeApi(input);
  const { documents, discovery = [] } = input;
  const sound = documents.filter(({ file }) => !value.broken.has(file));
  if (sound.length === documents.length) return { value: { ...value, sound }, problems };
  const lost = groupVersionsOf(documents.filter(({ file }) => value.broken.has(file)));
  const rest = describeSound({
    ...input,
    documents: sound,
    discovery: discovery.filter((groupVersion) => !lost.has(apiVersionOf(groupVersion))),
  });
  const reported = problems.filter(
    ({ severity, where }) => severity === 'error' && where !== undefined && value.broken.has(where.file),
  );
  return { value: rest.value, problems: [...reported, ...rest.problems] };
}

/**
 * Returns the group versions of documents, as `apps/v1`: those of their paths, and those that a cluster
 * serves them for.
 */
function groupVersionsOf(documents: readonly ApiDocument[]): ReadonlySet<string> {
  const named = documents.flatMap(({ groupVersion }) => groupVersion ?? []);
  return new Set([...readPaths(documents, []).keys(), ...named]);
}
