import type { App } from "../../http/index.ts";
import { limits } from "../advisor-limits.ts";
import type { AdvisorDeps } from "../deps.ts";
import type { Subject } from "../subject/subject.ts";
import { errorBody } from "../v1/error-response.ts";
import { ask } from "./answer-question.ts";
import { askBody } from "./ask-body.ts";
import { questionOf } from "./question.ts";
import { replyShape } from "./reply.ts";
import { payloadHash, requestIdOf } from "./request-id.ts";

/** A photo in base64 and a question. */
const bodyLimit = Math.ceil(limits.inlineBytes * 1.5);

export function askRoute(app: App, deps: AdvisorDeps, subject: Subject): void {
  app.post(
    "/v1/chat/ask",
    {
      bodyLimit,
      schema: {
        tags: ["advisor"],
        summary: "Ask a question; repeats of a request_id return the same answer",
        security: [{ advisorToken: [] }],
        body: askBody,
        response: { 200: replyShape, default: errorBody },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const requestId = requestIdOf(request, body.request_id);
      const question = questionOf(body, subject);
      const replied = await ask({ requestId, payloadHash: payloadHash(body), question }, deps, subject);
      if (replied.repeated) reply.header("x-dedup-hit", "1");
      return replied.response;
    },
  );
}
