/** Kinds of the paths of a container, which a shell in it reports before a copy changes any of them. */
import { TransportError } from '../../../api/errors.ts';
import type { ExecSession } from '../../../api/verbs/exec.ts';

/** A path of the container. */
export interface RemotePath {
  /** `folder` and `file` are also links to one, and `special file` is a device, a FIFO or a socket. */
  readonly kind: 'absent' | 'folder' | 'file' | 'dangling link' | 'special file';
  readonly isLink: boolean;
  /** Path without links of a link to a folder or file, and of a folder that was looked at as a root. */
  readonly physical?: string;
}

/**
 * Writes one record per path: a letter for its kind, the path without links, and a NUL. The arguments come
 * first. In the input, a line `/…` changes to a folder, another line is a name in it, and an empty line ends
 * the script: servers before 1.30 cannot end the input. `%b` decodes names with line breaks.
 */
export const lookScript: string = `see() {
  if [ -d "$1" ]; then
    if [ -L "$1" ]; then printf D; else printf d; fi
    if [ -L "$1" ] || [ "$2" ]; then (cd -P "$1" && pwd -P); fi
  elif [ -f "$1" ]; then if [ -L "$1" ]; then printf F; readlink -f "$1"; else printf f; fi
  elif [ -L "$1" ]; then printf L
  elif [ -e "$1" ]; then printf o
  else printf a; fi
  printf '\\0'
}
for path in "$@"; do see "$path" root; done
while IFS= read -r line && [ "$line" ]; do
  case $line in *\\\\*) line=$(printf '%b/' "$line"); line=\${line%/};; esac
  case $line in /*) cd -P "$line" || exit;; *) see "./$line";; esac
done`;

/** Letters of the records. Upper case stands for links. */
const kinds: ReadonlyMap<string, RemotePath['kind']> = new Map([
  ['a', 'absent'],
  ['d', 'folder'],
  ['f', 'file'],
  ['l', 'dangling link'],
  ['o', 'special file'],
]);

/** Maximum bytes of a record. Paths of Linux have 4,096. */
const recordBytes = 64 * 1024;

/** A session with `lookScript`. */
export class RemoteLook {
  readonly #session: ExecSession<{ readonly stdin: true }>;
  readonly #records: AsyncGenerator<Uint8Array, void>;
  readonly #failure: (code: number) => Promise<Error>;

  /** @param failure returns the error of a script that ended early with an exit code */
  constructor(session: ExecSession<{ readonly stdin: true }>, failure: (code: number) => Promise<Error>) {
    this.#session = session;
    this.#records = recordsOf(session.stdout);
    this.#failure = failure;
  }

  /** Returns the kinds of names in a folder, in the order of the names. */
  async namesIn(folder: string, names: readonly string[]): Promise<readonly RemotePath[]> {
    this.#session.stdin.write([folder, ...names].map(lineOf).join(''));
    const found: RemotePath[] = [];
    for (const _ of names) found.push(await this.next());
    return found;
  }

  /** Returns the next record: those of the arguments precede those of names. */
  async next(): Promise<RemotePath> {
    const { value, done } = await this.#records.next();
    if (done) throw await this.#failure((await this.#session.exit).code);
    const [letter = '', ...path] = textOf(value);
    const kind = kinds.get(letter.toLowerCase());
    if (kind === undefined) throw new TransportError(`unexpected output of the shell: ${letter}`);
    const physical = path.join('').replace(/\n$/, '');
    const isLink = letter !== letter.toLowerCase();
    return { kind, isLink, ...(physical.startsWith('/') && { physical }) };
  }

  /** Ends the script. */
  end(): void {
    this.#session.stdin.write('\n');
    this.#session.close();
  }
}

/** Returns a line of input. A backslash begins an octal number of `printf`. */
function lineOf(path: string): string {
  return `${path.replaceAll('\\', '\\0134').replaceAll('\n', '\\0012')}\n`;
}

/** @throws {TransportError} for a path that is not UTF-8, whose name an archive could not contain */
function textOf(record: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(record);
  } catch (cause) {
    throw new TransportError('a path of the container is not UTF-8', undefined, { cause });
  }
}

async function* recordsOf(output: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of output) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end + 1);
    }
    if (rest.length > recordBytes) throw new TransportError('unexpected output of the shell');
  }
}
