import type { Criterion } from "./criterion.ts";

/** The same content goes to every channel, once to each. */
export const samePost: Criterion = {
  name: "per_channel_dedup",
  title: "The same post: to two channels yes, to one channel twice no",
  async play(stage, { step, check }) {
    const tag = "play-dedup";
    const channels = [
      await stage.addChannel("telegram", "Показ: один раз", tag),
      await stage.addChannel("max", "Показ: тоже один раз", tag),
    ];
    const text = `Одно и то же ${stage.workspaceId}`;
    step("a post for two channels");
    const first = await stage.post(text, tag);
    for (const channel of channels)
      await check(`it is sent to ${channel.title} (${channel.platform})`, async () => {
        const delivery = await stage.delivery(channel, first.message_id);
        return delivery?.status === "sent" && (await stage.arrived(channel, text)) === 1;
      });

    step("the same content again, under another id of the sender, with other spaces");
    const again = await stage.post(`  ${text.replace(" ", "   ")} `, tag);
    await check(
      "nothing is queued: both channels had it",
      async () => again.queued === 0 && again.deduped === 2,
    );
    await check("it is the same message", async () => again.message_id === first.message_id);
    for (const channel of channels) {
      await check(`${channel.title}: event dedup_suppressed`, async () =>
        (await stage.events(channel, first.message_id)).some(({ action }) => action === "dedup_suppressed"),
      );
      await check(
        `${channel.title}: the reader still sees it once`,
        async () => (await stage.arrived(channel, text)) === 1,
      );
    }
  },
};
