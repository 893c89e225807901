import type { Manifest } from './parse.ts';
import type { ManifestResult } from './types.ts';

/** Progress of a run. */
export class Progress {
  readonly #total: number;
  readonly #report: (result: ManifestResult) => void;
  readonly #pending: Map<string, Manifest> = new Map();
  #done = 0;

  constructor(total: number, report: (result: ManifestResult) => void) {
    this.#total = total;
    this.#report = report;
  }

  begin(manifest: Manifest): void {
    this.#pending.set(manifest.place, manifest);
  }

  /** Records a final result. */
  end(result: ManifestResult): void {
    if (result.place !== undefined && this.#pending.delete(result.place)) this.#done += 1;
    this.#report(result);
  }

  /** Returns the progress for messages. */
  text(): string {
    const [first] = this.#pending.values();
    const at = first === undefined ? '' : `, under way ${first.kind} ${first.name} (${first.place})`;
    return `${this.#done} of ${this.#total} objects are done${at}`;
  }
}
