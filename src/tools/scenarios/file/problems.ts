/** The problems of a scenario file, each with file, line, member and what to do. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
