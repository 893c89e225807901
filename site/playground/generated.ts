/** Output of kgen for the text of the playground. */
import * as yaml from 'yaml';
import { generateText } from '../../src/kgen/generate/text.ts';
import type { PlaygroundFile, PlaygroundRequest, PlaygroundResponse } from './protocol.ts';
import { kindsOf, snippetOf } from './snippet.ts';

/** Returns the files, programs and problems for a text. */
export function responseTo({ id, text }: PlaygroundRequest, version: string): PlaygroundResponse {
  const source = { file: 'crd.yaml', text };
  const { files, model, problems } = generateText(source, { version, loadYaml: () => yaml });
  const kinds = kindsOf(model);
  return {
    id,
    files: [...files].map(([name, content]) => ({ name, text: content })).sort(typesFirst),
    snippets: kinds.map((kind) => ({
      name:
        kind.resource.kind + (isAmbiguous(kind.resource.kind) ? ` (${kind.groupVersion.apiVersion})` : ''),
      text: snippetOf(kind),
    })),
    problems: problems.map(({ severity, what, where }) => ({
      severity,
      message: what,
      ...(where !== undefined && { line: where.line, column: where.column }),
    })),
  };

  function isAmbiguous(name: string): boolean {
    return kinds.filter(({ resource }) => resource.kind === name).length > 1;
  }
}

/** Types are what most readers look for. */
function typesFirst(a: PlaygroundFile, b: PlaygroundFile): number {
  const isTypes = ({ name }: PlaygroundFile): number => Number(name.endsWith('/types.ts'));
  return isTypes(b) - isTypes(a);
}
