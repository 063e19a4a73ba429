import { z } from "zod";
import { ApiError } from "./api-error.ts";
import { aspectRatios, imageSizes } from "./picture/size.ts";

/** The request as both providers describe it. Unknown fields are refused, so that a typo is noticed here. */

const cacheControl = z.strictObject({ type: z.literal("ephemeral"), ttl: z.enum(["5m", "1h"]).optional() });

const textPart = z.strictObject({
  type: z.literal("text"),
  text: z.string(),
  cache_control: cacheControl.optional(),
});
const imagePart = z.strictObject({
  type: z.literal("image_url"),
  image_url: z.strictObject({
    url: z.string().regex(/^(https?:\/\/|data:image\/[\w.+-]+;base64,)/, "must be an address or a data: URL"),
    detail: z.enum(["auto", "low", "high"]).optional(),
  }),
  cache_control: cacheControl.optional(),
});
const audioPart = z.strictObject({
  type: z.literal("input_audio"),
  input_audio: z.strictObject({
    data: z.base64(),
    format: z.enum(["wav", "mp3", "ogg", "flac", "m4a", "aac", "aiff", "pcm16", "pcm24"]),
  }),
  cache_control: cacheControl.optional(),
});
const part = z.discriminatedUnion("type", [textPart, imagePart, audioPart]);

const toolCall = z.strictObject({
  id: z.string(),
  type: z.literal("function"),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
});

const message = z.discriminatedUnion("role", [
  z.strictObject({
    role: z.enum(["system", "developer"]),
    content: z.union([z.string(), z.array(textPart).min(1)]),
    cache_control: cacheControl.optional(),
  }),
  z.strictObject({
    role: z.literal("user"),
    content: z.union([z.string(), z.array(part).min(1)]),
    name: z.string().optional(),
    cache_control: cacheControl.optional(),
  }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.union([z.string(), z.array(textPart)]).nullish(),
    tool_calls: z.array(toolCall).optional(),
    refusal: z.string().nullish(),
    reasoning_content: z.string().optional(),
    cache_control: cacheControl.optional(),
  }),
  z.strictObject({
    role: z.literal("tool"),
    tool_call_id: z.string(),
    content: z.union([z.string(), z.array(textPart)]),
  }),
]);

export const jsonSchema = z.record(z.string(), z.unknown());
export type JsonSchema = z.infer<typeof jsonSchema>;

const named = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, "must match ^[a-zA-Z0-9_-]{1,64}$");

const responseFormat = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text") }),
  z.strictObject({ type: z.literal("json_object") }),
  z.strictObject({
    type: z.literal("json_schema"),
    json_schema: z.strictObject({
      name: named,
      description: z.string().optional(),
      strict: z.boolean().nullish(),
      schema: jsonSchema,
    }),
  }),
]);

const tool = z.strictObject({
  type: z.literal("function"),
  function: z.strictObject({
    name: named,
    description: z.string().optional(),
    parameters: jsonSchema.optional(),
    strict: z.boolean().nullish(),
  }),
});

/** Fields that both know. */
const common = {
  model: z.string().min(1),
  messages: z.array(message).min(1),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({ include_usage: z.boolean().optional() }).nullish(),
  response_format: responseFormat.optional(),
  tools: z.array(tool).optional(),
  tool_choice: z
    .union([
      z.enum(["none", "auto", "required"]),
      z.strictObject({ type: z.literal("function"), function: z.strictObject({ name: z.string() }) }),
    ])
    .optional(),
  parallel_tool_calls: z.boolean().optional(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  reasoning_effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]).optional(),
  user: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  service_tier: z.string().optional(),
  prompt_cache_key: z.string().optional(),
};

/** Fields of the router alone. */
const routing = {
  model: z.string().min(1).optional(),
  models: z.array(z.string()).min(1).optional(),
  provider: z
    .strictObject({
      order: z.array(z.string()).optional(),
      only: z.array(z.string()).optional(),
      ignore: z.array(z.string()).optional(),
      allow_fallbacks: z.boolean().optional(),
      require_parameters: z.boolean().optional(),
      data_collection: z.enum(["allow", "deny"]).optional(),
      zdr: z.boolean().optional(),
      quantizations: z.array(z.string()).optional(),
      sort: z
        .union([z.enum(["price", "throughput", "latency"]), z.record(z.string(), z.unknown())])
        .optional(),
      max_price: z.record(z.string(), z.number()).optional(),
      preferred_min_throughput: z.unknown().optional(),
      preferred_max_latency: z.unknown().optional(),
    })
    .optional(),
  plugins: z.array(z.looseObject({ id: z.string() })).optional(),
  reasoning: z.record(z.string(), z.unknown()).optional(),
  usage: z.strictObject({ include: z.boolean() }).optional(),
  session_id: z.string().max(256).optional(),
  cache_control: cacheControl.optional(),
  modalities: z
    .array(z.enum(["text", "image"]))
    .min(1)
    .optional(),
  image_config: z
    .strictObject({
      aspect_ratio: z.enum(aspectRatios).optional(),
      image_size: z.enum(imageSizes).optional(),
    })
    .optional(),
};

const router = z.strictObject({ ...common, ...routing });
export type ChatRequest = z.infer<typeof router>;

const schemas: Readonly<Record<"openrouter" | "openai", z.ZodType<ChatRequest>>> = {
  openai: z.strictObject(common),
  openrouter: router,
};

export type ChatMessage = ChatRequest["messages"][number];

/** The request of the API for pictures, which only the router has. */
const imagesRequest = z.strictObject({
  model: z.string().min(1),
  prompt: z.string().min(1),
  n: z.int().min(1).max(10).optional(),
  aspect_ratio: z.enum(aspectRatios).optional(),
  resolution: z.enum(imageSizes).optional(),
  output_format: z.enum(["png"]).optional(),
  input_references: z.array(imagePart).max(16).optional(),
  provider: routing.provider,
});
export type ImagesRequest = z.infer<typeof imagesRequest>;

export function readBody(brand: "openrouter" | "openai", body: unknown): ChatRequest {
  return readAs(schemas[brand], body);
}

export function readImagesBody(body: unknown): ImagesRequest {
  return readAs(imagesRequest, body);
}

function readAs<T>(schema: z.ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const field = issue?.path.join(".") ?? "";
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  throw new ApiError(
    400,
    "invalid_request",
    unknown
      ? `Unrecognized request argument supplied: ${unknown}`
      : `Invalid value for '${field || "body"}': ${issue?.message}`,
    { more: { param: unknown ?? field } },
  );
}
