import { error, type InputProblem, type SourcePlace } from '../../common/problems.ts';
import { maxExpandedDepth, maxExpandedNodes } from '../reading/aliases.ts';
import { type Reread, templateAdvice } from '../reading/reread.ts';
import { languageOf, lineAround, placeAt, type SourceText } from '../reading/source.ts';
import type { Chunk } from '../reading/split.ts';
import type { Fault } from '../reading/yaml.ts';

/** Returns the errors of a document that cannot be read; at least one. `again` parses it a second time. */
export function faultProblems(
  source: SourceText,
  chunk: Chunk,
  fault: Fault,
  again: () => Reread,
): readonly InputProblem[] {
  switch (fault.kind) {
    case 'depth':
      return [
        error(
          `the document is nested deeper than ${maxExpandedDepth} levels: make it flatter`,
          start(source, chunk),
        ),
      ];
    case 'alias':
      return [error(aliasSentences[fault.fault], again().firstAlias())];
    case 'key':
      return again().keyProblems();
    case 'syntax': {
      const template = templateProblem(source, chunk, fault.offset);
      if (template !== undefined) return [template];
      const values = secondValue(source, chunk, fault.offset);
      if (values !== undefined) return [values];
      const problems = again().syntaxProblems();
      return problems.length > 0 ? problems : [fallback(source, chunk, fault)];
    }
  }
}

const aliasSentences = {
  cyclic: 'an alias refers to a node that contains it: write the value out instead',
  'too deep': `the aliases nest the document deeper than ${maxExpandedDepth} levels: write the values out instead`,
  'too large': `the aliases expand the document to more than ${maxExpandedNodes} nodes: write the values out instead`,
} as const;

/**
 * Detects a document of a Helm chart's `templates`: a line that starts with an action, or at which parsing
 * stopped.
 */
function templateProblem(source: SourceText, chunk: Chunk, stopped: number): InputProblem | undefined {
  const action = /^[ \t]*(?:-[ \t]+)?\{\{/m.exec(chunk.text);
  const lines = [lineStart(chunk.text, stopped), lineStart(chunk.text, lineStart(chunk.text, stopped) - 1)];
  const line = lines.find((offset) => lineAround(chunk.text, offset).includes('{{'));
  const from = action?.index ?? line;
  if (from === undefined) return undefined;
  return error(templateAdvice, placeAt(source, chunk.offset + chunk.text.indexOf('{{', from)));
}

/** Detects consecutive lists or objects in flow style that are not a row of JSON objects. */
function secondValue(source: SourceText, chunk: Chunk, stopped: number): InputProblem | undefined {
  const isSecond = /^[{[]/.test(chunk.text.slice(stopped, stopped + 1)) && endsValue(chunk.text, stopped);
  if (!isSecond || !/^\s*(?:---\s+)?[{[]/.test(chunk.text)) return undefined;
  const what = 'another JSON value starts here: put a line `---` between the two, or both into one List';
  return error(what, placeAt(source, chunk.offset + stopped));
}

function endsValue(text: string, end: number): boolean {
  let at = end - 1;
  while (at >= 0 && ' \t\r\n'.includes(text.charAt(at))) at -= 1;
  return at >= 0 && '}]'.includes(text.charAt(at));
}

function lineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf('\n', Math.min(offset, text.length) - 1) + 1;
}

/**
 * Used in the rare case that `yaml` accepts a document that js-yaml rejects; the result of js-yaml is final.
 */
function fallback(
  source: SourceText,
  chunk: Chunk,
  fault: Fault & { readonly kind: 'syntax' },
): InputProblem {
  const offset = Math.min(fault.offset, chunk.text.length);
  return error(
    `broken ${languageOf(source)}: ${fault.reason}; correct the syntax here`,
    placeAt(source, chunk.offset + offset),
  );
}

function start(source: SourceText, chunk: Chunk): SourcePlace {
  return placeAt(source, chunk.offset);
}
