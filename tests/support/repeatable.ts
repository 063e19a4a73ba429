import fc from "fast-check";
import { beforeAll, inject, type RunnerTask } from "vitest";

// Chosen and printed once for the whole run (global-setup.ts).
fc.configureGlobal({ seed: inject("seed") });

/** What proves that nothing is lost or doubled: one failure is enough, however many other tries pass. */
const proofs = /[\\/]tests[\\/](chaos|model)[\\/]/;

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures out of this parameter.
beforeAll(({}, suite) => {
  if (proofs.test(suite.file.filepath)) onlyOnce(suite);
});

function onlyOnce(task: RunnerTask): void {
  if (task.type === "suite") for (const each of task.tasks) onlyOnce(each);
  else task.retry = 0;
}
