import type { AlertLetter } from "../alert-letter.ts";
import type { Finding } from "../findings.ts";

/** One alert for one target. */
export interface LetterToSend {
  readonly workspaceId: string;
  readonly workspace: string;
  readonly alertId: string;
  readonly fingerprint: string;
  readonly findings: readonly Finding[];
  readonly raisedAt: Date;
  readonly targetId: string;
  readonly config: unknown;
  /** The secret that the target's `secret_ref` names. */
  readonly secret: string | undefined;
  readonly letter: AlertLetter;
  readonly consoleUrl: string;
  /** A test of whether alerts arrive. */
  readonly isTest: boolean;
}

export type Delivered =
  | { readonly ok: true; readonly status?: number }
  /** `error` is shown to operators: it never holds a secret. */
  | { readonly ok: false; readonly status?: number; readonly error: string };
