import type { Said } from "../said.ts";

/** Ends a run as failed: its tokens are returned, and the person reads the text. */
export class RunFailure extends Error {
  readonly code: string;
  readonly said: Said;

  constructor(code: string, said: Said) {
    super(said.en);
    this.code = code;
    this.said = said;
  }
}

/** The person wants to stop. Thrown by `step`; nobody but the runner catches it. */
export class RunStopped extends Error {}

/** Another process has the run. Thrown by `step`; nobody but the runner catches it. */
export class RunTaken extends Error {}

/** The reason of a failure through our fault. */
export const internalCode = "internal";

/** Told when the system could not do the work, for whatever reason. */
export const internalFailure: Said = {
  ru: "Не получилось по нашей вине. Токены возвращены. Попробуйте ещё раз.",
  en: "This failed through our fault. The tokens were returned. Try again.",
};
