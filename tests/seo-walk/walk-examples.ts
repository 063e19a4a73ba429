/** What people write, send and tap in each state, for the walk through all flows. Whoever adds a state adds an example here. */
import type { Person } from "../../src/dialogs/testing/harness.ts";
import { articleExamples } from "./examples/articles.ts";
import { connectionExamples } from "./examples/connections.ts";
import { keywordExamples } from "./examples/keywords.ts";
import { postExamples } from "./examples/posts.ts";
import { projectExamples } from "./examples/projects.ts";
import { serviceExamples } from "./examples/services.ts";
import { textExamples } from "./examples/texts.ts";
import { type Examples, given } from "./walk-given.ts";
import type { Runs } from "./walk-runs.ts";
import type { World } from "./walk-world.ts";

export function examplesIn(world: World, runs: Runs, person: Person): Examples {
  const how = given(world, runs, person);
  return {
    ...projectExamples(how),
    ...textExamples(how),
    ...keywordExamples(how),
    ...connectionExamples(how),
    ...articleExamples(how),
    ...postExamples(how),
    ...serviceExamples(how),
  };
}
