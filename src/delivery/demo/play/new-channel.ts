import type { Criterion } from "./criterion.ts";

/** A new channel needs only a row in `channels`. */
export const newChannel: Criterion = {
  name: "config_driven_channel",
  title: "A channel is a row: added, it receives the next post",
  async play(stage, { step, check }) {
    const tag = "play-config";
    const first = await stage.addChannel("telegram", "Показ: первый канал", tag);
    step("a post goes out while there is one channel");
    const before = `Первый пост ${stage.workspaceId}`;
    await stage.post(before, tag);
    await check("it arrives in that channel", async () => (await stage.arrived(first, before)) === 1);

    step("a row is added to `channels`, and nothing else is touched");
    const second = await stage.addChannel("max", "Показ: новый канал", tag);
    const after = `Второй пост ${stage.workspaceId}`;
    const { queued } = await stage.post(after, tag);
    await check("the next post is queued for both", async () => queued === 2);
    await check("it arrives in the old channel", async () => (await stage.arrived(first, after)) === 1);
    await check("it arrives in the new channel", async () => (await stage.arrived(second, after)) === 1);
    await check(
      "the earlier post did not come after it",
      async () => (await stage.arrived(second, before)) === 0,
    );
  },
};
