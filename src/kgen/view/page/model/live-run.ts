/** The run of a live page, which grows with each response of its server. */
import type { ViewDocument } from '../../format.ts';
import type { LiveDocument } from '../../live-document.ts';
import { titleOf } from '../../recording.ts';
import { RecordingReader } from '../../recording-reader.ts';
import { RunBuilder } from '../../run-builder.ts';

/** A source with the state that the page has. */
interface Source {
  readonly reader: RecordingReader;
  readonly tag: string;
}

/** Builds the document of a live page. */
export class LiveRun {
  readonly #builder = new RunBuilder();
  readonly #sources = new Map<string, Source>();
  #problem = '';
  #document: ViewDocument | undefined;

  /** Parameters of the next request: the states that the page has. */
  get after(): readonly (readonly [string, string])[] {
    return [...this.#sources].map(([name, { tag }]) => [`after.${name}`, tag]);
  }

  /** Reason why a source is missing; empty without one. */
  get problem(): string {
    return this.#problem;
  }

  /** The present document; `undefined` before the first recording. The same one if nothing has changed. */
  get document(): ViewDocument | undefined {
    return this.#document;
  }

  /** @throws {Error} if a recording is malformed */
  add({ sources }: LiveDocument): void {
    this.#problem = sources.flatMap((each) => ('problem' in each ? [each.problem] : [])).join('; ');
    let isChanged = false;
    // Objects of the cluster precede what the operator does with them.
    for (const each of [...sources].sort(({ name: one }, { name: other }) => (one < other ? -1 : 1))) {
      if ('problem' in each) continue;
      const source = each.name === 'cluster' ? 'cluster' : 'operator';
      const reader = this.#sources.get(each.name)?.reader ?? new RecordingReader(this.#builder, source);
      this.#sources.set(each.name, { reader, tag: each.tag });
      reader.addText(each.text);
      isChanged ||= each.text !== '';
    }
    if (isChanged) this.#document = this.#next();
  }

  #next(): ViewDocument {
    const { events, reconciles, states } = this.#builder;
    const { reader } = this.#sources.get('operator') ?? [...this.#sources.values()][0] ?? {};
    const readers = [...this.#sources.values()].map((source) => source.reader);
    const from = readers.reduce((first, each) => Math.min(first, each.from), Number.POSITIVE_INFINITY);
    const to = readers.reduce((last, each) => Math.max(last, each.to), 0);
    const run = { name: 'live', clock: 'utc', from, to, events, reconciles, states } as const;
    return {
      ...{ type: 'kgen view', version: 1, title: titleOf(reader?.header ?? {}), facts: [] },
      ...{ runs: [run], failures: [], tables: [] },
    };
  }
}
