import type { Criterion } from "./criterion.ts";

const retryAfterSeconds = 2;

/** A 429 is recorded, the retry waits as long as the provider asks, and then succeeds. */
export const tooManyRequests: Criterion = {
  name: "too_many_requests",
  title: "429 from the provider: recorded, waited out, delivered once",
  async play(stage, { step, check }) {
    const tag = "play-429";
    const channel = await stage.addChannel("telegram", "Показ: слишком часто", tag);
    step(`the provider will answer 429 once and ask for ${retryAfterSeconds} s`);
    await stage.twins.refuse(channel, 429, { times: 1, retryAfter: retryAfterSeconds });
    const text = `Подождём ${stage.workspaceId}`;
    const { message_id } = await stage.post(text, tag);
    const events = () => stage.events(channel, message_id);

    await check("events: send_attempt #1, then retry_scheduled with the error", async () => {
      const [, attempt, retry] = await events();
      return attempt?.action === "send_attempt" && retry?.action === "retry_scheduled" && retry.code !== null;
    });
    await check("next_retry_at is not earlier than the provider asked", async () => {
      const [, attempt, retry] = await events();
      if (!attempt || !retry?.next_retry_at) return false;
      return Date.parse(retry.next_retry_at) >= attempt.ts.getTime() + retryAfterSeconds * 1000;
    });
    await check("the delivery ends sent, at the second attempt", async () => {
      const delivery = await stage.delivery(channel, message_id);
      return delivery?.status === "sent" && delivery.attempt === 2;
    });
    await check("the second attempt began after the wait", async () => {
      const all = await events();
      const retry = all.find(({ action }) => action === "retry_scheduled");
      const second = all.find(({ action, attempt }) => action === "send_attempt" && attempt === 2);
      return !!second && second.ts.getTime() >= Date.parse(retry?.next_retry_at ?? "");
    });
    await check("the reader sees it once", async () => (await stage.arrived(channel, text)) === 1);
  },
};
