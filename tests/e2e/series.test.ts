import { afterEach, beforeEach, expect, it } from "vitest";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { until } from "../support/until.ts";

/** MAX takes a file as a message of its own: a photo with a file is a series of two. */
const chat = "-70000001";

let running: RunningSystem;
beforeEach(async () => {
  running = await startSystem({
    prepare: ({ sql }) => sql`
      update delivery.channels set rate_rps = null, enabled = target_id = ${chat}`,
  });
});
afterEach(() => running.stop());

async function maxOptions(options: object): Promise<void> {
  await fetch(`${running.twinsUrl}/_control/max/options`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(options),
  });
}

const delivery = async (messageId: string) => {
  const [row] = await running.database.sql`
    select status, attempt, last_error, next_retry_at, updated_at, render_meta -> 'series_progress' as progress
    from delivery.deliveries where message_id = ${messageId}`;
  return row;
};

// covers autoposting: MAX adapter profile; Core loop; Retry policy; Point 28
it("a series stops at a file that is not ready, keeps what arrived, and goes on with the tail after a short wait", async () => {
  // Longer than the adapter is willing to offer it again within one attempt.
  await maxOptions({ not_ready_sends: 9 });
  const { message_id } = await running.post({
    payload: {
      text: "Снимок и приложение",
      media: [
        { type: "photo", url: `${running.twinsUrl}/demo/lake.jpg` },
        { type: "document", url: `${running.twinsUrl}/demo/road.jpg` },
      ],
    },
  });
  const stopped = await until("the first attempt has ended", async () => {
    const row = await delivery(message_id);
    return row?.status === "retry" && row;
  });
  expect(stopped).toMatchObject({ attempt: 1, last_error: { code: "attachment_not_ready" } });
  expect(stopped.progress.provider_message_ids).toHaveLength(1);
  const waitMs = stopped.next_retry_at.getTime() - stopped.updated_at.getTime();
  expect(waitMs).toBeGreaterThanOrEqual(1_000);
  expect(waitMs).toBeLessThanOrEqual(6_000);

  await maxOptions({ not_ready_sends: 0 });
  await running.settled(message_id);
  expect(await delivery(message_id)).toMatchObject({ status: "sent" });
  const shown = await running.messages("max", chat);
  expect(shown.map(({ text, media }) => ({ text, kinds: media.map(({ kind }) => kind) }))).toEqual([
    { text: "Снимок и приложение", kinds: ["photo"] },
    { text: "", kinds: ["document"] },
  ]);
  const photosSent = (await running.journal()).filter(
    ({ method, status, request }) =>
      method === "POST /messages" && status === 200 && JSON.stringify(request).includes("Снимок"),
  );
  expect(photosSent).toHaveLength(1);
});

it("many series that wait for their turn at once print no warning", async () => {
  const warnings: string[] = [];
  const heard = (warning: Error) => warnings.push(`${warning.name}: ${warning.message}`);
  process.on("warning", heard);
  try {
    await running.database.sql`
      update delivery.channels set enabled = true, rate_rps = 0.5, route_filter = null where platform = 'max'`;
    const { message_id, queued } = await running.post({
      payload: {
        text: "Снимок и приложение",
        media: [
          { type: "photo", url: `${running.twinsUrl}/demo/lake.jpg` },
          { type: "document", url: `${running.twinsUrl}/demo/road.jpg` },
        ],
      },
    });
    expect(queued).toBeGreaterThan(10);
    await running.settled(message_id);
    expect(warnings).toEqual([]);
  } finally {
    process.off("warning", heard);
  }
});
