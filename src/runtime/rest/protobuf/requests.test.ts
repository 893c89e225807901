import { describe, expect, it } from 'vitest';
import {
  acceptingProtobuf,
  hasProtobufBody,
  isProtobuf,
  isRead,
  isValidated,
  type ProtobufRequest,
  protobuf,
  withBody,
  writesInForm,
} from './requests.ts';

function request(more: Partial<ProtobufRequest> = {}): ProtobufRequest {
  return {
    method: 'POST',
    path: '/api/v1/pods',
    query: [],
    headers: { accept: 'application/json' },
    operation: { verb: 'create', resource: 'pods' },
    protobuf: { apiVersion: 'v1', kind: 'Pod', load: () => Promise.reject(new Error('unused')) },
    ...more,
  };
}

describe('requests that may be protobuf', () => {
  it.each<[more: Partial<ProtobufRequest>, want: boolean]>([
    [{ method: 'GET' }, true],
    [{}, false],
    [{ method: 'PUT' }, false],
    [{ query: [['dryRun', 'All']] }, true],
    [{ query: [['dryRun', 'None']] }, false],
    [{ query: [['fieldManager', 'All']] }, false],
    [{ method: 'DELETE', object: { kind: 'DeleteOptions', dryRun: ['All'] } }, true],
    [{ method: 'DELETE', object: { kind: 'DeleteOptions', dryRun: [] } }, false],
    [{ method: 'DELETE', object: { kind: 'DeleteOptions', dryRun: 'All' } }, false],
    [{ method: 'DELETE', object: { kind: 'DeleteOptions' } }, false],
  ])('%j change nothing: %s', (more, want) => {
    expect(isRead(request(more))).toBe(want);
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    expect(writesInForm(request({ ...more, headers: { accept } }))).toBe(!want);
    expect(writesInForm(request(more))).toBe(false);
  });

  it.each<[query: ProtobufRequest['query'], want: boolean]>([
    [[], false],
    [[['fieldValidation', 'Strict']], true],
    [[['fieldValidation', 'Warn']], true],
    [[['fieldValidation', 'Ignore']], false],
    [[['fieldManager', 'Strict']], false],
  ])('with query %j are validated: %s', (query, want) => {
    expect(isValidated(request({ query }))).toBe(want);
  });

  it.each([
    [undefined, false],
    ['application/json', false],
    [protobuf, true],
    [` ${protobuf.toUpperCase()} ;stream=watch`, true],
    [`${protobuf}x`, false],
  ])('a response of type %j is protobuf: %s', (type, want) => {
    expect(isProtobuf({ headers: type === undefined ? {} : { 'content-type': type } })).toBe(want);
  });

  it.each([
    ['application/json', `${protobuf},application/json`],
    ['application/json;as=Table;v=v1', `${protobuf};as=Table;v=v1,application/json;as=Table;v=v1`],
    [
      'application/json;as=Table, application/json',
      `${protobuf};as=Table,application/json;as=Table, application/json`,
    ],
  ])('ask for protobuf before %s', (accept, want) => {
    const requested = acceptingProtobuf(request({ headers: { accept, 'x-mine': 'a' } }));
    expect(requested.headers).toEqual({ accept: want, 'x-mine': 'a' });
  });

  it.each<[body: string | Uint8Array, type: string, isProtobufBody: boolean]>([
    ['{}', 'application/json', false],
    [Buffer.from('{}'), protobuf, true],
  ])('with another body %j have its type', (body, type, isProtobufBody) => {
    const changed = withBody(request(), body);
    expect(changed).toMatchObject({ body, headers: { accept: 'application/json', 'content-type': type } });
    expect(hasProtobufBody(changed)).toBe(isProtobufBody);
    expect(hasProtobufBody({ ...changed, body: '{}' })).toBe(false);
  });
});
