/** The state of some objects on a terminal: a table that is redrawn, or one line per change in a pipe. */
import { clearScreenDown, moveCursor } from 'node:readline';

/** One line of the table. */
interface Row {
  readonly kind: string;
  readonly name: string;
  readonly state: string;
}

/** A table that shows each change. */
export class Scene {
  readonly #rows = new Map<string, Row>();
  readonly #output: NodeJS.WriteStream;
  /** Number of lines of the table that are on the terminal. */
  #drawn = 0;

  constructor(output: NodeJS.WriteStream) {
    this.#output = output;
  }

  /** Ends the table, and writes a line below it. */
  print(line: string): void {
    this.#drawn = 0;
    this.#output.write(`\n${line}\n`);
    if (this.#output.isTTY) this.#draw();
  }

  /** Replaces the state of an object; `undefined` removes it. */
  show(kind: string, name: string, state: string | undefined): void {
    const key = `${kind} ${name}`;
    if (this.#rows.get(key)?.state === state) return;
    if (state === undefined) this.#rows.delete(key);
    else this.#rows.set(key, { kind, name, state });
    if (this.#output.isTTY) this.#draw();
    else this.#output.write(lineOf({ kind, name, state: state ?? 'gone' }));
  }

  #draw(): void {
    moveCursor(this.#output, 0, -this.#drawn);
    clearScreenDown(this.#output);
    const rows = [...this.#rows.values()].sort((a, b) => order(a) - order(b) || (a.name < b.name ? -1 : 1));
    for (const row of rows) this.#output.write(lineOf(row));
    this.#drawn = rows.length;
  }
}

const kinds = ['MyApp', 'Deployment', 'Service', 'Pod'];

function order({ kind }: Row): number {
  return kinds.indexOf(kind);
}

function lineOf({ kind, name, state }: Row): string {
  return `  ${kind.padEnd(11)} ${name.padEnd(24)} ${state}\n`;
}
