/** Looking at one person, and giving or taking tokens. */
import { z } from "zod";
import { adjust } from "../../../billing/index.ts";
import { Problem } from "../../../http/index.ts";
import { findPerson, readPersonCard } from "../../admin/person-card.ts";
import { inactivity } from "../limits.ts";
import { product } from "../money/selling.ts";
import { action, flow, inStep, isAdmin, screen } from "../services.ts";
import { both, texts } from "../texts/index.ts";

export const openLookup = action("admin:user", {
  to: ["flow:AdminUser"],
  act: (_, visit) => (isAdmin(visit) ? {} : undefined),
});

export const lookup = flow({
  name: "AdminUser",
  title: both((t) => t.admin.person.flow),
  data: z.object({}),
  empty: {},
  first: "user",
  rivals: "replace",
  inactivity,
  states: {
    user: {
      ask: both((t) => t.admin.person.ask),
      text: {
        to: "screen:admin:user:{id}",
        async take(turn, typed) {
          const say = texts[turn.language].admin.person;
          if (!isAdmin(turn)) return { refuse: say.unknown };
          const id = await findPerson(inStep(turn).sql, turn.workspaceId, typed);
          return id === undefined ? { refuse: say.unknown } : { to: `screen:admin:user:${id}` };
        },
      },
      buttons: { back: { label: both((t) => t.admin.back), to: "screen:admin" } },
      noCancel: true,
    },
  },
});

export const card = screen("admin:user:{id}", {
  to: ["admin:user:{id}:adjust", "admin:user", "admin"],
  async show({ id }, visit) {
    if (!isAdmin(visit)) return undefined;
    const { admin } = texts[visit.language];
    const say = admin.person;
    const { workspaceId } = visit;
    const person = await readPersonCard(inStep(visit).sql, { workspaceId, userId: id, product });
    if (!person) return undefined;
    return {
      text: [
        say.title(person.name ?? String(id), person.username),
        `id ${id}`,
        say.balance(person.balance),
        say.counts(person.projects, person.publications),
        say.paid(person.paid_rub),
        say.referred(person.referred),
        say.since(person.created_at, person.last_activity),
      ].join("\n"),
      buttons: [
        [{ label: say.adjust, to: `admin:user:${id}:adjust` }],
        [
          { label: say.another, to: "admin:user" },
          { label: admin.back, to: "admin" },
        ],
      ],
    };
  },
});

export const openAdjust = action("admin:user:{id}:adjust", {
  to: ["flow:AdminAdjust"],
  async act({ id }, visit) {
    if (!isAdmin(visit)) return undefined;
    const { workspaceId } = visit;
    const person = await readPersonCard(inStep(visit).sql, { workspaceId, userId: id, product });
    return person && { data: { id, name: person.name ?? String(id), balance: person.balance } };
  },
});

const most = 1_000_000;

export const adjustment = flow({
  name: "AdminAdjust",
  title: both((t) => t.admin.adjust.flow),
  data: z.object({
    id: z.int(),
    name: z.string(),
    balance: z.int(),
    tokens: z.int(),
    reason: z.string(),
    key: z.string(),
  }),
  empty: { id: 0, name: "", balance: 0, tokens: 0, reason: "", key: "" },
  first: "tokens",
  rivals: "replace",
  inactivity,
  states: {
    tokens: {
      ask: ({ name, balance }, language) => texts[language].admin.adjust.tokens(name, balance),
      text: {
        to: "reason",
        take({ language }, typed) {
          const text = typed.replace(/\s/g, "").replace("−", "-");
          const tokens = /^[+-]?\d{1,7}$/.test(text) ? Number(text) : 0;
          if (tokens === 0 || Math.abs(tokens) > most)
            return { refuse: texts[language].admin.adjust.notTokens };
          // One confirmation is one movement, however often it arrives.
          return { data: { tokens, key: crypto.randomUUID() } };
        },
      },
    },
    reason: {
      ask: both((t) => t.admin.adjust.reason),
      text: {
        to: "confirm",
        take({ language }, typed) {
          const reason = typed.trim();
          return reason.length >= 3 && reason.length <= 200
            ? { data: { reason } }
            : { refuse: texts[language].admin.adjust.notReason };
        },
      },
    },
    confirm: {
      ask: ({ name, tokens, reason, balance }, language) =>
        texts[language].admin.adjust.confirm(name, tokens, reason, balance),
      buttons: {
        yes: {
          label: both((t) => t.admin.adjust.yes),
          style: "success",
          to: ["screen:admin:user:{id}", "tokens"],
          async press(turn) {
            const say = texts[turn.language].admin;
            const { id, tokens, reason, key } = turn.data;
            if (!isAdmin(turn)) return { refuse: say.person.unknown };
            const by = { operator: `telegram ${turn.userId}`, reason };
            try {
              const change = { userId: id, tokens, key: `admin/${key}` };
              // What is refused undoes its own part of the step only.
              const { balance } = await turn.sql.savepoint((sql) =>
                adjust(inStep({ ...turn, sql }), turn.workspaceId, change, by),
              );
              return { to: `screen:admin:user:${id}`, notice: say.adjust.done(tokens, balance) };
            } catch (error) {
              if (!(error instanceof Problem)) throw error;
              return { to: "tokens", notice: say.adjust.refused };
            }
          },
        },
      },
    },
  },
});
