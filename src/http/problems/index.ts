import { httpProblems } from "./codes.ts";
import { problemsOf } from "./problem.ts";

/** Makes the problems that are common to every module. */
export const problem = problemsOf(httpProblems);

export { httpProblems } from "./codes.ts";
export {
  Problem,
  type ProblemBody,
  type ProblemDetails,
  type ProblemError,
  type ProblemKind,
  type ProblemTable,
  problemMediaType,
  problemsOf,
} from "./problem.ts";
