/** POST of objects that are evaluated and not stored, such as access reviews. */
import { isObject, type JsonObject, own } from '@kgen/schema/values/json';
import type { Review } from '../access/reviews.ts';
import type { Context } from '../call/context.ts';
import { writeOptions } from '../call/options.ts';
import { admit } from '../decoding/admit.ts';
import { decodeBody, withKind } from '../decoding/decode.ts';
import { trackUpdate } from '../managed/track.ts';
import { type ApiResponse, json } from '../request/request.ts';
import { goStruct, homeOf } from '../resources/builtin/go-type.ts';
import type { ResourceType } from '../resources/type.ts';
import { checkNamespace } from './create.ts';

/** Handles POST of an object that is completed and returned, but not stored: a review, or a token request. */
export function review(context: Context, complete: Review, kind: Kind = context.type): ApiResponse {
  const options = writeOptions(context, 'CreateOptions');
  const body = decodeBody(context.request, kind.kind);
  const typed = withKind(withObjects(body), { ...kind, strategy: 'builtin' });
  const typedContext = { ...context, type: typeOf(context.type, kind) };
  const admitted = admit(typedContext, typed, options, body);
  const value = checkNamespace(context, kind.defaults?.(admitted) ?? admitted);
  const tracked = trackUpdate(typedContext, undefined, value, options);
  return json(201, complete(context, tracked), [...context.warnings]);
}

/** Returns the type of the body, which may be of another kind than the resource. */
function typeOf(type: ResourceType, kind: Kind): ResourceType {
  if (kind.kind === type.kind) return type;
  const version = kind.apiVersion.slice(kind.apiVersion.lastIndexOf('/') + 1);
  return { ...type, ...kind, version, goStruct: goStruct(homeOf(kind.group, version), kind.kind) };
}

interface Kind {
  readonly group: string;
  readonly kind: string;
  readonly apiVersion: string;
  /** Fills in the defaults of a body that is not an object of the resource. */
  readonly defaults?: (value: JsonObject) => JsonObject;
}

/** The metadata of a review may be absent. */
function withObjects(body: JsonObject): JsonObject {
  return isObject(own(body, 'metadata')) ? body : { ...body, metadata: {} };
}
