import { readCosts, readFailures, readLoad, readPanel } from "../../admin/panel.ts";
import { sourceNames } from "../../sources/index.ts";
import { botName } from "../bot-name.ts";
import { nameOf, priceOf } from "../money/packages.ts";
import { product } from "../money/selling.ts";
import { inStep, isAdmin, screen } from "../services.ts";
import { texts } from "../texts/index.ts";

export const panel = screen("admin", {
  to: [
    ...["admin:monitoring", "admin:costs:{days}", "admin:errors:{hours}", "admin:user", "admin:broadcast"],
    "admin:notices",
    "dashboard",
  ],
  async show(_, visit) {
    if (!isAdmin(visit)) return undefined;
    const { admin: say, common } = texts[visit.language];
    const { workspaceId, now, services, language } = visit;
    const { sql } = inStep(visit);
    const figures = await readPanel(sql, { workspaceId, product, now });
    const load = await readLoad(sql, { workspaceId, bot: botName, now });
    const { usdRub } = services.office;
    const lines = [
      say.panel.title,
      "",
      say.panel.users(figures.users, figures.users - figures.paid, figures.paid),
      say.panel.projects(figures.projects),
      say.panel.revenue(figures.revenueRub),
      say.panel.publications(figures.publications),
      say.panel.cost(figures.costUsd, figures.costUsd * usdRub),
      "",
      say.panel.tariffs,
      ...(figures.tariffs.length === 0
        ? [say.panel.none]
        : figures.tariffs.map((each) => `${nameOf(each.package)}: ${each.people}`)),
      "",
      say.panel.payments,
      ...(figures.payments.length === 0
        ? [say.panel.none]
        : figures.payments.map(({ name, package: code, amount, currency, at }) =>
            say.panel.payment(name ?? "?", nameOf(code), priceOf(amount, currency, language), at),
          )),
      "",
      say.panel.referrals(figures.referrals.invited, figures.referrals.payments, figures.referrals.tokens),
      "",
      load.failed > 0 || load.waits > slowSeconds ? say.panel.troubled : say.panel.well,
    ];
    return {
      text: lines.join("\n"),
      buttons: [
        [
          { label: say.panel.monitoring, to: "admin:monitoring" },
          { label: say.panel.broadcast, to: "admin:broadcast" },
        ],
        [
          { label: say.panel.user, to: "admin:user" },
          { label: say.panel.costs, to: "admin:costs:30" },
        ],
        [
          { label: say.panel.errors, to: "admin:errors:24" },
          { label: texts[language].notices.switches.open, to: "admin:notices" },
        ],
        [{ label: common.mainMenu, to: "dashboard" }],
      ],
    };
  },
});

/** A work that has waited for so long was not begun by anybody. */
const slowSeconds = 120;

export const monitoring = screen("admin:monitoring", {
  to: ["admin:monitoring", "admin:errors:{hours}", "admin"],
  async show(_, visit) {
    if (!isAdmin(visit)) return undefined;
    const { admin } = texts[visit.language];
    const say = admin.monitoring;
    const { workspaceId, now, services } = visit;
    const load = await readLoad(inStep(visit).sql, { workspaceId, bot: botName, now });
    const state = (on: boolean) => (on ? say.on : say.off);
    return {
      text: [
        say.title,
        "",
        say.runs(load.running, load.queued, load.waits),
        say.failed(load.failed),
        say.updates(load.updates),
        say.broken(load.brokenConnections, load.brokenSchedules),
        "",
        say.services,
        ...sourceNames.map((source) => `${source}: ${state(services.sources.isOn(source))}`),
        `${say.cards}: ${state(services.selling.cards !== undefined)}`,
      ].join("\n"),
      buttons: [
        [{ label: say.refresh, to: "admin:monitoring" }],
        [{ label: admin.panel.errors, to: "admin:errors:24" }],
        [{ label: admin.back, to: "admin" }],
      ],
    };
  },
});

const periods = [7, 30, 90] as const;

export const costs = screen("admin:costs:{days}", {
  to: ["admin:costs:{days}", "admin"],
  async show({ days }, visit) {
    if (!isAdmin(visit) || !periods.some((each) => each === days)) return undefined;
    const { admin } = texts[visit.language];
    const say = admin.costs;
    const { workspaceId, now, services } = visit;
    const rows = await readCosts(inStep(visit).sql, { workspaceId, days, now });
    const { usdRub } = services.office;
    const total = rows.reduce((sum, { usd }) => sum + usd, 0);
    return {
      text: [
        say.title(days),
        "",
        ...(rows.length === 0
          ? [say.none]
          : rows.map(({ provider, calls, usd }) => say.line(provider, calls, usd, usd * usdRub))),
        "",
        say.total(total, total * usdRub, usdRub),
      ].join("\n"),
      buttons: [
        periods.map((each) => ({
          label: each === days ? `• ${say.days(each)}` : say.days(each),
          to: `admin:costs:${each}`,
        })),
        [{ label: admin.back, to: "admin" }],
      ],
    };
  },
});

const spans = [24, 168] as const;
const shownFailures = 15;

export const errors = screen("admin:errors:{hours}", {
  to: ["admin:errors:{hours}", "admin"],
  async show({ hours }, visit) {
    if (!isAdmin(visit) || !spans.some((each) => each === hours)) return undefined;
    const { admin } = texts[visit.language];
    const say = admin.errors;
    const { workspaceId, now, language } = visit;
    const query = { workspaceId, hours, now, language };
    const failures = await readFailures(inStep(visit).sql, query, shownFailures);
    return {
      text: [
        say.title(hours),
        "",
        ...(failures.length === 0
          ? [say.none]
          : failures.map(({ at, user_id, what, code, message }) =>
              say.line(at, user_id, what, code, (message ?? "").slice(0, 150)),
            )),
      ].join("\n"),
      buttons: [
        spans.map((each) => ({
          label: each === hours ? `• ${say.spans[each]}` : say.spans[each],
          to: `admin:errors:${each}`,
        })),
        [{ label: admin.back, to: "admin" }],
      ],
    };
  },
});
