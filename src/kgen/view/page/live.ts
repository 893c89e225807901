/** Documents of the server of a live page. */
import type { ViewDocument } from '../format.ts';
import { documentIn } from '../opened.ts';

/** Milliseconds between two requests. */
const periodMs = 1_000;

/**
 * Requests the document of the server every second while the page is visible.
 * @param show called with each other document
 * @param report called with the reason why there is none, and with an empty text once there is one
 * @returns a function that ends the requests
 */
export function followDocument(
  show: (document: ViewDocument) => void,
  report: (problem: string) => void,
): () => void {
  let tag = '';
  let timer = 0;
  const end = new AbortController();
  const next = async (): Promise<void> => {
    try {
      if (document.visibilityState === 'visible') await request();
    } catch {
      if (!end.signal.aborted) report('kgen has ended: this page does not change any more');
    }
    if (!end.signal.aborted) timer = setTimeout(() => void next(), periodMs);
  };
  const request = async (): Promise<void> => {
    const query = new URLSearchParams(location.search);
    query.set('after', tag);
    const response = await fetch(`document?${query}`, { signal: end.signal });
    if (response.status === 304) return report('');
    const text = await response.text();
    if (response.status !== 200) return report(text);
    tag = response.headers.get('etag') ?? '';
    show(documentIn(text));
    report('');
  };
  void next();
  return () => {
    end.abort();
    clearTimeout(timer);
  };
}
