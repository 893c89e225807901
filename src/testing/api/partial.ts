import { array, isObject, type Json, type JsonObject, object, omit, own, text } from '../values/json.ts';
import type { Form } from './accept.ts';
import { failure } from './failures.ts';
import type { Answer, WatchEvent } from './request.ts';

const meta = 'meta.k8s.io/v1';

/**
 * Returns a response in the requested representation: unchanged, or with metadata only.
 * @throws {Failure} 406 for an unsupported representation
 */
export function partial(answer: Answer, form: Form): Answer {
  if (form === 'json' || form === 'discovery-v2' || answer.kind === 'text' || answer.kind === 'failure')
    return answer;
  if (answer.kind === 'watch') {
    if (form !== 'partial-object') throw mismatch(false);
    return { ...answer, plan: partialPlan(answer.plan) };
  }
  const isList = Array.isArray(own(answer.body, 'items'));
  if (isList !== (form === 'partial-list')) throw mismatch(isList);
  return { ...answer, body: isList ? partialList(answer.body) : partialObject(answer.body) };
}

function mismatch(isList: boolean): Error {
  const message = isList
    ? 'you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)'
    : 'you requested PartialObjectMetadataList, but the requested object is not a list (*unstructured.Unstructured)';
  return failure(406, 'NotAcceptable', message);
}

function partialPlan(plan: Extract<Answer, { readonly kind: 'watch' }>['plan']): typeof plan {
  const strip = (event: WatchEvent): WatchEvent =>
    event.type === 'ERROR' ? event : { ...event, object: partialObject(event.object) };
  const { bookmark } = plan;
  return {
    ...plan,
    initial: plan.initial.map(strip),
    step: (change) => {
      const event = plan.step(change);
      return event === undefined ? undefined : strip(event);
    },
    bookmark: bookmark === undefined ? undefined : (revision) => strip(bookmark(revision)),
  };
}

function partialObject(value: Json): JsonObject {
  if (isObject(value) && own(value, 'kind') === 'Status') return value;
  return { kind: 'PartialObjectMetadata', apiVersion: meta, metadata: own(value, 'metadata') ?? {} };
}

function partialList(value: JsonObject): JsonObject {
  const items = array(value, 'items').map(partialObject);
  const metadata = object(value, 'metadata');
  const listMeta = text(metadata, 'continue') === '' ? omit(metadata, 'continue') : metadata;
  return { kind: 'PartialObjectMetadataList', apiVersion: meta, metadata: listMeta, items };
}
