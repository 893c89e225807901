// Prints `passed failed skipped` of a JSON report of the test runner. A suite that could not be loaded is a failure.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const broken = report.testResults.filter(
  (file) => file.status === 'failed' && file.assertionResults.length === 0,
);
const skipped = report.numPendingTests + report.numTodoTests;
console.log(report.numPassedTests, report.numFailedTests + broken.length, skipped);
