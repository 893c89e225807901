import { badRequest, invalid, notImplemented, unsupportedMediaType } from '../api/failures.ts';
import { invalidValue } from '../api/fielderror.ts';
import type { ApiRequest } from '../api/request.ts';
import type { ResourceType } from '../resources/type.ts';
import { isObject, type JsonObject, text } from '../values/json.ts';
import { readJson, readYaml, writeJson } from '../values/wire.ts';

const accepted = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** Returns the media type without parameters. */
export function mediaType(value: string): string {
  return (value.split(';')[0] ?? '').trim().toLowerCase();
}

/**
 * Parses the body, JSON or YAML, as an object.
 * @throws {Failure} 415 or 400
 */
export function decodeBody(request: ApiRequest, kind: string): JsonObject {
  const type = mediaType(request.contentType) || 'application/json';
  if (type === 'application/vnd.kubernetes.protobuf') throw notImplemented('bodies in protobuf');
  if (type !== 'application/json' && type !== 'application/yaml') throw unsupportedMediaType(accepted);
  try {
    const value = type === 'application/json' ? readJson(request.body) : readYaml(request.body);
    if (isObject(value)) return value;
    throw new SyntaxError(
      `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into an object`,
    );
  } catch (error) {
    throw unrecognized(
      `couldn't get version/kind; json parse error: ${messageOf(error)}`,
      request.body,
      kind,
    );
  }
}

function unrecognized(problem: string, body: string, kind: string): Error {
  const summary = body.length > 30 ? `${body.slice(0, 30)} ...` : body;
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${problem} (${summary})`);
}

/** Returns the message of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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
