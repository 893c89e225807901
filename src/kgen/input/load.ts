import type { Readable } from 'node:stream';
import { error, type Problem } from '../problems.ts';
import type { CrdDefinition } from './crd.ts';
import { readDefinition } from './definition.ts';
import { readSource } from './documents.ts';
import { findFiles, maxFileBytes, readFile, tooLarge } from './files.ts';
import { decode, type SourceBytes } from './source.ts';
import { type Fetch, isUrl, readUrl } from './url.ts';
import { createParser } from './yaml.ts';

/** Where input comes from. */
export interface InputOptions {
  /** Files, folders, glob patterns, https addresses, `-` for standard input. */
  readonly input: readonly string[];
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** What `-` reads. */
  readonly stdin: Readable;
  /** What reads addresses; default: the global `fetch`. */
  readonly fetch?: Fetch;
}

/** What was read. */
export interface Input {
  /** In the order of the arguments; within a folder or a pattern, by file name. */
  readonly crds: readonly CrdDefinition[];
  /** Sources that were read: files, addresses, standard input. */
  readonly sources: number;
  /** Objects that are no CustomResourceDefinition. */
  readonly skipped: number;
  readonly problems: readonly Problem[];
}

/** Reads and checks all CRDs of the input. Never throws for what the input holds: that is in `problems`. */
export async function loadCrds(options: InputOptions): Promise<Input> {
  const problems: Problem[] = [];
  const crds: CrdDefinition[] = [];
  const parse = createParser();
  let sources = 0;
  let skipped = 0;
  for await (const bytes of readAll(options, problems)) {
    sources += 1;
    const source = decode(bytes);
    problems.push(...source.problems);
    if (source.value === undefined) continue;
    const content = readSource(source.value, parse);
    skipped += content.skipped;
    problems.push(...content.problems);
    for (const input of content.crds) {
      const definition = readDefinition(input);
      problems.push(...definition.problems);
      if (definition.value !== undefined) crds.push(definition.value);
    }
  }
  if (crds.length === 0 && problems.length === 0) problems.push(nothingFound(sources, skipped));
  return { crds, sources, skipped, problems };
}

function nothingFound(sources: number, skipped: number): Problem {
  const others = skipped === 0 ? '' : ` (but ${skipped} other object${skipped === 1 ? '' : 's'})`;
  const read = `${sources} source${sources === 1 ? '' : 's'} read`;
  return error(`there is no CustomResourceDefinition in the input${others}, ${read}: give other files`);
}

/** Every source once, whatever the number of arguments that lead to it. */
async function* readAll(options: InputOptions, problems: Problem[]): AsyncGenerator<SourceBytes> {
  const seen = new Set<string>();
  const isNew = (source: string): boolean => !seen.has(source) && seen.add(source) !== undefined;
  for (const argument of options.input) {
    if (argument === '-') {
      if (isNew(argument)) yield* take(await readStdin(options.stdin), problems);
    } else if (isUrl(argument)) {
      if (isNew(argument)) yield* take(await readUrl(argument, options.fetch), problems);
    } else {
      const files = await findFiles(argument, options.cwd);
      problems.push(...files.problems);
      for (const found of files.value) if (isNew(found.path)) yield* take(readFile(found), problems);
    }
  }
}

function* take(
  read: { readonly value: SourceBytes | undefined; readonly problems: readonly Problem[] },
  problems: Problem[],
): Generator<SourceBytes> {
  problems.push(...read.problems);
  if (read.value !== undefined) yield read.value;
}

async function readStdin(stdin: Readable): Promise<ReturnType<typeof readFile>> {
  const file = '<stdin>';
  const parts: Buffer[] = [];
  let total = 0;
  for await (const part of stdin) {
    const bytes = Buffer.from(part);
    total += bytes.length;
    if (total > maxFileBytes) return { value: undefined, problems: [error(tooLarge, { file })] };
    parts.push(bytes);
  }
  return { value: { file, bytes: Buffer.concat(parts) }, problems: [] };
}
