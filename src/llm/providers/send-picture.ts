/** Asks one model for one picture. Never throws: failures are part of the result. */
import type { ModelMessage } from "ai";
import { errorInBody, failureFrom } from "./classify.ts";
import { type ModelCall, notSaid, type PictureRequest, type Reply, type SendDeps } from "./model-call.ts";
import { readRawText } from "./raw.ts";
import { requestOptions } from "./request-options.ts";
import { mayCost, type Wire } from "./wire.ts";

/** A picture of 4096 pixels is some 20 MB as PNG, and a third more as base64. */
const largestAnswer = 64 * 1024 * 1024;

export async function sendPicture(
  call: ModelCall,
  picture: PictureRequest,
  { http, clock, appUrl }: SendDeps,
): Promise<Reply> {
  const { provider, settings, timeoutMs, signal } = call;
  if (provider === "openai")
    return notSaid(
      {
        class: "bad_request",
        message: "pictures are asked of OpenRouter or a compatible server, not of openai",
      },
      undefined,
      false,
    );
  const [path, body] =
    settings.images === "images"
      ? ["/images", imagesBody(call, picture)]
      : ["/chat/completions", chatBody(call, picture)];
  const result = await http.request({
    method: "POST",
    url: `${settings.baseUrl}${path}`,
    headers: {
      "content-type": "application/json",
      ...(settings.apiKey && { authorization: `Bearer ${settings.apiKey}` }),
      ...(provider === "openrouter" && { "http-referer": appUrl, "x-title": "Molva" }),
    },
    body: JSON.stringify(body),
    timeoutMs,
    maxBytes: largestAnswer,
    ...(signal && { signal }),
  });
  const wire: Wire =
    result.kind === "failure"
      ? { failure: result }
      : {
          status: result.status,
          headers: result.headers,
          body: Buffer.from(result.body.buffer, result.body.byteOffset, result.body.byteLength).toString(
            "utf8",
          ),
        };
  const raw = readRawText(wire.body);
  if (wire.failure || wire.status !== 200 || raw.choices === undefined || raw.choices === 0)
    return notSaid(
      failureFrom(wire, new Error("the answer cannot be read"), clock.now()),
      raw.usage,
      mayCost(wire),
    );
  if (raw.error) return notSaid(errorInBody(raw.error), raw.usage, true);
  return {
    kind: "said",
    text: raw.text ?? "",
    refusal: raw.refusal || (raw.finish === "content_filter" ? "content filter" : ""),
    truncated: raw.finish === "length",
    pictures: raw.pictures,
    model: raw.model ?? call.model,
    usage: raw.usage,
  };
}

function chatBody(call: ModelCall, { aspectRatio, size }: PictureRequest): object {
  const { model, system, messages, maxTokens, temperature } = call;
  return {
    model,
    messages: [
      { role: "system", content: system },
      ...messages.map(({ role, content }) => ({ role, content: partsOf(content).map(chatPart) })),
    ],
    modalities: ["image", "text"],
    ...((aspectRatio || size) && {
      image_config: {
        ...(aspectRatio && { aspect_ratio: aspectRatio }),
        ...(size && { image_size: size }),
      },
    }),
    max_tokens: maxTokens,
    ...(temperature !== null && { temperature }),
    ...requestOptions(call),
  };
}

/** That API has one text and no roles. Of the options, it knows the choice of hosts only. */
function imagesBody(
  { model, system, messages, options }: ModelCall,
  { aspectRatio, size }: PictureRequest,
): object {
  const parts = messages.flatMap(({ content }) => partsOf(content));
  const words = parts.flatMap((part) => ("text" in part ? [part.text] : []));
  const files = parts.filter((part) => "bytes" in part);
  return {
    model,
    prompt: [system, ...words].join("\n\n"),
    n: 1,
    ...(aspectRatio && { aspect_ratio: aspectRatio }),
    ...(size && { resolution: size }),
    output_format: "png",
    ...(files.length > 0 && { input_references: files.map(chatPart) }),
    ...(options.provider !== undefined && { provider: options.provider }),
  };
}

type Part = { readonly text: string } | { readonly bytes: Uint8Array; readonly mediaType: string };

function partsOf(content: ModelMessage["content"]): Part[] {
  if (typeof content === "string") return [{ text: content }];
  return content.map((part): Part => {
    if (part.type === "text") return { text: part.text };
    if (part.type === "file" && part.data instanceof Uint8Array)
      return { bytes: part.data, mediaType: part.mediaType };
    throw new Error(`a part of type ${part.type} is none of ours`);
  });
}

function chatPart(part: Part): object {
  if ("text" in part) return { type: "text", text: part.text };
  const url = `data:${part.mediaType};base64,${Buffer.from(part.bytes).toString("base64")}`;
  return { type: "image_url", image_url: { url } };
}
