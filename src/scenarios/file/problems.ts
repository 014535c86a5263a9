/** What is wrong with a scenario file, each problem with file, line, member and the way out. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
