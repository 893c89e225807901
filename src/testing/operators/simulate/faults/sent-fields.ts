/** Fields that the operator itself has sent. Defaults of the server are not its own. */
import { at, isArray, isObject, type Json, type JsonObject, text } from '@kgen/schema/values/json';

/** A write of the operator. */
export interface SentWrite {
  /** Storage key of the resource. */
  readonly resource: string;
  readonly verb: string;
  readonly namespace: string;
  /** Name of the object; with an asterisk at its end if the server generates it. */
  readonly name: string;
  readonly body: Json | undefined;
  /** The object before the write. */
  readonly before: JsonObject | undefined;
}

/** A scalar member that the operator has sent last with a value. */
interface SentField {
  readonly path: readonly string[];
  readonly value: Json;
  /** Whether the operator has sent it in a patch or an apply: it finds the object by its name. */
  readonly isPatched: boolean;
}

/** Fields by the objects to which the operator has sent them. */
export class SentFields {
  readonly #fields = new Map<string, Map<string, SentField>>();

  /** Notes a write. Of an update, only members that differ from the object before count. */
  note({ resource, verb, namespace, name, body, before }: SentWrite): void {
    if (body === undefined) return;
    const key = `${resource} ${namespace} ${name}`;
    const fields = this.#fields.get(key) ?? new Map<string, SentField>();
    this.#fields.set(key, fields);
    const sent = isArray(body) ? operationsOf(body) : membersOf(body, []);
    for (const [path, value] of sent) {
      const isReturned = verb === 'update' && at(before, ...path) === value;
      if (!isReturned) fields.set(JSON.stringify(path), { path, value, isPatched: verb === 'patch' });
    }
  }

  /** Returns the fields of an object that still have the values that the operator has sent. */
  of(resource: string, object: JsonObject): readonly SentField[] {
    const namespace = text(object, 'metadata', 'namespace');
    const generated = text(object, 'metadata', 'generateName');
    const names = [text(object, 'metadata', 'name'), ...(generated === '' ? [] : [`${generated}*`])];
    const all = names.flatMap((name) => [
      ...(this.#fields.get(`${resource} ${namespace} ${name}`)?.values() ?? []),
    ]);
    return all.filter(({ path, value }) => at(object, ...path) === value);
  }
}

type Member = readonly [path: readonly string[], value: Json];

/** Returns the scalar members outside of lists. */
function membersOf(value: Json, path: readonly string[]): readonly Member[] {
  if (!isObject(value)) return isArray(value) || value === null ? [] : [[path, value]];
  return Object.entries(value).flatMap(([key, member]) => membersOf(member, [...path, key]));
}

/** Returns the members that a JSON patch sets. */
function operationsOf(operations: readonly Json[]): readonly Member[] {
  return operations.flatMap((operation) => {
    const path = text(operation, 'path').split('/').slice(1);
    const value = at(operation, 'value');
    if (value === undefined || !['add', 'replace'].includes(text(operation, 'op'))) return [];
    return membersOf(
      value,
      path.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')),
    );
  });
}
