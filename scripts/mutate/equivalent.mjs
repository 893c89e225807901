import { readFileSync } from 'node:fs';

/**
 * @typedef {object} Explained
 * @property {string} file
 * @property {string} original the line, trimmed
 * @property {string} mutated the changed line, trimmed
 * @property {string} why reason why no test can distinguish them, or should
 */

const path = new URL('equivalent.json', import.meta.url);

/** @returns {Explained[]} the mutants that are known to be equivalent */
export const readExplained = () => JSON.parse(readFileSync(path, 'utf8'));

/** @returns {Explained | undefined} the entry of a mutant; lines may move, their content may not change */
export const explanationOf = (mutant, explained) =>
  explained.find(
    ({ file, original, mutated }) =>
      file === mutant.file && original === mutant.original && mutated === mutant.changed,
  );
