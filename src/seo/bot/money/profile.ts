import { movementPage } from "../../../billing/index.ts";
import { readOutlook } from "../../estimates/outlook.ts";
import { readUser, setNotifications } from "../../people/people.ts";
import { action, type BotVisit, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";

export const profile = screen("profile", {
  to: ["tariffs", "profile:history", "profile:referral", "profile:notifications", "dashboard"],
  async show(_, visit) {
    const { money, common } = texts[visit.language];
    const say = money.profile;
    const { sql } = inStep(visit);
    const user = await readUser(sql, whoseOf(visit));
    const outlook = await readOutlook(sql, whoseOf(visit));
    const { balance, perWeek } = outlook;
    const name = [user.first_name, user.last_name].filter(Boolean).join(" ") || (user.username ?? "");
    const lines = [
      say.title(name),
      "",
      say.balance(balance),
      say.enough(outlook.articlesLeft),
      ...(balance < 0 ? [say.debt(balance)] : []),
      say.counts(outlook.projects, outlook.categories),
      say.published(outlook.publications, outlook.schedules),
      perWeek > 0 ? say.forecast(perWeek, outlook.perMonth) : say.noForecast,
      ...(outlook.runsOut ? [say.runsOut] : []),
      "",
      say.next,
    ];
    return {
      text: lines.join("\n"),
      buttons: [
        [{ label: say.topUp, to: "tariffs", style: "primary" }],
        [{ label: say.history, to: "profile:history" }],
        [{ label: say.referral, to: "profile:referral" }],
        [{ label: say.notifications, to: "profile:notifications" }],
        [{ label: common.mainMenu, to: "dashboard" }],
      ],
    };
  },
});

const kinds = ["all", "spent", "bought", "returned"] as const;
type Kind = (typeof kinds)[number];
const shown = 20;
const weekMs = 7 * 86_400_000;

const historyTo = ["profile:history:{@kind}", "profile", "dashboard"];

export const history = screen("profile:history", {
  to: historyTo,
  show: (_, visit) => showHistory("all", visit),
});

export const historyOf = screen("profile:history:{@kind}", {
  to: historyTo,
  async show({ kind }, visit) {
    const known = kinds.find((each) => each === kind);
    return known && showHistory(known, visit);
  },
});

async function showHistory(kind: Kind, visit: BotVisit) {
  const { money, common } = texts[visit.language];
  const say = money.history;
  const { sql } = inStep(visit);
  const { workspaceId, userId } = whoseOf(visit);
  const { items } = await movementPage(sql, workspaceId, userId, {
    limit: shown,
    ...(kind !== "all" && { kind }),
  });
  // On works, less what was returned of them.
  const [week] = await sql<[{ spent: number }]>`
    select greatest(0, -coalesce(sum(e.amount), 0))::int as spent from billing.token_expenses e
    where e.workspace_id = ${workspaceId} and e.user_id = ${userId} and e.call_id is null
      and e.run is not null and e.created_at > ${new Date(visit.now.getTime() - weekMs)}`;
  const lines = items.map(({ created_at, amount, operation_type }) =>
    say.line(created_at, amount, operation_type),
  );
  const key = (each: Kind) => ({
    label: each === kind ? `• ${say.kinds[each]}` : say.kinds[each],
    to: `profile:history:${each}`,
  });
  return {
    text: [
      `${say.title}: ${say.kinds[kind]}`,
      "",
      ...(lines.length === 0 ? [say.empty] : lines),
      "",
      say.week(week.spent),
      say.next,
    ].join("\n"),
    buttons: [
      [key("all"), key("spent")],
      [key("bought"), key("returned")],
      [
        { label: common.toProfile, to: "profile" },
        { label: common.mainMenu, to: "dashboard" },
      ],
    ],
  };
}

export const notifications = screen("profile:notifications", {
  to: ["profile:notify:{@kind}", "profile", "settings", "dashboard"],
  async show(_, visit) {
    const { money, common } = texts[visit.language];
    const say = money.notifications;
    const user = await readUser(inStep(visit).sql, whoseOf(visit));
    return {
      text: say.text,
      buttons: [
        [{ label: say.publications(user.notify_publications), to: "profile:notify:publications" }],
        [{ label: say.balance(user.notify_balance), to: "profile:notify:balance" }],
        [{ label: say.news(user.notify_news), to: "profile:notify:news" }],
        [
          { label: common.toProfile, to: "profile" },
          { label: say.toSettings, to: "settings" },
        ],
        [{ label: common.mainMenu, to: "dashboard" }],
      ],
    };
  },
});

const switches = {
  publications: "notify_publications",
  balance: "notify_balance",
  news: "notify_news",
} as const;

export const notify = action("profile:notify:{@kind}", {
  to: ["profile:notifications"],
  async act({ kind }, visit) {
    const name = Object.entries(switches).find(([each]) => each === kind)?.[1];
    if (!name) return undefined;
    const deps = inStep(visit);
    const user = await readUser(deps.sql, whoseOf(visit));
    await setNotifications(deps, whoseOf(visit), { [name]: !user[name] });
    return {};
  },
});
