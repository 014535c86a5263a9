import { ScenarioError } from '../file/problems.ts';
import { readScenario, type Scenario } from '../file/read.ts';

/** Scenarios by the id under which the presenter plays them. */
export type StoryFiles = ReadonlyMap<string, Scenario>;

/** The id of the story in a file: its name without folder and extension. */
export function storyId(file: string): string {
  return file.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '');
}

/** Reads the scenario files of a partner. Throws a ScenarioError for an invalid file, and for two of the same name. */
export function readOwnStories(files: readonly string[]): StoryFiles {
  const stories = new Map<string, Scenario>();
  for (const file of files) {
    const id = storyId(file);
    const other = stories.get(id);
    if (other !== undefined) {
      throw new ScenarioError([
        `${file}: has the name of ${other.file}, which is its link; rename one of them`,
      ]);
    }
    stories.set(id, readScenario(file));
  }
  return stories;
}
