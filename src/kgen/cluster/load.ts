import { type Checked, hasErrors, type InputProblem, warning } from '../common/problems.ts';
import { isSelected } from '../model/select.ts';
import type { ApiDocument, Loaded } from '../openapi/types.ts';
import { describeSound } from '../openapi/valid-documents.ts';
import { type ClusterOptions, loadContent } from './content.ts';
import { unusable } from './discover.ts';

/**
 * Loads the API of a live cluster: its resources and their types. Sends only GET requests, and needs no more
 * than the cluster role `system:discovery`: CRDs are read from their objects if that is permitted, otherwise
 * from OpenAPI. Responses are cached, so that a second run downloads no unchanged document.
 *
 * Never rejects because of a server, a kubeconfig or a network. If nothing could be read, `api` is absent,
 * there are no CRDs, and one of the problems is an error. Then nothing may be written.
 */
export async function loadCluster(options: ClusterOptions): Promise<Checked<Loaded>> {
  const { include = [], exclude = [] } = options;
  const { value: content, problems } = await loadContent(options);
  if (content === undefined) return { value: { crds: [], documents: [], sources: 0, skipped: 0 }, problems };
  const { value, problems: more } = describeSound({
    ...content,
    isIncluded: (kind) => isSelected(kind, include, exclude),
  });
  const { documents, crds, unread, partial } = content;
  const sources = documents.length + crds.length;
  const all = [...problems, ...more];
  const faults = perDocument(all, documents);
  return {
    value: {
      crds: value.crds,
      api: value.api,
      documents: value.sound,
      sources,
      skipped: 0,
      unread,
      ...((partial === true || hasErrors(all)) && { partial: true }),
    },
    problems: faults.map(softened),
  };
}

/** The rest of the cluster was read, so that an error in a part of it costs only that part. */
function softened({ what, where, ...rest }: InputProblem): InputProblem {
  return { ...rest, ...warning(what, where) };
}

/**
 * Returns one warning for each document with errors, whose group version is left out, and the other problems
 * as they are.
 */
function perDocument(
  problems: readonly InputProblem[],
  documents: readonly ApiDocument[],
): readonly InputProblem[] {
  const names = new Map(documents.map(({ file, groupVersion }) => [file, groupVersion]));
  const seen = new Set<string>();
  return problems.flatMap((problem) => {
    const file = problem.where?.file ?? '';
    const name = problem.severity === 'error' ? names.get(file) : undefined;
    if (name === undefined) return [problem];
    if (seen.has(file)) return [];
    seen.add(file);
    return [{ ...unusable(name, problem.what), where: { file } }];
  });
}
