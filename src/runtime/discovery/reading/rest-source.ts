import { isNotFound } from '../../api/failure-reasons.ts';
import type { RESTClient } from '../../rest/client.ts';
import { fetchDocument, getting } from './discovery-request.ts';
import { parseResourceList } from './legacy.ts';
import { RootReader } from './root.ts';
import type { Source } from './source-types.ts';

/** Returns the server as a source. `timeoutMs` is the limit of each request. */
export function restSource(rest: RESTClient, timeoutMs: number): Source {
  const reader = new RootReader(rest, timeoutMs);
  return {
    root: (signal) => reader.read(signal),
    now: () => Date.now(),
    list: async (groupVersion, signal) => {
      const path = `${groupVersion.includes('/') ? '/apis' : '/api'}/${groupVersion}`;
      try {
        const response = await fetchDocument(rest, { path, signal, timeoutMs });
        return parseResourceList(response?.value, groupVersion, getting(path));
      } catch (error) {
        // Some programs always request the core group, even from a server without it.
        if (groupVersion === 'v1' && isNotFound(error)) return { groupVersion, resources: [] };
        throw error;
      }
    },
  };
}
