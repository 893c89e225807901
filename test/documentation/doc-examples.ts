/**
 * Examples of the doc comments in the sources of the packages: code blocks directly below an `@example` tag.
 *
 * An example is a program that is compiled and not run. If it uses `clientset` without declaring it, the name
 * is a clientset of the Kubernetes API and of the sample definitions in `crds/`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../support/files.ts';
import { appended, type Block, blocksIn, fileOf, type Program, root } from './pages.ts';

/** A doc comment without its decoration. */
interface DocComment {
  readonly path: string;
  /** Line of `/**` in the file, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Declaration for examples that use `clientset`, on the first line of their programs. */
const prelude =
  "declare const clientset: import('@kgen/kubernetes').Clientset & import('./generated/index.js').Clientset;";

function commentsOf(path: string): readonly DocComment[] {
  const source = readFileSync(join(root, path), 'utf8');
  return [...source.matchAll(/^ *\/\*\*\n.*?\*\/$/gms)].map(({ 0: comment, index }) => ({
    path,
    line: source.slice(0, index).split('\n').length,
    text: comment.replaceAll(/^ *\*(?: |\/?$)/gm, ''),
  }));
}

function exampleOf(path: string, block: Block): Program {
  const isAmbient = /\bclientset\b/.test(block.text) && !/\bconst clientset\b/.test(block.text);
  return {
    name: `${path}:${block.line}`,
    file: fileOf(path, block),
    text: appended(isAmbient ? prelude : '', block),
    notRun: 'examples of doc comments are only compiled',
    until: undefined,
  };
}

const comments = filesBelow(join(root, 'src'), '.ts')
  .filter((path) => !/\.(test|fixture)\.ts$/.test(path))
  .flatMap((path) => commentsOf(`src/${path}`));

/** All code blocks of doc comments in TypeScript. */
export const docExamples: readonly Program[] = comments.flatMap(({ path, line, text }) =>
  blocksIn(text)
    .filter(({ language }) => language === 'ts')
    .map((block) => exampleOf(path, { ...block, line: line + block.line - 1 })),
);

/** For each `@example` tag, file and line at which its code begins: two lines below the tag. */
export const docExampleTags: readonly string[] = comments.flatMap(({ path, line, text }) =>
  text
    .split('\n')
    .flatMap((each, index) => (/^@example\b/.test(each) ? [`${path}:${line + index + 2}`] : [])),
);
