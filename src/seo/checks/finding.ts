import type { Said } from "../said.ts";

/** Something a check found, for people and for code. */
export interface Finding {
  readonly code: string;
  readonly message: Said;
}

export function finding(code: string, ru: string, en: string): Finding {
  return { code, message: { ru, en } };
}
