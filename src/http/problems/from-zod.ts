import type { z } from "zod";
import type { ProblemError } from "./problem.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** zod's issues, one per field, each with a JSON pointer. */
export function errorsFromIssues(issues: readonly Issue[], at: Path = []): ProblemError[] {
  return issues.flatMap((issue) => errorsFromIssue(issue, [...at, ...issue.path]));
}

function errorsFromIssue(issue: Issue, path: Path): ProblemError[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ pointer: pointerTo([...path, key]), detail: "Unknown field" }));
  }
  if (issue.code === "invalid_union") {
    const closest = closestBranch(issue.errors);
    if (closest) return errorsFromIssues(closest, path);
  }
  return [{ pointer: pointerTo(path), detail: issue.message }];
}

/** The branch of a union that the sender most likely meant: the one with the fewest errors. */
function closestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const told = branches.filter((branch) => branch.length > 0);
  return told.reduce<readonly Issue[] | undefined>(
    (best, branch) => (best && faultsIn(best) <= faultsIn(branch) ? best : branch),
    undefined,
  );
}

function faultsIn(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);
}

/** RFC 6901: `~` and `/` inside a name are escaped; the whole document is the empty pointer. */
export function pointerTo(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
