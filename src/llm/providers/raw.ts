import { z } from "zod";

/** The parts of an answer that we read ourselves, whole or as a piece of a stream. Everything may be missing. */
const usage = z.looseObject({
  prompt_tokens: z.number().nullish(),
  completion_tokens: z.number().nullish(),
  prompt_tokens_details: z.looseObject({ cached_tokens: z.number().nullish() }).nullish(),
  cost: z.number().nullish(),
});

const error = z.looseObject({
  code: z.union([z.string(), z.number()]).nullish(),
  message: z.string().nullish(),
  metadata: z.looseObject({ error_type: z.string().nullish() }).nullish(),
});

const said = z.looseObject({ refusal: z.string().nullish() });

const answer = z.looseObject({
  model: z.string().nullish(),
  error: error.nullish(),
  usage: usage.nullish(),
  choices: z
    .array(
      z.looseObject({
        message: said.nullish(),
        delta: said.nullish(),
        error: error.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
});

export type RawError = z.infer<typeof error>;
export type RawUsage = z.infer<typeof usage>;

export interface Raw {
  readonly model?: string | undefined;
  readonly error?: RawError | undefined;
  readonly usage?: RawUsage | undefined;
  readonly refusal: string;
  readonly finish?: string | undefined;
  /** How many answers there are; of something that is no answer at all, nothing is known. */
  readonly choices?: number | undefined;
}

export function readRaw(value: unknown): Raw {
  const read = answer.safeParse(value);
  if (!read.success) return { refusal: "" };
  const { model, error: failed, usage: used, choices } = read.data;
  const first = choices?.[0];
  return {
    model: model ?? undefined,
    error: failed ?? first?.error ?? undefined,
    usage: used ?? undefined,
    refusal: first?.message?.refusal ?? first?.delta?.refusal ?? "",
    finish: first?.finish_reason ?? undefined,
    choices: choices?.length,
  };
}

export function readRawText(text: string | undefined): Raw {
  try {
    return readRaw(JSON.parse(text ?? ""));
  } catch {
    return { refusal: "" };
  }
}
