import { z } from "zod";

/** A field that counts as missing if it is invalid: one odd field must not spoil the others. */
const ifReadable = <T>(shape: z.ZodType<T>) => shape.nullish().catch(undefined);

/** The parts of an answer, or of a chunk of a stream, that we read ourselves. Everything may be missing. */
const usage = z.looseObject({
  prompt_tokens: ifReadable(z.number()),
  completion_tokens: ifReadable(z.number()),
  prompt_tokens_details: ifReadable(z.looseObject({ cached_tokens: ifReadable(z.number()) })),
  cost: ifReadable(z.number()),
});

const error = z.looseObject({
  code: ifReadable(z.union([z.string(), z.number()])),
  message: ifReadable(z.string()),
  metadata: ifReadable(z.looseObject({ error_type: ifReadable(z.string()) })),
});

/** A picture inside an answer to a chat: a `data:` address. */
const imagePart = z.looseObject({ image_url: z.looseObject({ url: z.string() }) });

const said = z.looseObject({
  content: ifReadable(z.string()),
  refusal: ifReadable(z.string()),
  images: ifReadable(z.array(imagePart)),
});

const choice = z.looseObject({
  message: ifReadable(said),
  delta: ifReadable(said),
  error: ifReadable(error),
  finish_reason: ifReadable(z.string()),
});

const answer = z.looseObject({
  model: ifReadable(z.string()),
  error: ifReadable(error),
  usage: ifReadable(usage),
  choices: ifReadable(z.array(choice.catch({}))),
  /** The answer of the API for pictures. */
  data: ifReadable(z.array(z.looseObject({ b64_json: z.string() }))),
});

export type RawError = z.infer<typeof error>;
export type RawUsage = z.infer<typeof usage>;

export interface Raw {
  readonly model?: string | undefined;
  readonly error?: RawError | undefined;
  readonly usage?: RawUsage | undefined;
  /** The text of an answer that is not a stream. */
  readonly text?: string | undefined;
  readonly refusal: string;
  readonly finish?: string | undefined;
  /** The number of answers; undefined if the body is not an answer at all. */
  readonly choices?: number | undefined;
  readonly pictures: readonly RawPicture[];
}

/** A picture as it came: base64, or an address that holds none. */
export type RawPicture = { readonly base64: string } | { readonly elsewhere: true };

export function readRaw(value: unknown): Raw {
  const read = answer.safeParse(value);
  if (!read.success) return { refusal: "", pictures: [] };
  const { model, error: failed, usage: used, choices, data } = read.data;
  const first = choices?.[0];
  return {
    model: model ?? undefined,
    error: failed ?? first?.error ?? undefined,
    usage: used ?? undefined,
    text: first?.message?.content ?? undefined,
    refusal: first?.message?.refusal ?? first?.delta?.refusal ?? "",
    finish: first?.finish_reason ?? undefined,
    choices: choices?.length ?? data?.length,
    pictures: data
      ? data.map(({ b64_json }) => ({ base64: b64_json }))
      : (first?.message?.images ?? []).map(({ image_url }) => inAddress(image_url.url)),
  };
}

function inAddress(url: string): RawPicture {
  const comma = url.indexOf(",");
  return /^data:image\/[\w.+-]{1,40};base64$/.test(url.slice(0, Math.max(0, comma)))
    ? { base64: url.slice(comma + 1) }
    : { elsewhere: true };
}

export function readRawText(text: string | undefined): Raw {
  try {
    return readRaw(JSON.parse(text ?? ""));
  } catch {
    return { refusal: "", pictures: [] };
  }
}
