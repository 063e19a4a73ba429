import { Refused } from "../../api/index.ts";

/** The one conflict that people meet here, in the language of the page. */
export function orLastAdmin(lastAdmin: string) {
  return (error: unknown): never => {
    if (error instanceof Refused && error.status === 409)
      throw new Refused(409, { ...error.problem, detail: lastAdmin });
    throw error;
  };
}
