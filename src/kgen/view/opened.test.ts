import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { documentIn } from './opened.ts';
import { recordingText } from './recording.fixture.ts';
import { viewSchema } from './schema.ts';

const valid = new Ajv2020({ strict: false }).compile(viewSchema);
const document = documentIn(recordingText());
const json = JSON.stringify(document);

test('the document of a recording is valid, for the page and for an independent validator', () => {
  expect(valid(JSON.parse(json)), JSON.stringify(valid.errors)).toBe(true);
  expect(documentIn(json)).toEqual(document);
});

test.each([
  ['another version', json.replace('"version":1', '"version":2'), '.version must be 1'],
  ['a missing member', json.replace('"clock":"utc",', ''), '.runs[0].clock is missing'],
  ['a wrong type', json.replace(/"title":"[^"]*"/, '"title":1'), '.title must be string'],
  ['no array', json.replace('"failures":[]', '"failures":{}'), '.failures must be array'],
  ['an unknown event', json.replace('"kind":"note"', '"kind":"nothing"'), 'matches no form of the schema'],
  ['a value that is not an object', '1', 'it must be object'],
])('%s is refused, for the page and for an independent validator', (_, text, message) => {
  expect(valid(JSON.parse(text))).toBe(false);
  expect(() => documentIn(text)).toThrow(`this is not a document of kgen view: `);
  expect(() => documentIn(text)).toThrow(message);
});

test('another file is refused', () => {
  expect(() => documentIn('kind: Pod')).toThrow(
    'neither a recording of the flight recorder nor a document in JSON',
  );
});
