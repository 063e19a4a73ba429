import { z } from "zod";
import { checkSteps } from "../../../../platforms/index.ts";
import { channelSchema } from "../channel-shape.ts";

const words = z.object({ text: z.string(), advice: z.string().optional() });

/** The result of a channel test, step by step, in both languages. */
export const channelTest = z
  .object({
    channel_id: z.uuid(),
    platform: z.string(),
    target_id: z.string(),
    state: channelSchema.shape.state,
    ok: z.boolean(),
    summary: z.object({ en: z.string(), ru: z.string() }),
    steps: z.array(
      z.object({
        step: z.enum(checkSteps),
        finding: z.string().describe("`ok`, or what is wrong"),
        en: words,
        ru: words,
        said: z.string().optional().describe("What the messenger said, when it refused"),
      }),
    ),
  })
  .meta({ id: "ChannelTest" });
export type ChannelTest = z.infer<typeof channelTest>;
