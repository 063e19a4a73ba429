import type { Answer } from "../../shared/index.ts";

/** A refusal of VK's sign-in, in OAuth's format. */
export class OAuthError extends Error {
  readonly error: string;
  readonly status: number;

  constructor(error: string, description: string, status = 400) {
    super(description);
    this.error = error;
    this.status = status;
  }
}

/** Refusals are answers; any other exception is a bug of the twin. */
export function answeringOAuth(work: () => unknown): Answer {
  try {
    return { status: 200, body: work(), kept: "***" };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return { status: error.status, body: { error: error.error, error_description: error.message } };
  }
}
