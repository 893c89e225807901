// Prints `passed failed skipped` of a JSON report of the test runner, and the failed tests with the beginning
// of each message. A suite that could not be loaded is a failure.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const mostListed = 20;
const mostLines = 8;

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const broken = report.testResults.filter(
  (file) => file.status === 'failed' && file.assertionResults.length === 0,
);
const skipped = report.numPendingTests + report.numTodoTests;
console.log(report.numPassedTests, report.numFailedTests + broken.length, skipped);

const others = report.testResults.flatMap(({ name, assertionResults }) =>
  assertionResults
    .filter(({ status }) => status !== 'passed')
    .map(({ status, fullName, failureMessages }) => ({
      name: `${relative(process.cwd(), name)}: ${fullName}`,
      message: failureMessages.join('\n') || status,
    })),
);
for (const { name, message } of [...broken, ...others].slice(0, mostListed)) {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !isOfTheRunner(line));
  console.log([name, ...lines.slice(0, mostLines)].join('\n  '));
}

function isOfTheRunner(line) {
  return /^ +at .*(node_modules|<anonymous>|node:internal)/.test(line);
}
