/** The stored objects of a cluster that changes of a definition affect, validated as in later writes. */
import { type FieldError, fieldMessage } from '@kgen/runtime/objects';
import { applyDefaults } from '@kgen/schema/validation/defaults';
import { prune } from '@kgen/schema/validation/prune';
import { validateStructure } from '@kgen/schema/validation/resource';
import { blockingReasons, validateRules } from '@kgen/schema/validation/rules/validate';
import { parseSchema, type Schema } from '@kgen/schema/validation/structural';
import { isObject, type JsonObject, object, own, putAt, text } from '@kgen/schema/values/json';
import type { DefinitionChange } from './change.ts';
import type { ClusterReader } from './cluster.ts';
import { schemaOf, strategyOf, type Version, versionsOf } from './definition-changes.ts';

/** Objects that are invalid after a change. */
export interface AffectedObjects {
  readonly count: number;
  /** Number of those that cannot be updated at all. */
  readonly stuck: number;
  /** The first few. */
  readonly examples: readonly AffectedObject[];
}

export interface AffectedObject {
  /** Namespace and name: `shop/web`. */
  readonly name: string;
  /** Field and message of the first error, with at most 160 characters. */
  readonly error: string;
  readonly isStuck: boolean;
}

/** All objects of a definition, read in one version. */
export interface StoredObjects {
  readonly definition: string;
  readonly version: string;
  readonly total: number;
  /** Number of objects that are valid before, and invalid or refused in updates after the changes. */
  readonly invalid: number;
  readonly stuck: number;
  /** Number of objects that lose fields. */
  readonly dropping: number;
  readonly byChange: ReadonlyMap<DefinitionChange, AffectedObjects>;
}

/** Maximum number of named objects per change. */
const maxExamples = 3;

/**
 * Reads the objects of each version that the cluster serves and that changes, and validates them with the new
 * schema. A new version is not served yet: without a webhook, its objects are those of the storage version.
 */
export async function storedObjects(
  cluster: ClusterReader,
  before: JsonObject,
  after: JsonObject,
  changes: readonly DefinitionChange[],
): Promise<readonly StoredObjects[]> {
  const results: StoredObjects[] = [];
  for (const version of versionsOf(after)) {
    const source = sourceOf(version, before, after);
    const own = changes.filter((change) => change.version === version.name && change.stored !== 'none');
    if (source === undefined || own.length === 0) continue;
    const tally = new Tally(text(before, 'metadata', 'name'), source, version, own);
    for await (const each of cluster.objects(before, source.name)) tally.add(each);
    results.push(tally.result());
  }
  return results;
}

function sourceOf(version: Version, before: JsonObject, after: JsonObject): Version | undefined {
  const known = versionsOf(before);
  const same = known.find(({ name }) => name === version.name);
  const others = known.filter(({ json }) => own(json, 'storage') === true);
  const [source] = same === undefined && strategyOf(after) === 'None' ? others : [same];
  return source !== undefined && own(source.json, 'served') === true ? source : undefined;
}

type Judge = ReturnType<typeof judgeOf>;

/** Counts the objects of one version. */
class Tally {
  readonly #definition: string;
  readonly #version: string;
  readonly #judgeBefore: Judge;
  readonly #judge: Judge;
  readonly #changes: readonly DefinitionChange[];
  readonly #byChange = new Map<DefinitionChange, AffectedObjects>();
  readonly #counts = { total: 0, invalid: 0, stuck: 0, dropping: 0 };

  constructor(definition: string, before: Version, after: Version, changes: readonly DefinitionChange[]) {
    this.#definition = definition;
    this.#version = after.name;
    this.#judgeBefore = judgeOf(schemaOf(before));
    this.#judge = judgeOf(schemaOf(after));
    this.#changes = changes;
  }

  add(stored: JsonObject): void {
    this.#counts.total += 1;
    const { errors, isStuck, dropped } = this.#judge(stored);
    this.#counts.dropping += Number(dropped.length > 0);
    if (errors.length === 0 && !isStuck) return;
    const known = this.#judgeBefore(stored);
    const isNewlyStuck = isStuck && !known.isStuck;
    if (known.errors.length > 0 || (errors.length === 0 && !isNewlyStuck)) return;
    this.#counts.invalid += 1;
    this.#counts.stuck += Number(isNewlyStuck);
    const [first] = errors;
    const error = first === undefined ? 'a rule refuses each update' : shortMessage(first);
    const changes = new Set(errors.flatMap(({ field }) => this.#changeAt(field) ?? []));
    for (const change of changes)
      this.#affected(change, { name: nameOf(stored), error, isStuck: isNewlyStuck });
  }

  #affected(change: DefinitionChange, example: AffectedObject): void {
    const { count = 0, stuck = 0, examples = [] } = this.#byChange.get(change) ?? {};
    const named = count < maxExamples ? [...examples, example] : examples;
    this.#byChange.set(change, { count: count + 1, stuck: stuck + Number(example.isStuck), examples: named });
  }

  /** Returns the change of the field of an error, or of the nearest field around it. */
  #changeAt(field: string): DefinitionChange | undefined {
    const steps = stepsOf(field);
    const around = this.#changes.filter((change) => isAround(stepsOf(change.field), steps));
    return around.toSorted((a, b) => stepsOf(b.field).length - stepsOf(a.field).length)[0];
  }

  result(): StoredObjects {
    return {
      definition: this.#definition,
      version: this.#version,
      ...this.#counts,
      byChange: this.#byChange,
    };
  }
}

function nameOf(stored: JsonObject): string {
  const metadata = object(stored, 'metadata');
  return [text(metadata, 'namespace'), text(metadata, 'name')].filter((part) => part !== '').join('/');
}

/** Returns the steps of a field of an error, `spec.users[0].name`, or of a change, `.spec.users[].name`. */
function stepsOf(field: string): readonly string[] {
  return field === '<nil>'
    ? []
    : field
        .replace(/\[\]|\{\}/g, '.*')
        .split(/[.[\]]+/)
        .filter((step) => step !== '');
}

function isAround(outer: readonly string[], inner: readonly string[]): boolean {
  return outer.every((step, index) => step === '*' || step === inner[index]);
}

/** Effects of a schema on one stored object. */
export interface ObjectVerdict {
  /** Errors if the object is created again, or if its invalid values change. */
  readonly errors: readonly FieldError[];
  /** Whether an update is refused that changes nothing but the metadata. */
  readonly isStuck: boolean;
  /** Paths of the fields that are dropped. */
  readonly dropped: readonly string[];
}

/** Returns a function that validates the stored objects of a version with its new schema. */
export function judgeOf(json: JsonObject): (object: JsonObject) => ObjectVerdict {
  const schema = parseSchema(json);
  return (object) => {
    const { value, unknown } = prune(object, schema, (metadata) => ({ metadata, unknown: [] }));
    const read = applyDefaults(value, schema);
    if (!isObject(read)) return { errors: [], isStuck: false, dropped: unknown };
    const errors = errorsOf(read, undefined, schema);
    const updated = putAt(read, ['metadata', 'resourceVersion'], 'another');
    // Rules about changes may also refuse updates of a valid object.
    return { errors, isStuck: errorsOf(updated, read, schema).length > 0, dropped: unknown };
  };
}

function errorsOf(value: JsonObject, old: JsonObject | undefined, schema: Schema): readonly FieldError[] {
  const errors = validateStructure(value, old, schema);
  return errors.some(({ reason }) => blockingReasons.has(reason))
    ? errors
    : [...errors, ...validateRules(value, old, schema).errors];
}

/** Maximum number of characters of a message, which quotes the value. */
const longest = 160;

/** Returns the field and the message of an error, in short. */
function shortMessage(error: FieldError): string {
  const message = fieldMessage(error);
  return message.length > longest ? `${message.slice(0, longest - 1)}…` : message;
}
