/** A process that fires schedules and works on their runs. Its model answers at once. */
import { z } from "zod";
import { systemClock as clock } from "../../../src/kernel/clock/index.ts";
import { connect, surviveLostConnections } from "../../../src/kernel/db/index.ts";
import { silentLog as log } from "../../../src/kernel/log/index.ts";
import { type PostOrder, type PostResult, postOrder } from "../../../src/seo/posts/shape.ts";
import { createRuns } from "../../../src/seo/runs/create-runs.ts";
import { defineRun } from "../../../src/seo/runs/run-kind.ts";
import { createArranger } from "../../../src/seo/schedules/arranger.ts";
import { createAutopublisher } from "../../../src/seo/schedules/autopublisher.ts";
import { createOwnClock, createOwnDriver } from "../../../src/seo/schedules/own-driver.ts";
import { followRuns } from "../../../src/seo/schedules/settle-run.ts";

surviveLostConnections(log);
const sql = connect({ url: process.env.DATABASE_URL ?? "", max: 12, name: "molva seo chaos" });
/** Short, so that what a killed process had goes on soon. */
const leaseMs = 3_000;

const post = defineRun<PostOrder, PostResult>({
  kind: "post",
  title: { ru: "пост", en: "post" },
  input: postOrder,
  async work(run) {
    const text = await run.step("text", { result: z.string(), stage: "text" }, async () => "Пост");
    await run.step("check", { result: z.boolean() }, async () => text.length > 0);
    return {
      status: "done",
      result: {
        ...{
          text,
          format: "plain" as const,
          hashtags: [],
          pin_title: null,
          words: 1,
          platform: "vk",
          target: "-1",
          phrase: "чай",
        },
        ...{
          disclaimer: null,
          link: null,
          pictures: [],
          warnings: [],
          regenerations: 0,
          source_run_id: null,
        },
        ...{ content_hash: "1", model: "at once", prompt_version: null, ms: 0 },
      },
    };
  },
});
const nobody = async () => {
  throw new Error("the storm orders posts only");
};
const other = <Input, Result>(kind: string, input: z.ZodType<Input>) =>
  defineRun<Input, Result>({ kind, title: { ru: kind, en: kind }, input, work: nobody });
const telling = { clock, admins: [], tell: async () => {} };
const runs = createRuns({
  ...{ sql, clock, log, leaseMs, kinds: [post] },
  told: followRuns(telling, async () => {}),
});
const services = [
  createAutopublisher({
    ...{ ...telling, sql, log, runs, leaseMs },
    kinds: { post, article: other("article", z.any()), crossPost: other("cross_post", z.any()) },
    sources: { firecrawl: { keptMap: async () => undefined } as never },
    check: async () => ({ ok: true, finding: "ok", ru: "", en: "" }),
  }),
  createArranger({ sql, log, driver: createOwnDriver({ sql, clock }) }),
  createOwnClock({ sql, clock, log }),
];
for (const service of services) await service.start();
console.log("ready");
