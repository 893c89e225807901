import type { JsonPath } from '@kgen/schema/rules/places';
import type { JsonObject } from '@kgen/schema/values/json';
import type { SourcePlace } from '../../common/problems.ts';

export type { Json as JsonValue, JsonObject } from '@kgen/schema/values/json';
export type { JsonPath };

/** One CustomResourceDefinition with its positions. */
export interface CrdInput {
  /** The object as written: `apiVersion`, `kind`, `metadata`, `spec`. */
  readonly value: JsonObject;
  /** Origin: a file name, a URL, or `<stdin>`. */
  readonly file: string;
  /**
   * Returns the position of the node at `path`, or of its nearest existing ancestor. The first call parses
   * the document a second time, so call it only to report a problem.
   */
  readonly position: (path: JsonPath) => SourcePlace;
  /** Set if an API server has accepted the definition, whose schemas are then not checked. */
  readonly isServed?: true;
  /** Set if the definition is written in TypeScript: messages then name tags. */
  readonly isDeclared?: true;
}
