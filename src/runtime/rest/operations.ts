/**
 * Types of requests by the paths of an API: the types that openapi-typescript generates from an OpenAPI
 * document, an interface with a member per path. Everything is looked up by index, so that the cost of
 * checking a call does not depend on the number of paths.
 */
import type { RequestOptions } from '../api/options.ts';
import type { JsonPatchOperation } from '../api/types.ts';
import type { AnyPathMethods } from './calls.ts';

/** Methods of a path that have their own function, by their names in path types. */
export type PathMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Operation of a method of a path; `never` if there is none. Looked up by index: inferring it would make the
 * compiler compare the operations of all paths before the path is known.
 */
type OperationOf<Paths, Path extends string, Method extends PathMethod> = Path extends keyof Paths
  ? Method extends keyof Paths[Path]
    ? Exclude<Paths[Path][Method], undefined>
    : never
  : never;

/**
 * The path itself if it has the method; otherwise a type that describes the error. A path is inferred as any
 * string, not as one of `Paths`: otherwise the compiler would combine the options of all paths before the
 * path is known.
 */
export type PathOf<Paths, Path extends string, Method extends PathMethod> = Paths extends {
  [P in Path]: unknown;
}
  ? [OperationOf<Paths, Path, Method>] extends [never]
    ? `${Path} has no ${Method}`
    : Path
  : keyof Paths & string;

type ParametersOf<Found> = Found extends { readonly parameters: infer Parameters } ? Parameters : unknown;

type PathPart<Parameters> = Parameters extends { readonly path: infer Values }
  ? { readonly path: Values }
  : unknown;

type QueryPart<Parameters> = Parameters extends { readonly query: infer Values }
  ? { readonly query: Values }
  : Parameters extends { readonly query?: infer Values }
    ? [Values] extends [undefined]
      ? unknown
      : { readonly query?: Values }
    : unknown;

/** Media types of patches whose bodies follow from the format. */
interface PatchBodies {
  readonly 'application/json-patch+json': readonly JsonPatchOperation[];
}

/** Bodies by the media types that the operation accepts: for patches, `contentType` selects one. */
type BodyOf<Content> = {
  [Type in keyof Content]: Type extends 'application/merge-patch+json'
    ? { readonly contentType?: Type; readonly body: Content[Type] }
    : Type extends keyof PatchBodies
      ? { readonly contentType: Type; readonly body: PatchBodies[Type] }
      : Type extends `application/${string}patch+${string}`
        ? { readonly contentType: Type; readonly body: Content[Type] }
        : { readonly contentType?: string; readonly body: Content[Type] };
}[keyof Content];

type BodyPart<Found> = Found extends { readonly requestBody: { readonly content: infer Content } }
  ? BodyOf<Content>
  : Found extends { readonly requestBody?: { readonly content: infer Content } }
    ? BodyOf<Content> | { readonly contentType?: never; readonly body?: never }
    : unknown;

/**
 * Options of a request to a path. The operation is inferred rather than named: while the path of a call is
 * not known yet, the compiler would expand the options of all paths.
 */
export type PathCallOptions<Paths, Path extends string, Method extends PathMethod> = [
  OperationOf<Paths, Path, Method>,
] extends [infer Found]
  ? RequestOptions & PathPart<ParametersOf<Found>> & QueryPart<ParametersOf<Found>> & BodyPart<Found>
  : never;

/** Arguments after the path: options, which are optional if no member is required. */
export type PathArguments<Paths, Path extends string, Method extends PathMethod> = [
  OperationOf<Paths, Path, Method>,
] extends [never]
  ? [options?: object]
  : object extends PathCallOptions<Paths, Path, Method>
    ? [options?: PathCallOptions<Paths, Path, Method>]
    : [options: PathCallOptions<Paths, Path, Method>];

/** Decoded content of a response. */
type ContentOf<ResponseType> = ResponseType extends { readonly content: infer Content }
  ? Content extends { readonly 'application/json': infer Value }
    ? Value
    : Content extends { readonly 'text/plain': unknown }
      ? string
      : unknown
  : unknown;

/** HTTP status codes of success whose responses have content. */
type Success = 200 | 201 | 202;

type SuccessOf<Responses> = {
  [Code in keyof Responses & Success]: ContentOf<Responses[Code]>;
}[keyof Responses & Success];

/** Result of a request: any success of the operation; `unknown` if the document describes none. */
export type PathResponse<Paths, Path extends string, Method extends PathMethod> =
  OperationOf<Paths, Path, Method> extends { readonly responses: infer Responses }
    ? [keyof Responses & Success] extends [never]
      ? unknown
      : SuccessOf<Responses>
    : unknown;

/** Requests to the paths of an OpenAPI document, with types of its parameters, bodies and responses. */
export interface TypedPathMethods<Paths> {
  /** Sends a GET request. Returns the decoded JSON of the response, or a string if it is `text/plain`. */
  get<Path extends string>(
    path: PathOf<Paths, Path, 'get'>,
    ...options: PathArguments<Paths, Path, 'get'>
  ): Promise<PathResponse<Paths, Path, 'get'>>;
  /**
   * Sends a POST request with a body. Returns the decoded JSON of the response, or a string if it is
   * `text/plain` or empty.
   */
  post<Path extends string>(
    path: PathOf<Paths, Path, 'post'>,
    ...options: PathArguments<Paths, Path, 'post'>
  ): Promise<PathResponse<Paths, Path, 'post'>>;
  /**
   * Sends a PUT request, whose body replaces the resource at the path. Returns the decoded JSON of the
   * response, or a string if it is `text/plain` or empty.
   */
  put<Path extends string>(
    path: PathOf<Paths, Path, 'put'>,
    ...options: PathArguments<Paths, Path, 'put'>
  ): Promise<PathResponse<Paths, Path, 'put'>>;
  /**
   * Sends a PATCH request; `contentType` selects the patch format. Returns the decoded JSON of the response,
   * or a string if it is `text/plain` or empty.
   */
  patch<Path extends string>(
    path: PathOf<Paths, Path, 'patch'>,
    ...options: PathArguments<Paths, Path, 'patch'>
  ): Promise<PathResponse<Paths, Path, 'patch'>>;
  /**
   * Sends a DELETE request. Returns the decoded JSON of the response, or a string if it is `text/plain` or
   * empty.
   */
  delete<Path extends string>(
    path: PathOf<Paths, Path, 'delete'>,
    ...options: PathArguments<Paths, Path, 'delete'>
  ): Promise<PathResponse<Paths, Path, 'delete'>>;
}

/** Request methods of a client: for any path if `Paths` is `unknown`. */
export type PathMethods<Paths> = unknown extends Paths ? AnyPathMethods : TypedPathMethods<Paths>;
