/** The run of a live page, which grows with each response of its server. */
import type { ViewDocument } from '../../format.ts';
import type { LiveDocument } from '../../live-document.ts';
import { titleOf } from '../../recording.ts';
import { RecordingReader } from '../../recording-reader.ts';
import { RunBuilder } from '../../run-builder.ts';
import { RunIndex, type RunModel } from './run-model.ts';

/** A source with the state that the page has. */
interface Source {
  readonly reader: RecordingReader;
  readonly tag: string;
}

/** A document with the indices of its runs. */
export interface Shown {
  readonly document: ViewDocument;
  readonly models: readonly RunModel[];
}

/** Estimated memory of the history from which the oldest part is dropped, in bytes. */
const mostBytes = 64 * 1024 * 1024;

/** Milliseconds after which a document is shown again if nothing has changed. */
const refreshMs = 1_000;

/** Builds the document of a live page. */
export class LiveRun {
  readonly #index = new RunIndex({ isPlain: false });
  readonly #builder = new RunBuilder(this.#index);
  readonly #mostBytes: number;
  readonly #sources = new Map<string, Source>();
  #problem = '';
  /** Changes that `#shown` has. */
  #changes = 0;
  #shown: Shown | undefined;

  /** @param most estimated memory in bytes. Default: 64 MiB */
  constructor(most: number = mostBytes) {
    this.#mostBytes = most;
  }

  /** Parameters of the next request: the states that the page has. */
  get after(): readonly (readonly [string, string])[] {
    return [...this.#sources].map(([name, { tag }]) => [`after.${name}`, tag]);
  }

  /** Reason why a source is missing; empty without one. */
  get problem(): string {
    return this.#problem;
  }

  /** The present document; `undefined` before the first recording. The same one if nothing has changed. */
  get shown(): Shown | undefined {
    return this.#shown;
  }

  /** @throws {Error} if a recording is malformed */
  add({ sources }: LiveDocument): void {
    this.#problem = sources.flatMap((each) => ('problem' in each ? [each.problem] : [])).join('; ');
    // Objects of the cluster precede what the operator does with them.
    for (const each of [...sources].sort(({ name: one }, { name: other }) => (one < other ? -1 : 1))) {
      if ('problem' in each) continue;
      const source = each.name === 'cluster' ? 'cluster' : 'operator';
      const reader = this.#sources.get(each.name)?.reader ?? new RecordingReader(this.#builder, source);
      this.#sources.set(each.name, { reader, tag: each.tag });
      reader.addText(each.text);
    }
    this.#trim();
    const to = [...this.#sources.values()].reduce((last, { reader }) => Math.max(last, reader.to), 0);
    // Ages change with time.
    const isLater = to - (this.#shown?.document.runs[0]?.to ?? 0) >= refreshMs;
    if (this.#sources.size > 0 && (this.#builder.changes !== this.#changes || isLater))
      this.#shown = this.#next(to);
    this.#changes = this.#builder.changes;
  }

  /** Drops a tenth of the events, oldest first, while they need too much memory. */
  #trim(): void {
    const { events } = this.#builder;
    while (this.#index.bytes > this.#mostBytes && events.length > 100) {
      this.#index.drop(this.#builder.drop(Math.ceil(events.length / 10)));
    }
  }

  #next(to: number): Shown {
    const { events, firstEvent, reconciles, states } = this.#builder;
    const { reader } = this.#sources.get('operator') ?? [...this.#sources.values()][0] ?? {};
    const readers = [...this.#sources.values()].map((source) => source.reader);
    const from = readers.reduce((first, each) => Math.min(first, each.from), Number.POSITIVE_INFINITY);
    const since = firstEvent === 0 ? from : (events[0]?.at ?? from);
    const run = {
      ...({ name: 'live', clock: 'utc', from: since, to } as const),
      ...{ events, firstEvent, reconciles, states },
    };
    const document: ViewDocument = {
      ...{ type: 'kgen view', version: 1, title: titleOf(reader?.header ?? {}), facts: [] },
      ...{ runs: [run], failures: [], tables: [] },
    };
    return { document, models: [this.#index.model(run)] };
  }
}
