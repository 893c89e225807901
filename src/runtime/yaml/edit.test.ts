import { describe, expect, it } from 'vitest';
import { editYaml, type YamlEditor } from './edit.ts';

interface Case {
  readonly given: string;
  readonly change: (editor: YamlEditor) => void;
  readonly want: string;
}

const cases: Readonly<Record<string, Case>> = {
  'a value, and nothing around it': {
    given:
      '# top\na: 1 # one\n\n# two\nb: "x" # text\nc:\n- 0x1F\n- 0644\n- 12345678901234567890\n- 1.50\n- ~\n- on\n',
    change: (editor) => editor.set(['b'], 'y'),
    want: '# top\na: 1 # one\n\n# two\nb: "y" # text\nc:\n- 0x1F\n- 0644\n- 12345678901234567890\n- 1.50\n- ~\n- on\n',
  },
  'a number': {
    given: 'a: 0644\nb: 0644\n',
    change: (editor) => editor.set(['a'], 7),
    want: 'a: 7\nb: 0644\n',
  },
  'indented lists': {
    given: 'a:\n  - b:\n      c: 1\n',
    change: (editor) => editor.set(['a', 0, 'b', 'd'], [1]),
    want: 'a:\n  - b:\n      c: 1\n      d:\n        - 1\n',
  },
  'lists in the column of their key': {
    given: 'a:\n- b:\n    c: 1\n',
    change: (editor) => editor.set(['a', 1], { b: ['x'] }),
    want: 'a:\n- b:\n    c: 1\n- b:\n  - x\n',
  },
  'what is not there yet': {
    given: 'a: null\nb: []\nc:\n',
    change: (editor) => {
      editor.set(['a', 0, 'x'], 1);
      editor.set(['b', 0], 'n');
      editor.set(['c', 'd', 'e'], 'f');
    },
    want: 'a:\n- x: 1\nb:\n- "n"\nc:\n  d:\n    e: f\n',
  },
  'an empty text': { given: '', change: (editor) => editor.set(['a', 'b'], true), want: 'a:\n  b: true\n' },
  'texts that YAML 1.1 takes for something else': {
    given: '{}',
    change: (editor) =>
      editor.set(['a'], ['y', 'No', 'on', '1:30', '0o7', '1_000', '.5', '<<', '', 'yes please', '=']),
    want: '{"a":["y","No","on","1:30","0o7","1_000",".5","<<","","yes please","="]}\n',
  },
  'texts that YAML 1.1 takes for something else, in YAML': {
    given: 'a: x\n',
    change: (editor) =>
      editor.set(['a'], ['y', 'No', 'on', '1:30', '1_000', '.5', '', 'yes please', '=', '-1']),
    want: 'a:\n- "y"\n- "No"\n- "on"\n- "1:30"\n- "1_000"\n- ".5"\n- ""\n- yes please\n- "="\n- "-1"\n',
  },
  'one of two places that are the same by an alias': {
    given: 'a: &x { b: 1 }\nc: *x\nd: { <<: *x, e: 2 }\n',
    change: (editor) => editor.set(['c', 'b'], 2),
    want: 'a: &x { b: 1 }\nc: { b: 2 }\nd: { <<: { b: 1 }, e: 2 }\n',
  },
  'an anchor that goes': {
    given: 'a: &x { b: 1 }\nc: *x\n',
    change: (editor) => editor.remove(['a']),
    want: 'c: { b: 1 }\n',
  },
  'indented JSON': {
    given: '{\n    "a": {"__proto__": 1},\n    "b": []\n}\n',
    change: (editor) => editor.set(['b', 0], 'x'),
    want: '{\n    "a": {\n        "__proto__": 1\n    },\n    "b": [\n        "x"\n    ]\n}\n',
  },
  'a prototype, which is a key like others': {
    given: 'a: {}\n',
    change: (editor) => editor.set(['a', '__proto__', 'polluted'], 'yes'),
    want: 'a:\n  __proto__:\n    polluted: "yes"\n',
  },
  'several lines of text': {
    given: 'a: x\n',
    change: (editor) => editor.set(['b'], 'one\ntwo\n'),
    want: 'a: x\nb: |\n  one\n  two\n',
  },
  'a long text, in one line': {
    given: 'a: x\n',
    change: (editor) => editor.set(['a'], 'word '.repeat(60).trim()),
    want: `a: ${'word '.repeat(60).trim()}\n`,
  },
};

describe('editYaml', () => {
  it.each(Object.entries(cases))('changes %s', async (_, { given, change, want }) => {
    const editor = await editYaml(given, 'test');
    expect(editor.changed).toBe(false);
    change(editor);
    expect(editor.changed).toBe(true);
    expect(editor.toString()).toBe(want);
    const again = await editYaml(want, 'test');
    expect(again.read()).toEqual(editor.read());
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it.each<[string, (editor: YamlEditor) => void]>([
    ['the same value', (editor) => editor.set(['a'], 1)],
    ['the same mapping', (editor) => editor.set(['b'], { c: ['x'] })],
    ['something that is not there', (editor) => editor.remove(['z', 'y'])],
  ])('sees that %s is no change', async (_, change) => {
    const editor = await editYaml('a: 1\nb: { c: [x] }\n', 'test');
    change(editor);
    expect(editor.changed).toBe(false);
  });

  it('says where a text is not YAML', async () => {
    await expect(editYaml('a: [\n', 'test')).rejects.toThrow(/^test:\d+:\d+: not YAML/);
    await expect(editYaml('a: { <<: 1 }', 'test')).rejects.toThrow(/^test: the merged mappings/);
    await expect(editYaml('a: *b', 'test')).rejects.toThrow(/^test.*: /);
    await expect(editYaml('a: 1\n b: 2\n', 'test')).rejects.toThrow(
      expect.objectContaining({ name: 'ConfigError' }),
    );
  });
});
