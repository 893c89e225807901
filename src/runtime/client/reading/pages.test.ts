import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api/errors.ts';
import type { KubernetesList } from '../../api/meta.ts';
import type { IterateOptions, ListOptions } from '../../api/options.ts';
import type { Stored } from '../../api/types.ts';
import { Pages } from './pages.ts';

interface Thing {
  metadata: { name: string };
}

const operation = { verb: 'list', resource: 'things' };

function page(name: string, token?: string, resourceVersion = '9'): KubernetesList<Stored<Thing>> {
  const metadata = { name, uid: name, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
  return {
    metadata: { resourceVersion, ...(token !== undefined && { continue: token }) },
    items: [{ apiVersion: 'v1', kind: 'Thing', metadata }],
  };
}

const gone = (token?: string): ApiError =>
  new ApiError({
    code: 410,
    reason: 'Expired',
    ...(token !== undefined && { metadata: { continue: token } }),
  });

type ScriptedResponses = readonly (KubernetesList<Stored<Thing>> | Error)[];

/** Iterates over all pages; returns the requests, the items and the error. */
async function go(responses: ScriptedResponses, options: IterateOptions = {}) {
  const left = [...responses];
  const requested: ListOptions[] = [];
  const fetch = async (one: ListOptions): Promise<KubernetesList<Stored<Thing>>> => {
    requested.push(JSON.parse(JSON.stringify(one)));
    const response = left.shift();
    if (response === undefined || response instanceof Error)
      throw response ?? new Error('nothing more was expected');
    return response;
  };
  const pages = new Pages<Thing>(fetch, options, operation);
  const names: string[] = [];
  let failure: unknown;
  try {
    for await (const item of pages) names.push(item.metadata.name);
  } catch (error) {
    failure = error;
  }
  const { consistent, resourceVersion } = pages;
  return { requested, names, failure, consistent, resourceVersion };
}

/** Returns a page without objects, but with a continue token. */
function emptyPage(token: string): KubernetesList<Stored<Thing>> {
  return { ...page('a', token), items: [] };
}

const emptyPages = (count: number, from = 0): KubernetesList<Stored<Thing>>[] =>
  Array.from({ length: count }, (_, index) => emptyPage(`e${from + index}`));

describe('pages of a list', () => {
  it.each<{ what: string; responses: ScriptedResponses; options?: IterateOptions; want: object }>([
    {
      what: 'are requested with all options, but only the first with the version',
      responses: [page('a', 't'), page('b')],
      options: {
        pageSize: 2,
        resourceVersion: '5',
        resourceVersionMatch: 'Exact',
        timeoutSeconds: 7,
        fieldSelector: 'x=y',
      },
      want: {
        requested: [
          {
            limit: 2,
            resourceVersion: '5',
            resourceVersionMatch: 'Exact',
            timeoutSeconds: 7,
            fieldSelector: 'x=y',
          },
          { limit: 2, continue: 't', timeoutSeconds: 7, fieldSelector: 'x=y' },
        ],
        names: ['a', 'b'],
        failure: undefined,
        consistent: true,
      },
    },
    {
      what: 'continue repeatedly with the token that the server offers',
      responses: [page('a', 't1'), gone('n1'), page('b', 't2', '12'), gone('n2'), page('c', '', '15')],
      want: {
        requested: [{}, { continue: 't1' }, { continue: 'n1' }, { continue: 't2' }, { continue: 'n2' }],
        names: ['a', 'b', 'c'],
        failure: undefined,
        consistent: false,
        resourceVersion: '15',
      },
    },
    {
      what: 'throw if the server offers no token',
      responses: [page('a', 't1'), gone()],
      want: { names: ['a'], failure: { reason: 'Expired' }, consistent: true },
    },
    {
      what: 'throw if the offered token has expired too',
      responses: [page('a', 't1'), gone('n1'), gone('n2')],
      want: { requested: [{}, {}, { continue: 'n1' }], names: ['a'], failure: { reason: 'Expired' } },
    },
    {
      what: 'throw if the first page has expired',
      responses: [gone('n1')],
      want: { requested: [{}], names: [], failure: { reason: 'Expired' } },
    },
    {
      what: 'throw DecodeError after 100 empty pages in a row',
      responses: emptyPages(101),
      want: {
        requested: { length: 100 },
        names: [],
        failure: {
          name: 'DecodeError',
          message: expect.stringMatching(/100 empty pages of the list in a row/),
        },
      },
    },
    {
      what: 'may be empty',
      responses: [...emptyPages(99), page('a', 't'), ...emptyPages(99, 99), { ...page('a'), items: [] }],
      want: { names: ['a'], failure: undefined },
    },
    {
      what: 'throw DecodeError if tokens repeat',
      responses: [page('a', 't1'), page('b', 't2'), page('c', 't1')],
      want: { names: ['a', 'b', 'c'], failure: { name: 'DecodeError', operation } },
    },
  ])('$what', async ({ responses, options, want }) => {
    expect(await go(responses, options)).toMatchObject(want);
  });
});
