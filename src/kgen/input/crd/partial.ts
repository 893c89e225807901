/**
 * Documents that are not definitions if a complete definition has the same name: patches of kustomize, which
 * have parts of a definition, and templates of a chart, which cannot be parsed.
 */
import { type InputProblem, limitPerFile, warning } from '../../common/problems.ts';
import { isObject, own } from '../json.ts';
import type { CrdInput } from './crd-input.ts';

/** A document that is a part or a template of definitions. */
export interface PartialDocument {
  /** Names of the definitions: at least one. */
  readonly names: readonly string[];
  /** Relation of the document to the definitions, for messages. */
  readonly sort: 'a patch' | 'a template';
  /** Errors of the document, which are reported if the complete definition is absent. */
  readonly problems: readonly InputProblem[];
}

/** Returns a definition without one of the required parts as a patch, unless it has no name. */
export function partialDefinition(
  { value }: CrdInput,
  problems: readonly InputProblem[],
): PartialDocument | undefined {
  const metadata = own(value, 'metadata');
  const name = isObject(metadata) ? own(metadata, 'name') : undefined;
  const spec = own(value, 'spec') ?? {};
  if (typeof name !== 'string' || !isObject(spec)) return undefined;
  const isAbsent = (...keys: readonly string[]): boolean => keys.every((key) => own(spec, key) === undefined);
  const isPart = isAbsent('group') || isAbsent('names') || isAbsent('versions', 'version');
  return isPart ? { names: [name], sort: 'a patch', problems } : undefined;
}

/**
 * Returns whether a document may contain a definition, which a document that cannot be parsed is judged by.
 */
export function mentionsDefinition(text: string): boolean {
  return text.includes('CustomResourceDefinition');
}

/** Returns a document that cannot be parsed and names its definitions. */
export function partialTemplate(
  text: string,
  problems: readonly InputProblem[],
): PartialDocument | undefined {
  if (!mentionsDefinition(text) || !text.includes('{{')) return undefined;
  const names = [...text.matchAll(nameLine)].flatMap(([, name]) => name ?? []);
  return names.length > 0 ? { names, sort: 'a template', problems } : undefined;
}

/** A name with a dot, as definitions have. */
const nameLine = /^[ \t]*name:[ \t]*["']?([a-z0-9][-a-z0-9]*(?:\.[-a-z0-9]+)+)["']?[ \t\r]*$/gm;

/** Result of `settlePartial`. */
export interface SettledPartial {
  /** Number of documents that are skipped. */
  readonly skipped: number;
  readonly problems: readonly InputProblem[];
}

/** Skips the documents whose definitions are complete elsewhere, and reports the problems of the others. */
export function settlePartial(
  partial: readonly PartialDocument[],
  complete: ReadonlySet<string>,
): SettledPartial {
  const isSkipped = ({ names }: PartialDocument): boolean => names.every((name) => complete.has(name));
  const problems = partial.flatMap((one) => (isSkipped(one) ? [skippedProblem(one)] : one.problems));
  return { skipped: partial.filter(isSkipped).length, problems: limitPerFile(problems) };
}

function skippedProblem({ names, sort, problems }: PartialDocument): InputProblem {
  const what = `this is ${sort} of CRD ${names.join(', ')}, whose definition is in the input: it is skipped`;
  return warning(what, problems[0]?.where);
}
