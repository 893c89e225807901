/**
 * Requests typed by an API's paths: the types that openapi-typescript writes for an OpenAPI document, an interface with
 * a member per path. Everything is looked up by index, so that a call costs the same however many paths there are.
 */
import type { RequestOptions } from '../options.ts';
import type { JsonPatchOperation } from '../types.ts';
import type { AnyCalls } from './calls.ts';

/** The methods of a path that have a function of their own, as paths name them. */
export type PathMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * The operation behind a method of a path; `never` where there is none. Looked up by index: inferring it would make the
 * compiler compare the operations of all paths while it does not know which is meant.
 */
type OperationOf<Paths, Path extends string, Method extends PathMethod> = Path extends keyof Paths
  ? Method extends keyof Paths[Path]
    ? Exclude<Paths[Path][Method], undefined>
    : never
  : never;

/**
 * The path itself where it has the method; else a type that says what is wrong. A path is inferred as any text, not as
 * one of `Paths`: else the compiler would look at the options of all paths together before it has seen which is meant.
 */
export type PathOf<Paths, Path extends string, Method extends PathMethod> = Paths extends {
  [P in Path]: unknown;
}
  ? [OperationOf<Paths, Path, Method>] extends [never]
    ? `${Path} has no ${Method}`
    : Path
  : keyof Paths & string;

type ParametersOf<Found> = Found extends { parameters: infer Parameters } ? Parameters : unknown;

type PathPart<Parameters> = Parameters extends { path: infer Values } ? { path: Values } : unknown;

type QueryPart<Parameters> = Parameters extends { query: infer Values }
  ? { query: Values }
  : Parameters extends { query?: infer Values }
    ? [Values] extends [undefined]
      ? unknown
      : { query?: Values }
    : unknown;

/** The media types of patches whose bodies follow from the format. */
interface PatchBodies {
  'application/json-patch+json': readonly JsonPatchOperation[];
}

/** A body by the media types that the operation takes: of patches, `contentType` tells which one is meant. */
type BodyOf<Content> = {
  [Type in keyof Content]: Type extends 'application/merge-patch+json'
    ? { contentType?: Type; body: Content[Type] }
    : Type extends keyof PatchBodies
      ? { contentType: Type; body: PatchBodies[Type] }
      : Type extends `application/${string}patch+${string}`
        ? { contentType: Type; body: Content[Type] }
        : { contentType?: string; body: Content[Type] };
}[keyof Content];

type BodyPart<Found> = Found extends { requestBody: { content: infer Content } }
  ? BodyOf<Content>
  : Found extends { requestBody?: { content: infer Content } }
    ? BodyOf<Content> | { contentType?: never; body?: never }
    : unknown;

/**
 * What goes into a request to a path, besides the path itself. The operation is inferred, although it could be named:
 * while a call's path is not known yet, the compiler would multiply out the options of all paths.
 */
export type PathCallOptions<Paths, Path extends string, Method extends PathMethod> = [
  OperationOf<Paths, Path, Method>,
] extends [infer Found]
  ? RequestOptions & PathPart<ParametersOf<Found>> & QueryPart<ParametersOf<Found>> & BodyPart<Found>
  : never;

/** The arguments behind the path: options, which may be left out where nothing in them is needed. */
export type PathArguments<Paths, Path extends string, Method extends PathMethod> = [
  OperationOf<Paths, Path, Method>,
] extends [never]
  ? [options?: object]
  : object extends PathCallOptions<Paths, Path, Method>
    ? [options?: PathCallOptions<Paths, Path, Method>]
    : [options: PathCallOptions<Paths, Path, Method>];

/** The content of an answer, as it is decoded. */
type ContentOf<Answer> = Answer extends { content: infer Content }
  ? Content extends { 'application/json': infer Value }
    ? Value
    : Content extends { 'text/plain': unknown }
      ? string
      : unknown
  : unknown;

/** HTTP status codes of success that answers with a content have. */
type Success = 200 | 201 | 202;

type SuccessOf<Answers> = {
  [Code in keyof Answers & Success]: ContentOf<Answers[Code]>;
}[keyof Answers & Success];

/** What a request gives: any of the operation's successes; `unknown` where nothing is known of them. */
export type PathAnswer<Paths, Path extends string, Method extends PathMethod> =
  OperationOf<Paths, Path, Method> extends { responses: infer Answers }
    ? [keyof Answers & Success] extends [never]
      ? unknown
      : SuccessOf<Answers>
    : unknown;

/** Requests to the paths of a document. */
export interface PathCalls<Paths> {
  /** Gives the decoded JSON of the answer, or its text where it is `text/plain`. */
  get<Path extends string>(
    path: PathOf<Paths, Path, 'get'>,
    ...options: PathArguments<Paths, Path, 'get'>
  ): Promise<PathAnswer<Paths, Path, 'get'>>;
  /** Sends a body to be stored or acted on. */
  post<Path extends string>(
    path: PathOf<Paths, Path, 'post'>,
    ...options: PathArguments<Paths, Path, 'post'>
  ): Promise<PathAnswer<Paths, Path, 'post'>>;
  /** Sends a body that replaces what is at the path. */
  put<Path extends string>(
    path: PathOf<Paths, Path, 'put'>,
    ...options: PathArguments<Paths, Path, 'put'>
  ): Promise<PathAnswer<Paths, Path, 'put'>>;
  /** Sends a body that changes what is at the path; `contentType` says how it is read. */
  patch<Path extends string>(
    path: PathOf<Paths, Path, 'patch'>,
    ...options: PathArguments<Paths, Path, 'patch'>
  ): Promise<PathAnswer<Paths, Path, 'patch'>>;
  /** Deletes what is at the path. */
  delete<Path extends string>(
    path: PathOf<Paths, Path, 'delete'>,
    ...options: PathArguments<Paths, Path, 'delete'>
  ): Promise<PathAnswer<Paths, Path, 'delete'>>;
}

/** The requests that a client makes: to any path where nothing is known of them. */
export type Calls<Paths> = unknown extends Paths ? AnyCalls : PathCalls<Paths>;
