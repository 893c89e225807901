import {
  error,
  type InputProblem,
  ProblemLog,
  quote,
  type SourcePlace,
  warning,
} from '../../common/problems.ts';
import type { CrdInput, JsonObject, JsonPath, JsonValue, SourceId } from '../crd/crd-input.ts';
import { faultProblems } from '../crd/faults.ts';
import { describe, isList, isObject, own } from '../json.ts';
import { createRereader } from './reread.ts';
import { type SourceText, sourceId } from './source.ts';
import { splitDocuments } from './split.ts';
import type { Parsed } from './yaml.ts';

/** Content of one source. */
export interface SourceContent {
  readonly crds: readonly CrdInput[];
  /** Number of objects that are not CustomResourceDefinitions. */
  readonly skipped: number;
  /** Limited as by a `ProblemLog`. */
  readonly problems: readonly InputProblem[];
}

/** Reads every document of a source. An invalid document adds problems and does not affect the others. */
export function readSource(source: SourceText, parse: (text: string) => Parsed): SourceContent {
  const content: Collected = { crds: [], skipped: 0, log: new ProblemLog() };
  const reread = createRereader(source);
  const id = once(() => sourceId(source));
  for (const chunk of splitDocuments(source.text)) {
    const again = once(() => reread(chunk));
    const parsed = parse(chunk.text);
    if (!parsed.ok) {
      content.log.add(faultProblems(source, chunk, parsed.fault, again));
      continue;
    }
    if (parsed.value === undefined) continue;
    const found = content.crds.length;
    const position = (path: JsonPath): SourcePlace => again().position(path);
    // seam: with this schema, js-yaml returns JSON values
    collect(parsed.value as JsonValue, [], { file: source.file, source: id(), position }, content);
    if (parsed.ambiguous && content.crds.length > found) content.log.add(again().yaml11Warnings());
  }
  const { crds, skipped, log } = content;
  return { crds, skipped, problems: log.problems };
}

interface Collected {
  readonly crds: CrdInput[];
  skipped: number;
  readonly log: ProblemLog;
}

interface Origin {
  readonly file: string;
  readonly source: SourceId;
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
      into.skipped += 1;
      into.log.add([warning('the object has no apiVersion and kind: it is skipped', origin.position(path))]);
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
      return `expected a Kubernetes object and found ${describe(value)}: give CustomResourceDefinitions`;
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
  const { file, source } = origin;
  return { value, file, source, position: (inner) => origin.position([...path, ...inner]) };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
