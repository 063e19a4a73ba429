/** Problems of services as people read them. */
import type { Language } from "../../dialogs/index.ts";
import { Problem } from "../../http/index.ts";
import { SeoProblem } from "../problems.ts";

export type Attempted<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: SeoProblem };

/** Does something that may be refused. Other errors are bugs and are thrown. */
export async function attempted<T>(work: () => Promise<T>): Promise<Attempted<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (error instanceof SeoProblem) return { ok: false, problem: error };
    throw error;
  }
}

/** What it says, in the person's language. */
export const saidOf = ({ said }: SeoProblem, language: Language): string => said[language];

/** Undefined if there is no such thing, or it is not this person's. */
export async function ifFound<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Problem && error.code === "not_found") return undefined;
    throw error;
  }
}
