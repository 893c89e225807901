/** `generated/kubernetes` is committed with facts only: it contains no prose of other authors. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { corpus, repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';

const folder = join(repository, 'generated/kubernetes');
const texts = filesBelow(folder, '.ts').map(
  (path) => [path, readFileSync(join(folder, path), 'utf8')] as const,
);

/** Lines that comments of types may contain. */
const facts: readonly RegExp[] = [
  /^$/,
  /^Reference:( https:\/\/kubernetes\.io\/docs\/reference\/\S+)?$/,
  /^https:\/\/kubernetes\.io\/docs\/reference\/\S+$/,
  /^@(atomic|deprecated|granular|immutable|integer|listSet|number)( \((items|values)\))?$/,
  /^@(constraint|default|format|listMap|patchMergeKey|patchStrategy|schema|validate) \S.*$/,
  /^Response of `list`: all objects, or one page of them\.$/,
  /^Query parameters of `[a-z]+\/[a-z]+`\.$/,
];

/** Returns the lines of comments without comment markers. */
function commentLines(text: string): readonly string[] {
  const comments = [...text.matchAll(/\/\*\*(.*?)\*\//gs)].map(([, inner = '']) => inner);
  return comments.flatMap((comment) => comment.split('\n').map((line) => line.replace(/^ *\* ?/, '').trim()));
}

test.each(texts.filter(([path]) => path.endsWith('/types.ts')))('%s contains facts only', (_, text) => {
  const prose = commentLines(text).filter((line) => !facts.some((fact) => fact.test(line)));
  expect(prose).toEqual([]);
});

/** Returns every description of a document at any depth. */
function descriptions(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'description' && typeof inner === 'string' ? [inner] : descriptions(inner),
  );
}

describe.skipIf(corpus === undefined)('the published document (KGEN_CORPUS)', () => {
  test('has no sentence in common with committed files', () => {
    const path = join(corpus ?? '', 'openapi/kubernetes-v2.json');
    const sentences = descriptions(JSON.parse(readFileSync(path, 'utf8')))
      .flatMap((text) => text.split(/\.\s/))
      .filter((sentence) => sentence.length > 40);
    expect(sentences.length).toBeGreaterThan(5_000);
    const committed = texts.map(([, text]) => text).join('\n');
    expect([...new Set(sentences)].filter((sentence) => committed.includes(sentence))).toEqual([]);
  });
});
