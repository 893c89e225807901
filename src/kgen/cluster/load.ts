import { isSelected } from '../model/select.ts';
import { describeSound } from '../openapi/sound.ts';
import type { Loaded } from '../openapi/types.ts';
import type { Checked } from '../problems.ts';
import { type ClusterOptions, loadContent } from './content.ts';

/**
 * Loads the API of a live cluster: what it serves, and the types of that. It only ever sends GETs, and needs no more
 * than the cluster role `system:discovery`: CRDs are read from their objects where that is allowed, otherwise from
 * OpenAPI. Answers are kept below the cache folder, so that a second run downloads no document that is unchanged.
 *
 * Never rejects for what a server, a kubeconfig or a network does. Where nothing could be read, `api` is absent, there
 * are no CRDs, and one of the problems is an error: then nothing may be written.
 */
export async function loadCluster(options: ClusterOptions): Promise<Checked<Loaded>> {
  const { include = [], exclude = [] } = options;
  const { value: content, problems } = await loadContent(options);
  if (content === undefined) return { value: { crds: [], documents: [], sources: 0, skipped: 0 }, problems };
  const { value, problems: more } = describeSound({
    ...content,
    isWanted: (kind) => isSelected(kind, include, exclude),
  });
  const { documents, crds, unread, partial } = content;
  const sources = documents.length + crds.length;
  return {
    value: {
      crds: value.crds,
      api: value.api,
      documents: value.sound,
      sources,
      skipped: 0,
      unread,
      ...(partial && { partial }),
    },
    problems: [...problems, ...more],
  };
}
