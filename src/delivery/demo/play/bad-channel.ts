import type { Criterion } from "./criterion.ts";
import type { Stage, StageChannel } from "./stage.ts";

/** The threshold of the specification: refusals in a row after which a channel is disabled. */
const disableAfter = 3;

/** A channel that refuses is disabled; the others are not affected. */
export const badChannel: Criterion = {
  name: "bad_channel_isolation",
  title: "A channel that refuses is paused, then disabled; the others go on",
  async play(stage, { step, check }) {
    const tag = "play-bad";
    const good = await stage.addChannel("max", "Показ: исправный", tag);
    const bad = await stage.addChannel("telegram", "Показ: бота выгнали", tag);
    step(`the provider answers 403 for ${bad.title}`);
    await stage.twins.refuse(bad, 403, { times: disableAfter });

    for (let refusal = 1; refusal <= disableAfter; refusal++) {
      const text = `Новость ${refusal} ${stage.workspaceId}`;
      const { message_id } = await stage.post(text, tag);
      await check(
        `post ${refusal} arrives in the good channel`,
        async () => (await stage.arrived(good, text)) === 1,
      );
      if (refusal > 1) {
        await check(`post ${refusal} waits in the bad one, and says why: channel_paused`, async () => {
          const waiting = await stage.delivery(bad, message_id);
          return waiting?.reason === "channel_paused" && waiting.expected_at !== null;
        });
        step("the hour of the pause is cut short");
        await endPause(stage, bad);
      }
      await check(
        `refusal ${refusal}: the delivery is failed_permanent, the channel paused at once`,
        async () => {
          const delivery = await stage.delivery(bad, message_id);
          const actions = (await stage.events(bad, message_id)).map(({ action }) => action);
          return delivery?.status === "failed_permanent" && actions.includes("channel_paused");
        },
      );
      if (refusal === disableAfter)
        await check(
          `after ${disableAfter} in a row: event channel_disabled, the channel is off`,
          async () => {
            const disabled = (await stage.events(bad, message_id)).some(
              ({ action }) => action === "channel_disabled",
            );
            return disabled && !(await isEnabled(stage, bad));
          },
        );
    }
    const last = `После всего ${stage.workspaceId}`;
    const { queued } = await stage.post(last, tag);
    await check(
      "the next post goes to the good channel only",
      async () => queued === 1 && (await stage.arrived(good, last)) === 1,
    );
  },
};

async function endPause({ sql, workspaceId }: Stage, { id }: StageChannel): Promise<void> {
  await sql`
    update delivery.channels set paused_until = now() where workspace_id = ${workspaceId} and channel_id = ${id}`;
  await sql`select pg_notify('molva_deliveries', ${workspaceId})`;
}

async function isEnabled({ sql, workspaceId }: Stage, { id }: StageChannel): Promise<boolean> {
  const [row] = await sql<{ enabled: boolean }[]>`
    select enabled from delivery.channels where workspace_id = ${workspaceId} and channel_id = ${id}`;
  return row?.enabled ?? false;
}
