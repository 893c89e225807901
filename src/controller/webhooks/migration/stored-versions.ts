/** The versions of a CustomResourceDefinition, and the progress of a storage migration in its status. */
import { DecodeError } from '@kgen/runtime';
import { isObject, isText, listAt, memberAt } from '../../members.ts';

/** Facts of a CustomResourceDefinition. */
export interface MigratedDefinition {
  readonly group: string;
  readonly plural: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Changes with each change of the specification. */
  readonly generation: number;
  /** Version in which objects are stored. */
  readonly storage: string;
  /** Version for requests: the storage version if it is served. */
  readonly served: string;
  /** `status.storedVersions`. */
  readonly stored: readonly string[];
  readonly conditions: readonly unknown[];
}

/** Returns the path of a CustomResourceDefinition. */
export function definitionPath(name: string): string {
  return `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${encodeURIComponent(name)}`;
}

/**
 * Reads the response for a CustomResourceDefinition.
 * @throws {DecodeError} if it has no storage version or no served version
 */
export function readDefinition(value: unknown): MigratedDefinition {
  const at = (...path: readonly string[]): string => {
    const found = memberAt(value, ...path);
    return isText(found) ? found : '';
  };
  const versions = listAt(value, 'spec', 'versions');
  const nameOf = (flag: 'storage' | 'served'): string[] =>
    versions
      .filter((each) => memberAt(each, flag) === true)
      .map((each) => memberAt(each, 'name'))
      .filter(isText);
  const [storage] = nameOf('storage');
  const served = nameOf('served');
  const request = served.find((each) => each === storage) ?? served[0];
  const generation = memberAt(value, 'metadata', 'generation');
  if (storage === undefined || request === undefined || typeof generation !== 'number') {
    const operation = { verb: 'get', resource: 'customresourcedefinitions', name: at('metadata', 'name') };
    throw new DecodeError('the definition has no storage version, or no served version', operation);
  }
  return {
    group: at('spec', 'group'),
    plural: at('spec', 'names', 'plural'),
    uid: at('metadata', 'uid'),
    resourceVersion: at('metadata', 'resourceVersion'),
    generation,
    storage,
    served: request,
    stored: listAt(value, 'status', 'storedVersions').filter(isText),
    conditions: listAt(value, 'status', 'conditions'),
  };
}

const conditionType = 'kgen.dev/StorageMigration';

/** Returns the condition that contains the token of the next page. */
export function progressCondition({ generation }: MigratedDefinition, token: string): object {
  return {
    type: conditionType,
    status: 'True',
    reason: 'Migrating',
    message: JSON.stringify({ generation, continue: token }),
  };
}

/** Returns the conditions with that of the migration replaced, or removed. */
export function withCondition(
  { conditions }: MigratedDefinition,
  own: object | undefined,
): readonly unknown[] {
  const others = conditions.filter((each) => memberAt(each, 'type') !== conditionType);
  return own === undefined ? others : [...others, own];
}

/**
 * Returns the token with which an interrupted migration continues. Objects before it could have been written
 * in another version since, if the definition has changed.
 */
export function savedToken({ conditions, generation }: MigratedDefinition): string | undefined {
  const condition = conditions.find((each) => memberAt(each, 'type') === conditionType);
  const saved = parsed(memberAt(condition, 'message'));
  const token = memberAt(saved, 'continue');
  return memberAt(saved, 'generation') === generation && isText(token) ? token : undefined;
}

function parsed(message: unknown): unknown {
  if (!isText(message)) return undefined;
  try {
    const value: unknown = JSON.parse(message);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // Written by another program.
  }
}
