import type { ObjectStorage } from "../../kernel/storage/index.ts";
import type { Platforms } from "../../platforms/index.ts";
import type { Telegraph } from "../../telegraph/index.ts";
import type { Language } from "../language/index.ts";
import type { Rules } from "../rules.ts";
import type { RunScope } from "../runs/run-kind.ts";
import type { Payer } from "../sources/result.ts";
import type { WorkshopDeps } from "../workshop-deps.ts";

/** What writing an article needs. */
export interface ArticleDeps extends WorkshopDeps {
  readonly storage: ObjectStorage;
  readonly telegraph: Telegraph;
  readonly platforms: Platforms;
  readonly language: () => Promise<Language>;
  /** The document's unless given. */
  readonly rules?: Rules | undefined;
}

export const textOperation = "text_generation";
export const imageOperation = "image_generation";

/** The steps of billing that hold the tokens of a round. */
export const chargesOf = (round: number) =>
  round === 0 ? { text: "text", images: "images" } : { text: `text-${round}`, images: `images-${round}` };

export const payerOf = ({ workspaceId, userId, runId }: RunScope): Payer => ({
  ...{ workspaceId, userId, operation: textOperation, run: runId },
});
