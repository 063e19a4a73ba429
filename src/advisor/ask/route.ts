import { z } from "zod";
import type { App } from "../../http/index.ts";
import type { AdvisorDeps } from "../deps.ts";
import { errorBody } from "../door/answer-error.ts";
import { limits } from "../limits.ts";
import { type Subject, safetyLevels } from "../subject/subject.ts";
import { ask } from "./ask.ts";
import { askBody } from "./body.ts";
import { profileSources } from "./knowledge.ts";
import { questionOf } from "./question.ts";
import { limitsShape, researchShape } from "./quota.ts";
import { payloadHash, requestIdOf } from "./request-id.ts";
import { upsellShape } from "./upsell.ts";

const answer = z
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

/** Room for a photo in base64 and a question beside it. */
const bodyLimit = Math.ceil(limits.inlineBytes * 1.5);

export function askRoute(app: App, deps: AdvisorDeps, subject: Subject): void {
  app.post(
    "/v1/chat/ask",
    {
      bodyLimit,
      schema: {
        tags: ["advisor"],
        summary: "Ask a question: once for each request_id, however often it is sent",
        security: [{ advisorToken: [] }],
        body: askBody,
        response: { 200: answer, default: errorBody },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const requestId = requestIdOf(request, body.request_id);
      const question = questionOf(body, subject);
      const replied = await ask({ requestId, payloadHash: payloadHash(body), question }, deps, subject);
      if (replied.repeated) reply.header("x-dedup-hit", "1");
      return answer.parse(replied.response);
    },
  );
}
