/** Figures of the document that an installation may change. */
export interface Rules {
  /** How often a text is written anew for nothing. */
  readonly freeRegenerations: number;
  /** How long a text waits for a decision. */
  readonly previewMs: number;
}

export const usualRules: Rules = { freeRegenerations: 2, previewMs: 24 * 3_600_000 };
