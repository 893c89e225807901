/**
 * Pages of the documentation and the programs in their code blocks.
 *
 * The first line of a block decides how it is tested:
 * - ```` ```ts ```` is a program of its own: it is compiled, and run against the API server in memory.
 * - ```` ```ts until SIGTERM ```` runs until it receives this signal, which is sent after its first output.
 * - ```` ```ts continued ```` belongs to the program before it on the same page.
 * - ```` ```ts file PATH ```` is a file of a walkthrough; `walkthroughs.test.ts` compiles it in its project.
 * - ```` ```ts not run: REASON ```` is only compiled. The reason is for readers of the page's source.
 *
 * Programs of a page run one after the other in one process and share one server, so that a page may create
 * objects in its first program and read them in the next. `loadConfig()` finds that server. It serves the
 * definitions of `crds/` and the namespaces `default`, `shop` and `bank`, with the workloads of
 * `workloads.ts`; the current folder holds `crds/`, manifests, and, as `generated/`, the package that kgen
 * generates from `crds/`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A fenced code block of a page. */
export interface Block {
  readonly language: string;
  /** The rest of the opening line. */
  readonly info: string;
  readonly text: string;
  /** Line of the block's first line of code, from 1. */
  readonly line: number;
}

/** A page of the documentation. */
export interface Page {
  /** Path below the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** A program of a page or of a doc comment: one block, and the blocks that continue it. */
export interface Program {
  /** File and line of its first block, such as `docs/clients.md:12`. */
  readonly name: string;
  /** Name of its file. */
  readonly file: string;
  /** Source; each line has its line number in the file. */
  readonly text: string;
  /** Reason why the program is not run; `undefined` for programs that run. */
  readonly notRun: string | undefined;
  /** Signal that ends the program; `undefined` for programs that end by themselves. */
  readonly until: string | undefined;
}

/** Returns the fenced code blocks of a text, in order. */
export function blocksIn(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { language: string; info: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^```(\S*) ?(.*)$/.exec(line);
    if (fence === null) open?.lines.push(line);
    else if (open === undefined) {
      open = { language: fence[1] ?? '', info: fence[2] ?? '', line: index + 2, lines: [] };
    } else {
      blocks.push({ ...open, text: open.lines.join('\n') });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`a code block is not closed: line ${open.line - 1}`);
  return blocks;
}

const folders = [
  '',
  'docs',
  'docs/design',
  'examples',
  'examples/operators',
  'examples/operators/foo',
  'examples/operators/myapp',
  'examples/operators/rediscluster',
  'examples/operators/sidecar',
  'test',
  'generated/kubernetes',
  'src/kgen',
  'src/runtime',
  'src/controller',
  'src/testserver',
  'src/testing',
];

/** All pages: those of the repository's root, of `docs/`, of `examples/` and of the packages. */
export const pages: readonly Page[] = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => pageAt(join(folder, name))),
);

function pageAt(path: string): Page {
  const text = readFileSync(join(root, path), 'utf8');
  return { path, text, blocks: blocksIn(text) };
}

const notRunPrefix = 'not run: ';

/** Appends a block to the source of its program at the line of the block in the file. */
export function appended(text: string, block: Block): string {
  return text + '\n'.repeat(block.line - text.split('\n').length) + block.text;
}

/** Returns the name of the file of a program. */
export function fileOf(path: string, block: Block): string {
  return `${path.replaceAll(/[^\w]/g, '_')}_${block.line}.ts`;
}

/** Returns the programs of a page, in order. */
export function programsOf({ path, blocks }: Page): readonly Program[] {
  const programs: Program[] = [];
  for (const block of blocks.filter(({ language }) => language === 'ts')) {
    const name = `${path}:${block.line}`;
    const last = programs.at(-1);
    if (block.info === 'continued') {
      if (last === undefined) throw new Error(`${name}: nothing to continue`);
      programs[programs.length - 1] = { ...last, text: appended(last.text, block) };
      continue;
    }
    if (block.info.startsWith('file ')) continue;
    const until = /^until (SIG[A-Z]+)$/.exec(block.info)?.[1];
    const isNotRun = block.info.startsWith(notRunPrefix);
    if (block.info !== '' && !isNotRun && until === undefined) {
      throw new Error(
        `${name}: expected \`continued\`, \`until SIGNAL\` or \`not run: REASON\`, got ${block.info}`,
      );
    }
    const notRun = isNotRun ? block.info.slice(notRunPrefix.length) : undefined;
    programs.push({ name, file: fileOf(path, block), text: appended('', block), notRun, until });
  }
  return programs;
}
