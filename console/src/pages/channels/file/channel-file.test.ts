import { expect, test } from "vitest";
import type { Channel } from "../shapes.ts";
import { planOf, readFile, writeFile } from "./channel-file.ts";

const channel: Channel = {
  ...{
    channel_id: "c1",
    platform: "telegram",
    target_id: "-1001",
    target_name: "@news",
    allow_duplicate: false,
  },
  ...{
    title: "Новости",
    state: "active",
    paused_until: null,
    owner: null,
    auth_ref: "bot",
    has_credential: true,
  },
  ...{ rate_group: "bot", send_mode: "mixed", rate_rps: 1, max_parallel: 1, timezone: null },
  ...{
    window_mode: "immediate",
    posting_window: null,
    dedup_ttl_hours: 168,
    unknown_policy: "at_least_once",
  },
  ...{ max_age_seconds: null, on_stale: "drop", catchup: "paced", silence_after_seconds: null },
  ...{ pause_on_permanent_seconds: null, disable_after_permanent_streak: null, template_ref: null },
  ...{ settings: { silent: true, parse_mode: "HTML" }, tags: ["новости"], route_filter: null },
};

function planned(text: string) {
  const read = readFile(text);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return planOf(read.entries, [channel]);
}

test("what was exported changes nothing when it comes back", () => {
  expect(planned(writeFile([channel]))).toEqual({ added: [], changed: [], same: 1, unmentioned: [] });
});

test("only what the file says otherwise is changed, and null clears", () => {
  const plan = planned("channels:\n- {platform: telegram, target_id: '@news', title: null, rate_rps: 1}");
  expect(plan.changed.map(({ changes }) => changes)).toEqual([{ title: { from: "Новости", to: null } }]);
});

test("the order of settings means nothing", () => {
  const text =
    "channels:\n- {platform: telegram, target_id: -1001, settings: {parse_mode: HTML, silent: true}}";
  expect(planned(text)).toMatchObject({ changed: [], same: 1 });
});

test("a channel that nobody has is added, its number as written, and one that is not mentioned stays", () => {
  const plan = planned("channels:\n- {platform: max, target_id: -9007199254740993123, auth_ref: bot}");
  expect(plan.added).toMatchObject([{ platform: "max", target_id: "-9007199254740993123", auth_ref: "bot" }]);
  expect(plan.unmentioned).toEqual([channel]);
});

test.each([
  ["channels:\n- platform: telegram\n  target_id: -1\n  titel: Новости\n", 4, "unknown"],
  ["version: 1\nchannels: []\n", 1, "unknown"],
  ["channels:\n- platform: telegram\n", 2, "missing"],
  ["channels:\n- {platform: max, target_id: 1}\n- {platform: max, target_id: '1'}\n", 3, "twice"],
  ["channels: yes\n", 1, "shape"],
  ["- platform: telegram\n", 1, "shape"],
  ["channels:\n- platform: [\n", 3, "syntax"],
  ["channels:\n- platform: max\n  platform: vk\n  target_id: 1\n", 3, "syntax"],
])("%j is refused at line %i: %s", (text, line, kind) => {
  const read = readFile(text);
  expect(read.ok ? [] : read.faults).toContainEqual(expect.objectContaining({ line, kind }));
});
