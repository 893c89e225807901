/** Parser of request bodies, and checks of their kind. */
import { invalidValue } from '@kgen/runtime/objects';
import { isObject, type Json, type JsonObject, replace, text } from '@kgen/schema/values/json';
import { isTooDeep, yamlProblem } from '@kgen/schema/values/nesting';
import { messageOf } from '@kgen/schema/values/thrown';
import { readJson, readYaml, writeJson } from '@kgen/schema/values/wire';
import { badRequest, invalid, unsupportedMediaType } from '../errors/failures.ts';
import { goKind } from '../patch/json.ts';
import type { ApiRequest } from '../request/request.ts';
import { builtInTypes } from '../resources/builtin/types.ts';
import type { ResourceType } from '../resources/type.ts';

const accepted = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** Returns the media type without parameters. */
export function mediaType(value: string): string {
  return (value.split(';')[0] ?? '').trim().toLowerCase();
}

/** Returns whether the body of a request is a string of JSON. */
export function isJsonBody({ object, contentType }: ApiRequest): boolean {
  return object === undefined && (contentType === '' || mediaType(contentType) === 'application/json');
}

/**
 * Parses the body, JSON or YAML, as an object.
 * @param kind kind that error messages name; if it is undefined, they contain the cause only
 * @throws {Failure} 415 or 400
 */
export function decodeBody(request: ApiRequest, kind: string | undefined): JsonObject {
  if (request.object !== undefined) return request.object;
  const isJson = isJsonBody(request);
  if (!isJson && mediaType(request.contentType) !== 'application/yaml') throw unsupportedMediaType(accepted);
  const problem = (why: string): Error =>
    kind === undefined ? badRequest(why) : unrecognized(why, request.body, kind);
  return isJson ? decodeJson(request.body, problem) : decodeYaml(request.body, problem);
}

type Problem = (why: string) => Error;

function decodeJson(body: string, problem: Problem): JsonObject {
  const wrong = (why: string): Error => problem(`couldn't get version/kind; json parse error: ${why}`);
  if (isTooDeep(body)) throw wrong('exceeded max depth');
  let value: Json;
  try {
    value = readJson(body);
  } catch (error) {
    throw wrong(messageOf(error).replace(/^Unexpected end/, 'unexpected end'));
  }
  if (isObject(value)) return value;
  throw wrong(`json: cannot unmarshal ${goKind(value)} into Go value of type ${typeMeta}`);
}

/** The type of Go that has the kind of an object. */
const typeMeta = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

function decodeYaml(body: string, problem: Problem): JsonObject {
  let value: Json;
  try {
    value = readYaml(body);
  } catch (error) {
    throw problem(`yaml: ${messageOf(error)}`);
  }
  const why = yamlProblem(value);
  if (why !== undefined) throw problem(why);
  if (isObject(value)) return value;
  throw problem("couldn't get version/kind; json parse error: the document is not an object");
}

/** The start of a body in messages: objects as text, others in hexadecimal digits. */
function unrecognized(problem: string, body: string, kind: string): Error {
  const isShort = body.length <= 30;
  const start = body.startsWith('{')
    ? body.slice(0, 30)
    : Buffer.from(body.slice(0, 30), 'utf8').toString('hex').slice(0, 60);
  const summary = body === '' ? '<empty>' : `${start}${isShort ? '' : ' ...'}`;
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${problem} (${summary})`);
}

/** Kinds of the bodies of subresources. */
const unlisted: ReadonlySet<string> = new Set([
  'authentication.k8s.io/v1 TokenRequest',
  'autoscaling/v1 Scale',
  'policy/v1 Eviction',
  'v1 Binding',
]);

/**
 * Returns a body with its kind and version, which are optional for built-in kinds.
 * @throws {Failure} 400 or 422 for those of another kind
 */
export function withKind(
  value: JsonObject,
  type: Pick<ResourceType, 'strategy' | 'group' | 'kind' | 'apiVersion'>,
): JsonObject {
  if (type.strategy === 'custom') {
    checkKind(value, type);
    return value;
  }
  const kind = text(value, 'kind') || type.kind;
  const apiVersion = text(value, 'apiVersion') || type.apiVersion;
  const named = builtInTypes.filter((other) => other.apiVersion === apiVersion);
  const version = apiVersion.slice(apiVersion.lastIndexOf('/') + 1);
  const isKnown =
    (kind === type.kind && apiVersion === type.apiVersion) || unlisted.has(`${apiVersion} ${kind}`);
  if (!isKnown && !named.some((other) => other.kind === kind || other.listKind === kind)) {
    const why = `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`;
    throw unsuitable(kind, version, type, `${why} in scheme "pkg/runtime/scheme.go:111"`);
  }
  if (kind !== type.kind) {
    const target = `${type.group.split('.')[0] || 'core'}.${type.kind}`;
    throw unsuitable(
      kind,
      version,
      type,
      `converting (${version}.${kind}) to (${target}): unknown conversion`,
    );
  }
  const complete = replace(replace(value, 'kind', kind), 'apiVersion', apiVersion);
  checkKind(complete, type);
  return complete;
}

function unsuitable(kind: string, version: string, type: Pick<ResourceType, 'kind'>, why: string): Error {
  const subject = `${kind} in version ${JSON.stringify(version)}`;
  return badRequest(`${subject} cannot be handled as a ${type.kind}: ${why}`);
}

/**
 * Checks that a body has the kind and version of the path.
 * @throws {Failure} 400 or 422
 */
export function checkKind(
  value: JsonObject,
  type: Pick<ResourceType, 'group' | 'kind' | 'apiVersion'>,
): void {
  const [kind, apiVersion] = [text(value, 'kind'), text(value, 'apiVersion')];
  if (kind === '') {
    const body = writeJson(value);
    throw unrecognized(`Object 'Kind' is missing in '${body}'`, body, type.kind);
  }
  if (apiVersion !== type.apiVersion) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${type.apiVersion})`,
    );
  }
  checkSameKind(value, type);
}

/**
 * Checks the kind and version of a patched object.
 * @throws {Failure} 422
 */
export function checkSameKind(
  value: JsonObject,
  type: Pick<ResourceType, 'group' | 'kind' | 'apiVersion'>,
): void {
  const [kind, apiVersion] = [text(value, 'kind'), text(value, 'apiVersion')];
  const errors = [
    ...(kind === type.kind ? [] : [invalidValue('kind', kind, `must be ${type.kind}`)]),
    ...(apiVersion === type.apiVersion
      ? []
      : [invalidValue('apiVersion', apiVersion, `must be ${type.apiVersion}`)]),
  ];
  if (errors.length > 0) throw invalid(type.group, kind, text(value, 'metadata', 'name'), errors);
}
