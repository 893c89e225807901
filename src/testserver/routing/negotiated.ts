/** Verbs with bodies and responses in protobuf. */
import type { JsonObject } from '@kgen/schema/values/json';
import { reviewOf } from '../access/reviews.ts';
import type { Context } from '../call/context.ts';
import { type Verb, wait } from '../call/verb.ts';
import { badRequest } from '../errors/failures.ts';
import { Failure } from '../errors/status.ts';
import {
  failureType,
  mediaTypes,
  negotiate,
  negotiateWatch,
  objectOffer,
  type Representation,
} from '../request/accept.ts';
import { encodingOf } from '../request/encoding.ts';
import type { ApiRequest, ApiResponse } from '../request/request.ts';
import { definitions } from '../resources/builtin.ts';
import { represent } from './represent.ts';

/**
 * Runs a verb with the body in the format of the request, and returns the response in the representation that
 * the request prefers. Waits only for the codecs of protobuf.
 */
export function* negotiated(
  context: Context,
  run: (context: Context) => Verb<ApiResponse>,
  isWatch: boolean,
): Verb<ApiResponse> {
  const { request, environment } = context;
  try {
    const representation = representationOf(context, isWatch);
    const response = yield* run({ ...context, request: yield* decoded(request, context.type.kind) });
    const result = represent(response, {
      convert: representation.convert,
      type: context.type,
      definition: definitionOf(context),
      query: request.query,
      now: () => environment.now(),
    });
    return yield* encoded(context, result, representation);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return yield* encodedFailure(request, error, [...context.warnings]);
  }
}

/** Resources and subresources that only accept an object, besides reviews: they have no tables. */
const withoutTables: ReadonlySet<string> = new Set([
  'bindings/',
  'pods/binding',
  'pods/eviction',
  'serviceaccounts/token',
]);

function representationOf({ request, type, subresource }: Context, isWatch: boolean): Representation {
  const hasTables =
    reviewOf(type.storage) === undefined && !withoutTables.has(`${type.storage}/${subresource}`);
  const offer = objectOffer(type.strategy === 'custom' ? mediaTypes.slice(0, 2) : mediaTypes, hasTables);
  return isWatch ? negotiateWatch(request.accept, offer) : negotiate(request.accept, offer);
}

function definitionOf({ type, store }: Context): JsonObject | undefined {
  return type.strategy === 'custom' ? store.get(definitions.storage, type.storage) : undefined;
}

/**
 * Returns the request with its body decoded if it is in protobuf.
 * @throws {Failure} 400
 */
function* decoded(request: ApiRequest, kind: string): Verb<ApiRequest> {
  const { bytes } = request;
  if (bytes === undefined || (bytes.length === 0 && request.method === 'DELETE')) return request;
  const { decodeBytes, ProtobufBodyError, summaryOf } = yield* wait(import('../request/protobuf.ts'));
  try {
    return { ...request, object: yield* wait(decodeBytes(bytes)) };
  } catch (error) {
    if (!(error instanceof ProtobufBodyError)) throw error;
    if (request.method === 'DELETE') throw badRequest(error.message);
    if (error.kind !== undefined) {
      const version = JSON.stringify(error.kind.apiVersion.split('/').at(-1));
      throw badRequest(
        `${error.kind.kind} in version ${version} cannot be handled as a ${kind}: ${error.message}`,
      );
    }
    const why = `${error.message} (${summaryOf(bytes)})`;
    throw badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`);
  }
}

function* encoded(context: Context, response: ApiResponse, { mediaType }: Representation): Verb<ApiResponse> {
  if (response.kind === 'text' || response.kind === 'stream' || response.kind === 'upgrade') return response;
  if (response.kind === 'failure') {
    return yield* encodedFailure(context.request, new Failure(response.problem), response.warnings);
  }
  if (mediaType === 'application/json') return response;
  const { protobuf } = context.type;
  const isProtobuf = mediaType === 'application/vnd.kubernetes.protobuf';
  const codecs = isProtobuf && protobuf !== undefined ? (yield* wait(protobuf())).codecs : undefined;
  const found = encodingOf(mediaType, codecs);
  const encoding = found instanceof Promise ? yield* wait(found) : found;
  return response.kind === 'watch'
    ? { ...response, plan: { ...response.plan, encoding } }
    : { ...response, encoding };
}

function* encodedFailure(
  request: ApiRequest,
  { problem }: Failure,
  warnings: readonly string[],
): Verb<ApiResponse> {
  const type = failureType(request.accept);
  if (type === 'application/json') return { kind: 'failure', problem, warnings };
  const found = encodingOf(type);
  const encoding = found instanceof Promise ? yield* wait(found) : found;
  return { kind: 'failure', problem, warnings, encoding };
}
