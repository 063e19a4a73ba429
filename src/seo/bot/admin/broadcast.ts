/** Sending news: to whom, what, a look at it, then the sending itself with its progress. */
import { z } from "zod";
import {
  audiences,
  type Broadcast,
  beginBroadcast,
  broadcastUnderWay,
  countAudience,
  lastBroadcasts,
  readBroadcast,
  stopBroadcast,
} from "../../broadcasts/broadcasts.ts";
import { broadcastKey } from "../../broadcasts/send-broadcast.ts";
import { inactivity, keepHours } from "../limits.ts";
import { action, flow, inStep, isAdmin, screen } from "../services.ts";
import { both, type Texts, texts } from "../texts/index.ts";

/** Telegram's own limit, which is also the least that a person would read. */
const longest = 4_096;
const shown = 3;

/** One at a time: whoever comes meanwhile sees how far it is. */
export const openBroadcast = action("admin:broadcast", {
  to: ["flow:AdminBroadcast", "admin:broadcast:{id}"],
  async act(_, visit) {
    if (!isAdmin(visit)) return undefined;
    const present = await broadcastUnderWay(visit.sql, visit.workspaceId);
    if (present) return { to: `admin:broadcast:${present.id}` };
    const last = await lastBroadcasts(visit.sql, visit.workspaceId, shown);
    const { language } = visit;
    const say = texts[language].admin.broadcast;
    const before = last.map((each) => say.was(each.created_at, each.sent, each.recipients)).join("\n");
    return { to: "flow:AdminBroadcast", data: { before } };
  },
});

export const broadcast = flow({
  name: "AdminBroadcast",
  title: both((t) => t.admin.broadcast.flow),
  data: z.object({
    before: z.string(),
    audience: z.enum(audiences),
    counts: z.record(z.enum(audiences), z.int()),
    text: z.string(),
    id: z.int(),
  }),
  empty: {
    before: "",
    audience: "all",
    counts: { all: 0, active_7d: 0, active_30d: 0, paid: 0 },
    text: "",
    id: 0,
  },
  first: "audience",
  rivals: "replace",
  inactivity,
  // Whoever leaves while it is being sent is told when it has ended.
  keep: {
    hours: keepHours,
    when: (_, state) => state === "sending",
    ended: both((t) => t.admin.broadcast.ended),
  },
  states: {
    audience: {
      ask: ({ before }, language) => {
        const say = texts[language].admin.broadcast;
        return before === "" ? say.audience : `${say.audience}\n\n${say.before}\n${before}`;
      },
      prepare: {
        async take({ sql, workspaceId, now }) {
          const counts = { all: 0, active_7d: 0, active_30d: 0, paid: 0 };
          for (const each of audiences) counts[each] = await countAudience(sql, workspaceId, each, now);
          return { data: { counts } };
        },
      },
      buttons: {
        whom: {
          label: both((t) => t.admin.broadcast.flow),
          each: ({ counts }, language) =>
            audiences.map((arg) => ({
              arg,
              label: texts[language].admin.broadcast.audiences[arg](counts[arg]),
            })),
          to: ["text", "@stay"],
          press({ data, language }, arg) {
            const audience = audiences.find((each) => each === arg) ?? "all";
            return data.counts[audience] === 0
              ? { to: "@stay", notice: texts[language].admin.broadcast.nobody }
              : { to: "text", data: { audience } };
          },
        },
      },
    },
    text: {
      ask: both((t) => t.admin.broadcast.text),
      text: {
        to: "confirm",
        take({ language }, typed) {
          const text = typed.trim();
          return text.length >= 1 && text.length <= longest
            ? { data: { text } }
            : { refuse: texts[language].admin.broadcast.notText };
        },
      },
    },
    confirm: {
      ask: ({ audience, counts }, language) => {
        const say = texts[language].admin.broadcast;
        return say.confirm(say.names[audience], counts[audience]);
      },
      prepare: {
        // The message itself, exactly as people will get it; counted anew.
        async take({ sql, workspaceId, now, data }) {
          const count = await countAudience(sql, workspaceId, data.audience, now);
          return { data: { counts: { ...data.counts, [data.audience]: count } }, say: [data.text] };
        },
      },
      buttons: {
        yes: {
          label: ({ audience, counts }, language) => texts[language].admin.broadcast.send(counts[audience]),
          style: "success",
          to: ["sending", "screen:admin:broadcast:{id}"],
          async press({ sql, workspaceId, userId, now, services, data, ...turn }) {
            if (!isAdmin({ services, userId })) return { refuse: texts[turn.language].admin.person.unknown };
            const { audience, text } = data;
            const wanted = { workspaceId, byUser: Number(userId), audience, text };
            const id = await beginBroadcast(sql, services.office.broadcasts, wanted, now);
            if (id !== undefined) return { to: "sending", data: { id } };
            const present = await broadcastUnderWay(sql, workspaceId);
            return {
              to: `screen:admin:broadcast:${present?.id ?? 0}`,
              notice: texts[turn.language].admin.broadcast.busy,
            };
          },
        },
        edit: { label: both((t) => t.common.edit), to: "text" },
      },
    },
    sending: {
      ask: both((t) => t.admin.broadcast.sending),
      place: "edit",
      wait: {
        on: ({ id }) => broadcastKey(id),
        everyMs: 1_000,
        outcomes: { done: { to: "screen:admin:broadcast:{id}", take: report } },
        async look({ sql, workspaceId, data, language }) {
          const present = await readBroadcast(sql, workspaceId, data.id);
          if (present?.status !== "sending") return { outcome: "done" };
          return progressOf(present, texts[language]);
        },
      },
      buttons: {
        stop: {
          label: both((t) => t.admin.broadcast.stop),
          style: "danger",
          to: "screen:admin:broadcast:{id}",
          async press({ sql, workspaceId, now, data }) {
            await stopBroadcast(sql, workspaceId, data.id, now);
            return { to: `screen:admin:broadcast:${data.id}` };
          },
        },
        menu: {
          label: both((t) => t.admin.back),
          to: "screen:admin",
          press: () => ({ to: "screen:admin", keep: true }),
        },
      },
    },
  },
});

function report({ data: { id } }: { readonly data: { readonly id: number } }) {
  return { to: `screen:admin:broadcast:${id}` as const };
}

function progressOf({ recipients, left, ...rest }: Broadcast, { admin }: Texts): string {
  const say = admin.broadcast;
  return `${say.sending}\n\n${say.progress(recipients - left, recipients)}\n${say.figures(rest)}`;
}

export const broadcastReport = screen("admin:broadcast:{id}", {
  to: ["admin:broadcast:{id}", "admin:broadcast:{id}:stop", "admin:broadcast", "admin"],
  async show({ id }, visit) {
    if (!isAdmin(visit)) return undefined;
    const words = texts[visit.language];
    const say = words.admin.broadcast;
    const present = await readBroadcast(inStep(visit).sql, visit.workspaceId, id);
    if (!present) return undefined;
    const isOn = present.status === "sending";
    const { recipients, left } = present;
    return {
      text: isOn
        ? progressOf(present, words)
        : [
            present.status === "done" ? say.done : say.stopped,
            "",
            say.progress(recipients - left, recipients),
            say.figures(present),
          ].join("\n"),
      buttons: [
        isOn
          ? [
              { label: say.refresh, to: `admin:broadcast:${id}` },
              { label: say.stop, to: `admin:broadcast:${id}:stop`, style: "danger" },
            ]
          : [{ label: say.another, to: "admin:broadcast" }],
        [{ label: words.admin.back, to: "admin" }],
      ],
    };
  },
});

export const stop = action("admin:broadcast:{id}:stop", {
  to: ["admin:broadcast:{id}"],
  async act({ id }, visit) {
    if (!isAdmin(visit)) return undefined;
    await stopBroadcast(visit.sql, visit.workspaceId, id, visit.now);
    return { to: `admin:broadcast:${id}` };
  },
});
