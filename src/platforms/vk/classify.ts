import { z } from "zod";
import type { HttpAnswer } from "../../kernel/outbound/index.ts";
import { classify, type ErrorRule, longestWaitMs, retryAfterHeader, textOf } from "../classify.ts";
import type { SendError } from "../contract.ts";
import { ifReadable } from "../if-readable.ts";

const minute = 60_000;
const hour = 60 * minute;

const channelLost = { category: "PERMANENT", scope: "channel", code: "channel_unavailable" } as const;
const keyLost = { category: "PERMANENT", scope: "channel", code: "unauthorized" } as const;
const badRequest = { category: "PERMANENT", scope: "delivery", code: "vk_bad_request" } as const;
const away = { category: "TRANSIENT", scope: "platform", code: "upstream_unavailable" } as const;
const personNeeded = { category: "PERMANENT", scope: "channel", code: "validation_required" } as const;
/** VK has lost an upload: the next attempt uploads it again. */
const uploadLost = {
  category: "TRANSIENT",
  scope: "delivery",
  code: "upload_refused",
  retryAfterMs: 2_000,
} as const;
/** VK names no waits, and each attempt against its protection makes them longer, so these are long. */
const captcha = {
  category: "TRANSIENT",
  scope: "platform",
  code: "captcha_needed",
  retryAfterMs: 30 * minute,
} as const;
const quota = {
  category: "TRANSIENT",
  scope: "channel",
  code: "wall_quota",
  retryAfterMs: hour,
} as const;

/** What VK's error numbers mean. They come with status 200; the first match decides. */
export const rules: readonly ErrorRule[] = [
  { providerCode: "1", verdict: away },
  { providerCode: "3", verdict: channelLost },
  { providerCode: "5", verdict: keyLost },
  {
    providerCode: "6",
    verdict: { category: "TRANSIENT", scope: "platform", code: "rate_limited", retryAfterMs: 1_000 },
  },
  { providerCode: "7", verdict: channelLost },
  {
    providerCode: "9",
    verdict: { category: "TRANSIENT", scope: "platform", code: "flood_control", retryAfterMs: hour },
  },
  { providerCode: "10", verdict: away },
  { providerCode: "14", verdict: captcha },
  { providerCode: "15", verdict: channelLost },
  { providerCode: "17", verdict: personNeeded },
  { providerCode: "18", verdict: keyLost },
  {
    providerCode: "27",
    text: /unavailable with group auth/i,
    verdict: { category: "PERMANENT", scope: "delivery", code: "person_key_needed" },
  },
  { providerCode: "27", verdict: keyLost },
  { providerCode: "28", verdict: keyLost },
  {
    providerCode: "29",
    verdict: { category: "TRANSIENT", scope: "platform", code: "rate_limited", retryAfterMs: hour },
  },
  { providerCode: "100", text: /\b(?:owner_id|group_ids?)\b/, verdict: channelLost },
  {
    providerCode: "100",
    text: /\battachments\b/,
    verdict: { category: "PERMANENT", scope: "delivery", code: "media_rejected" },
  },
  {
    providerCode: "100",
    text: /message is too long/,
    verdict: { category: "PERMANENT", scope: "delivery", code: "message_too_long" },
  },
  { providerCode: "113", verdict: channelLost },
  { providerCode: "118", verdict: uploadLost },
  { providerCode: "121", verdict: uploadLost },
  { providerCode: "125", verdict: channelLost },
  { providerCode: "129", verdict: uploadLost },
  { providerCode: "203", verdict: channelLost },
  {
    providerCode: "210",
    verdict: { category: "PERMANENT", scope: "delivery", code: "post_unavailable" },
  },
  {
    providerCode: "214",
    text: /edit time/i,
    verdict: { category: "PERMANENT", scope: "delivery", code: "edit_too_late" },
  },
  { providerCode: "214", text: /posts a day|scheduled|maximum/i, verdict: quota },
  { providerCode: "214", verdict: channelLost },
  { providerCode: "219", verdict: quota },
  { providerCode: "220", verdict: quota },
  {
    providerCode: "222",
    verdict: { category: "PERMANENT", scope: "delivery", code: "links_forbidden" },
  },
  { providerCode: "224", verdict: quota },
  {
    providerCode: "1051",
    verdict: { category: "PERMANENT", scope: "channel", code: "key_of_wrong_kind" },
  },
  { providerCode: "3300", verdict: captcha },
  { providerCode: "3609", verdict: keyLost },
  { status: 200, verdict: badRequest },
];

/** Leaves out `request_params`, which repeats the whole post. */
export const refusalShape = z.object({
  error: z.object({
    error_code: z.int(),
    error_msg: ifReadable(z.string()),
    captcha_sid: ifReadable(z.string()),
    captcha_img: ifReadable(z.string()),
    redirect_uri: ifReadable(z.string()),
  }),
});

/** Classifies a refusal by its number, or by its status if it came from VK's proxy. */
export function classifyRefusal(answer: HttpAnswer, body: unknown, now: Date): SendError {
  const error = refusalShape.safeParse(body).data?.error;
  const retryAfterMs = longestWaitMs([retryAfterHeader(answer, now)]);
  return classify(
    {
      status: answer.status,
      ...(error && { providerCode: String(error.error_code) }),
      description: error?.error_msg ?? `VK answered with status ${answer.status}`,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      raw: { status: answer.status, body: error ?? textOf(answer) },
    },
    rules,
  );
}

const rawShape = z.object({ body: z.object({ error_code: z.int() }) });

/** VK's own number of an error. */
export function numberOf({ raw }: SendError): number | undefined {
  return rawShape.safeParse(raw).data?.body.error_code;
}
