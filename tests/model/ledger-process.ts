import assert from "node:assert/strict";
import { returnLostHolds } from "../../src/billing/books/lost-holds.ts";
import { refusalOf } from "../../src/billing/index.ts";
import type { Sql } from "../../src/kernel/db/index.ts";
import { cardsSold } from "./ledger-cards.ts";
import { dyingConnections, type Place, picked, type Statement } from "./ledger-connections.ts";
import * as model from "./ledger-model.ts";
import type { LedgerOperation } from "./ledger-operation.ts";
import { starsSold } from "./ledger-stars.ts";

export interface LedgerProcess {
  /** How often its connections died, by themselves or by somebody else. */
  deaths(): number;
  does(operation: LedgerOperation): Promise<void>;
  /** Throws unless every payment by card has become what was told of it. */
  checksPayments(): Promise<void>;
}

/**
 * One process at work: its runs and payments are its own, the people are shared. A request without an answer because a
 * connection broke is repeated with the same key, as products do.
 */
export function ledgerProcess(open: () => Sql, place: Place): LedgerProcess {
  const { workspaceId, name, books } = place;
  const runs: model.Run[] = [];
  const connections = dyingConnections(open);
  const { answered, together } = connections;
  const stars = starsSold(connections, place);
  const cards = cardsSold(connections, place);
  let works = 0;

  const holding = (
    run: model.Run,
    step: string,
    operation: string,
    tokens: number,
    at = new Date(),
  ): Statement => {
    return (tx) => tx<{ answer: number }[]>`
      select billing.hold(${workspaceId}, ${run.user}, ${tokens}, ${run.id}, ${step}, ${operation}, null, ${at}) as answer`;
  };
  const articleOf = (run: model.Run, tokens: number, at?: Date): Statement[] => [
    holding(run, "text", "text_generation", tokens, at),
    holding(run, "images", "image_generation", 30, at),
  ];
  const aRun = (user: number): model.Run => {
    works += 1;
    return { id: `${name}-${works}`, user, steps: [] };
  };
  const openRuns = () => runs.filter(({ steps }) => steps.some(({ state }) => state === "held"));
  const key = () => {
    works += 1;
    return `${name}-${works}`;
  };

  async function does(operation: LedgerOperation): Promise<void> {
    const { user, tokens, pick } = operation;
    const run = picked(openRuns(), pick);
    switch (operation.kind) {
      case "article": {
        const begun = aRun(user);
        if (!(await together(articleOf(begun, tokens), operation))) return;
        model.hold(books, begun, { name: "text", operation: "text_generation", amount: tokens });
        model.hold(books, begun, { name: "images", operation: "image_generation", amount: 30 });
        runs.push(begun);
        return;
      }
      case "abandon": {
        // Begun long ago, so that the job may find it: what it holds comes back, and a repetition may come later than that.
        const begun = articleOf(aRun(user), tokens, new Date(Date.now() - 2 * 3_600_000));
        await together(begun, operation).catch((error: unknown) => {
          if (refusalOf(error)?.code !== "hold_ended") throw error;
        });
        return;
      }
      case "regenerate": {
        if (!run) return;
        const step = `again-${run.steps.length}`;
        const held = await together([holding(run, step, "text_generation", tokens)], operation);
        if (held) model.hold(books, run, { name: step, operation: "text_generation", amount: tokens });
        return;
      }
      case "lower": {
        const step = run?.steps.find(({ state }) => state === "held");
        if (!run || !step) return;
        const amount = 1 + (tokens % step.amount);
        await together(
          [
            (tx) => tx<{ answer: number }[]>`
              select billing.lower_hold(${workspaceId}, ${run.id}, ${step.name}, ${amount}) as answer`,
          ],
          operation,
        );
        model.lower(books, run, step, amount);
        return;
      }
      case "publish":
      case "cancel": {
        if (!run) return;
        const state = operation.kind === "publish" ? "settled" : "returned";
        const answers = await together([ending(run, state)], operation);
        assert.deepEqual(answers, [model.end(books, run, state)]);
        return;
      }
      case "publish_or_cancel": {
        if (!run || run.steps.some(({ state }) => state !== "held")) return;
        const [settled, returned] = await Promise.all([
          together([ending(run, "settled")], operation),
          together([ending(run, "returned")], operation),
        ]);
        // Both may end a part of the steps; together they end all of them.
        for (const step of run.steps) {
          const [row] = await answeredRows<{ state: "settled" | "returned" }>(
            (sql) => sql`
              select state from billing.holds
              where workspace_id = ${workspaceId} and run = ${run.id} and step = ${step.name}`,
          );
          model.end(books, run, row?.state === "settled" ? "settled" : "returned", step);
        }
        const sum = (state: string) =>
          run.steps.filter((step) => step.state === state).reduce((all, { amount }) => all + amount, 0);
        // A repetition may be answered before the other side has ended its part.
        assert.ok(Number(settled?.[0]) <= sum("settled"));
        assert.ok(Number(returned?.[0]) <= sum("returned"));
        return;
      }
      case "drop_images": {
        const step = run?.steps.find((each) => each.name === "images" && each.state === "held");
        if (!run || !step) return;
        const answers = await together(
          [
            (tx) => tx<{ answer: number }[]>`
              select billing.return_hold(${workspaceId}, ${run.id}, ${step.name}, 'no pictures') as answer`,
          ],
          operation,
        );
        assert.deepEqual(answers, [model.end(books, run, "returned", step)]);
        return;
      }
      case "give_back_lost":
        await answered((sql) => returnLostHolds(sql, new Date()));
        return;
      case "charge": {
        const done = await together(
          [keyed("charge_balance", user, tokens, "competitor_analysis", key())],
          operation,
        );
        if (done) model.move(books, user, -tokens, "done");
        return;
      }
      case "refund":
        await together([keyed("refund_balance", user, tokens, "text_generation", key())], operation);
        model.move(books, user, tokens, "done");
        return;
      case "credit":
        await together([keyed("credit_balance", user, tokens, "referral_bonus", key())], operation);
        model.move(books, user, tokens, "referral");
        return;
      case "adjust": {
        const amount = pick % 2 === 0 ? tokens : -tokens;
        const under = key();
        const done = await together(
          [
            (tx) => tx<{ answer: number }[]>`
              select billing.adjust(${workspaceId}, ${user}, ${amount}, 'model', 'проверка', ${under}) as answer`,
          ],
          operation,
        );
        if (done) model.move(books, user, amount, "adjustments");
        return;
      }
      case "stars_offer":
        return stars.offer(operation);
      case "stars_charge":
        return stars.charge(operation);
      case "stars_back":
        return stars.giveBack(operation);
      case "card_offer":
        return cards.offer(operation);
      case "card_moves":
        return cards.move(operation);
      case "card_notice":
        return cards.tell(operation);
      case "card_renew":
        return cards.renew(operation);
      case "card_switch":
        return cards.switchRecurring(operation);
    }
  }

  const ending = (run: model.Run, state: "settled" | "returned"): Statement => {
    const name = state === "settled" ? "billing.settle_run" : "billing.return_run";
    return (tx) => tx<{ answer: number }[]>`select ${tx(name)}(${workspaceId}, ${run.id}, 'model') as answer`;
  };
  const keyed =
    (name: string, user: number, tokens: number, operation: string, under: string): Statement =>
    (tx) =>
      tx<{ answer: number }[]>`
      select ${tx(`billing.${name}`)}(${workspaceId}, ${user}, ${tokens}, ${operation}, ${under}) as answer`;
  const answeredRows = async <Row>(ask: (sql: Sql) => PromiseLike<readonly object[]>) =>
    ((await answered(ask)) ?? []) as readonly Row[];

  return { does, checksPayments: cards.check, deaths: connections.deaths };
}
