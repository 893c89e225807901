/** Declarations of admission webhooks: defaults and validations, typed by a descriptor. */

import type { ObjectOf, Resource, ResourceTypes } from '@kgen/runtime/client';
import type { FieldError } from '@kgen/runtime/objects';
import type { AdmissionContext, Operation } from './context.ts';
import type { ObjectIn, ObjectOfReview, PartialObject, Subresource } from './objects.ts';
import type { WebhookOptions } from './options.ts';

type AnyResource = Resource<ResourceTypes>;
type Usual = 'CREATE' | 'UPDATE';
/** The server refuses changes of an object that is deleted; `validates` can refuse the deletion. */
type Changing = Exclude<Operation, 'DELETE'>;

/** Result of `defaults`: the object, or its members that change. */
// biome-ignore lint/suspicious/noConfusingVoidType: functions that return nothing, too.
export type DefaultsResult<T> = void | undefined | PartialObject<T>;

/** Result of `validates`: the errors of the object. */
// biome-ignore lint/suspicious/noConfusingVoidType: functions that return nothing, too.
export type ValidatesResult = void | undefined | readonly FieldError[];

/** Options of `defaults`. */
export interface DefaultsOptions<T, O extends Changing, S extends Subresource = ''>
  extends WebhookOptions<O> {
  /** Subresource whose requests are changed. Default: the object itself. */
  readonly subresource?: S | undefined;
  /**
   * Whether this webhook is called again if another one has changed the object after it. Default: `Never`.
   */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded' | undefined;
  /**
   * Returns the object, or its members that change. A member of the result replaces that of the object;
   * `undefined` removes it; absent members stay. `metadata` is combined in the same way one level deeper.
   * Without a result, changes that the function has made to the object itself count. Unknown fields of the
   * object are kept. If it throws, the request is refused, or allowed if `failurePolicy` is `Ignore`.
   */
  readonly handle: (
    object: ObjectOfReview<'defaults', T, O, S>,
    context: AdmissionContext<ObjectIn<T, S>, O>,
  ) => DefaultsResult<ObjectIn<T, S>> | Promise<DefaultsResult<ObjectIn<T, S>>>;
}

/** Options of `validates`. */
export interface ValidatesOptions<T, O extends Operation, S extends Subresource = ''>
  extends WebhookOptions<O> {
  /** Subresource whose requests are reviewed. Default: the object itself. */
  readonly subresource?: S | undefined;
  /**
   * Returns the errors of the object; without any, the request is allowed. They become one `Status` with a
   * cause for each. If it throws, the request is refused, or allowed if `failurePolicy` is `Ignore`; an
   * `AdmissionDenied` refuses it with its own status.
   */
  readonly handle: (
    object: ObjectOfReview<'validates', T, O, S>,
    context: AdmissionContext<ObjectIn<T, S>, O>,
  ) => ValidatesResult | Promise<ValidatesResult>;
}

/** An admission webhook: its kind, its resource, and its options, without their types. */
export interface AdmissionWebhook {
  readonly type: 'defaults' | 'validates';
  readonly resource: AnyResource;
  readonly options: WebhookOptions & {
    readonly subresource?: string | undefined;
    readonly reinvocationPolicy?: 'Never' | 'IfNeeded' | undefined;
    readonly handle: (object: unknown, context: AdmissionContext<unknown>) => unknown;
  };
}

/**
 * Declares a webhook that changes objects before they are stored, such as by defaults that a schema cannot
 * express.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/
 */
export function defaults<
  R extends AnyResource,
  const O extends Changing = Usual,
  const S extends Subresource = '',
>(resource: R, options: DefaultsOptions<ObjectOf<R>, O, S>): AdmissionWebhook {
  return { type: 'defaults', resource, options: untyped(options) };
}

/**
 * Declares a webhook that refuses invalid objects. Rules that need nothing but the object belong into its
 * schema, where they cost no request.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/
 */
export function validates<
  R extends AnyResource,
  const O extends Operation = Usual,
  const S extends Subresource = '',
>(resource: R, options: ValidatesOptions<ObjectOf<R>, O, S>): AdmissionWebhook {
  return { type: 'validates', resource, options: untyped(options) };
}

function untyped(options: object): AdmissionWebhook['options'] {
  // The handler is called with objects and contexts of its own resource and operations only.
  return options as unknown as AdmissionWebhook['options'];
}
