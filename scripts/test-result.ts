/** The result of one step of `npm test`. */
export interface StepResult {
  passed: number;
  /** Includes the tests that were planned and did not run. */
  failed: number;
  skipped?: number;
  /** How many of the failed tests did not run to their end. */
  notRun?: number;
  /** How many tests a test runner executed; absent for checks. */
  executed?: number;
  /** One line for each failure, `file › title: message`, for the summary at the end of the run. */
  failures?: readonly string[];
  /** Printed right after the step if something failed. */
  report?: string;
}

/** Returns the result of a step that is one check. */
export const checkResult = (ok: boolean, report: string): StepResult => ({
  passed: ok ? 1 : 0,
  failed: ok ? 0 : 1,
  report,
});
