import { z } from "zod";
import { safetyLevels } from "../../firstaid/index.ts";
import { profileSources } from "./knowledge.ts";
import { limitsShape, researchShape } from "./quota.ts";
import { upsellShape } from "./upsell.ts";

/** The answer of `POST /v1/chat/ask`: the specified fields, then ours. */
export const replyShape = z
  .object({
    answer_text: z.string(),
    safety_level: z.enum(safetyLevels),
    recommended_actions: z.array(z.string()),
    should_go_to_vet: z.boolean(),
    followup_question: z.string().nullable(),
    session: z.object({ session_id: z.string(), expires_at: z.string() }),
    limits: limitsShape,
    upsell: upsellShape,
    research: researchShape,
    meta: z.object({
      policy_name: z.string(),
      llm_provider: z.string().nullable(),
      llm_model: z.string().nullable(),
      pet_profile_source: z.enum(profileSources),
      pet_profile_pet_id: z.string().nullable(),
    }),
  })
  .meta({ id: "AdvisorAnswer" });
export type Reply = z.output<typeof replyShape>;
