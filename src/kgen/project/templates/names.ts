/** Names of a kind in the files of a project. */

import { resourceAccessors, resourceConstants } from '../../model/names/accessors.ts';
import { camel, kindTypeName } from '../../model/names/casing.ts';
import type { ProjectKind } from '../record.ts';

type KindFacts = Pick<ProjectKind, 'group' | 'version' | 'kind' | 'plural' | 'origin'>;

/** Names that the templates of a kind use. */
export interface KindNames {
  /** Name of its files, without an extension: the kind in lower case, with the version for a further one. */
  readonly file: string;
  /** Type of its objects: `Foo`. */
  readonly type: string;
  /** Its descriptor in the generated client: `foos`. */
  readonly descriptor: string;
  /** Function that returns its controller: `fooController`. */
  readonly controller: string;
  readonly apiVersion: string;
}

/** Returns the module of the client of a kind, from a folder of the project. */
export function clientOf({ group, version, origin }: KindFacts, above: string): string {
  return origin === 'built-in'
    ? `@kgen/kubernetes/${group}/${version}`
    : `${above}generated/${group}/${version}/index.js`;
}

/** Returns the names of a kind. */
export function kindNames({ group, version, kind, plural }: KindFacts): KindNames {
  const [descriptor = ''] = resourceConstants(resourceAccessors([{ kind, plural }]));
  return {
    file: kind.toLowerCase(),
    type: kindTypeName(kind),
    descriptor,
    controller: `${camel(kind)}Controller`,
    apiVersion: `${group}/${version}`,
  };
}

/** Returns a name for an object of a type. */
export function variableOf(type: string): string {
  return type.charAt(0).toLowerCase() + type.slice(1);
}
