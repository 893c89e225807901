/** Documents of one source, each with a function that locates its values for messages. */
import {
  error,
  type InputProblem,
  ProblemLog,
  quote,
  type SourcePlace,
  warning,
} from '../../common/problems.ts';
import type { CrdInput, JsonObject, JsonPath, JsonValue } from '../crd/crd-input.ts';
import { faultProblems } from '../crd/faults.ts';
import { mentionsDefinition, type PartialDocument, partialTemplate } from '../crd/partial.ts';
import { describe, isList, isObject, own } from '../json.ts';
import { createRereader, type LoadYaml } from './reread.ts';
import { languageOf, type SourceText } from './source.ts';
import { splitDocuments } from './split.ts';
import type { Parsed } from './yaml.ts';

/** Content of one source. */
export interface SourceContent {
  readonly crds: readonly CrdInput[];
  /** Documents that may be skipped if the input has complete definitions of the same names. */
  readonly partial: readonly PartialDocument[];
  /** Number of objects that are not CustomResourceDefinitions. */
  readonly skipped: number;
  /** Limited as by a `ProblemLog`. */
  readonly problems: readonly InputProblem[];
}

/** Parsers of documents. */
export interface Parsers {
  readonly parse: (text: string) => Parsed;
  readonly loadYaml: LoadYaml;
}

/**
 * Reads every document of a source. An invalid document adds problems and does not affect the others. In a
 * source that was found in a folder or by a pattern, invalid documents without a definition are warnings.
 */
export function readSource(
  source: SourceText,
  { parse, loadYaml }: Parsers,
  isSearched = false,
): SourceContent {
  const content: Collected = { crds: [], partial: [], skipped: 0, log: new ProblemLog(), isSearched };
  const reread = createRereader(source, loadYaml);
  for (const chunk of splitDocuments(source.text)) {
    const again = once(() => reread(chunk));
    const parsed = parse(chunk.text);
    if (!parsed.ok) {
      refuse(faultProblems(source, chunk, parsed.fault, again), chunk.text, source, content);
      continue;
    }
    if (parsed.value === undefined) continue;
    const found = content.crds.length;
    const position = (path: JsonPath): SourcePlace => again().position(path);
    // seam: with this schema, js-yaml returns JSON values
    collect(parsed.value as JsonValue, [], { file: source.file, position }, content);
    if (parsed.ambiguous && content.crds.length > found) content.log.add(again().yaml11Warnings());
  }
  const { crds, partial, skipped, log } = content;
  return { crds, partial, skipped, problems: log.problems };
}

interface Collected {
  readonly crds: CrdInput[];
  readonly partial: PartialDocument[];
  skipped: number;
  readonly log: ProblemLog;
  readonly isSearched: boolean;
}

/** Handles a document that cannot be parsed. */
function refuse(problems: readonly InputProblem[], text: string, source: SourceText, into: Collected): void {
  const template = into.isSearched ? partialTemplate(text, problems) : undefined;
  if (template !== undefined) into.partial.push(template);
  else if (!into.isSearched || mentionsDefinition(text)) into.log.add(problems);
  else {
    into.skipped += 1;
    const what = `this is not valid ${languageOf(source)} and has no CustomResourceDefinition: it is skipped`;
    into.log.add([warning(what, problems[0]?.where)]);
  }
}

interface Origin {
  readonly file: string;
  readonly position: (path: JsonPath) => SourcePlace;
}

/** Handles a document, or an item of a list, by its kind. */
function collect(value: JsonValue, path: JsonPath, origin: Origin, into: Collected): void {
  const sort = classify(value);
  switch (sort) {
    case 'crd':
      if (isObject(value)) into.crds.push(crdInput(value, path, origin));
      break;
    case 'list':
      if (isObject(value)) collectItems(value, path, origin, into);
      break;
    case 'other':
      into.skipped += 1;
      break;
    case 'nameless':
      skip('the object has no apiVersion and kind: it is skipped', path, origin, into);
      break;
    case 'no object':
      if (into.isSearched || isList(value)) {
        skip(`${sentence(sort, value)}: it is skipped`, path, origin, into);
        break;
      }
      into.log.add([
        error(`${sentence(sort, value)}: give CustomResourceDefinitions`, origin.position(path)),
      ]);
      break;
    default:
      into.log.add([
        error(
          sentence(sort, value),
          origin.position([...path, sort === 'unknown kind' ? 'kind' : 'apiVersion']),
        ),
      ]);
  }
}

function skip(what: string, path: JsonPath, origin: Origin, into: Collected): void {
  into.skipped += 1;
  into.log.add([warning(what, origin.position(path))]);
}

type Refused = 'no object' | 'no kind' | 'unknown kind' | 'unknown version';
type Sort = 'crd' | 'list' | 'nameless' | 'other' | Refused;

function classify(value: JsonValue): Sort {
  if (!isObject(value)) return 'no object';
  const kind = own(value, 'kind');
  const apiVersion = own(value, 'apiVersion');
  if (kind === 'CustomResourceDefinition') {
    return isText(apiVersion, /^apiextensions\.k8s\.io\/v1(?:beta1)?$/) ? 'crd' : 'unknown version';
  }
  if (kind === 'CustomResourceDefinitionList' || (kind === 'List' && apiVersion === 'v1')) return 'list';
  const isExtension = isText(apiVersion, /^apiextensions\.k8s\.io\//);
  if (isText(kind, /./) && isText(apiVersion, /./)) {
    return isExtension && kind !== 'ConversionReview' ? 'unknown kind' : 'other';
  }
  return isExtension ? 'no kind' : 'nameless';
}

function isText(value: JsonValue | undefined, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value);
}

function sentence(sort: Refused, value: JsonValue): string {
  switch (sort) {
    case 'no object':
      return `expected a Kubernetes object and found ${describe(value)}`;
    case 'no kind':
      return 'the object has no kind: add `kind: CustomResourceDefinition`';
    case 'unknown kind':
      return `apiextensions.k8s.io has no kind ${found(value, 'kind')}: did you mean CustomResourceDefinition?`;
    case 'unknown version':
      return 'a CustomResourceDefinition must have the apiVersion apiextensions.k8s.io/v1 or v1beta1: correct it';
  }
}

function found(value: JsonValue, key: string): string {
  return quote(String(isObject(value) ? own(value, key) : undefined));
}

function collectItems(list: JsonObject, path: JsonPath, origin: Origin, into: Collected): void {
  const items = own(list, 'items');
  const at = [...path, 'items'];
  if (items === undefined) return;
  if (!isList(items)) {
    into.log.add([error(`items is ${describe(items)}: make it a list of objects`, origin.position(at))]);
    return;
  }
  const typed = own(list, 'kind') === 'CustomResourceDefinitionList';
  items.forEach((item, index) => {
    collect(typed ? asItemOf(list, item) : item, [...at, index], origin, into);
  });
}

/** Items of a typed list may omit apiVersion and kind, which follow from the list. */
function asItemOf(list: JsonObject, item: JsonValue): JsonValue {
  if (!isObject(item)) return item;
  return { apiVersion: own(list, 'apiVersion') ?? null, kind: 'CustomResourceDefinition', ...item };
}

function crdInput(value: JsonObject, path: JsonPath, origin: Origin): CrdInput {
  return { value, file: origin.file, position: (inner) => origin.position([...path, ...inner]) };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
