/** What an article would be and cost, before it is ordered. */
import type { Language, StepContext } from "../../../dialogs/index.ts";
import { inTurn } from "../../articles/choose-cluster.ts";
import { readCategory } from "../../categories/categories.ts";
import { readConnection } from "../../connections/connections.ts";
import { estimateWork } from "../../estimates/estimate.ts";
import { readProject } from "../../projects/projects.ts";
import { type BotServices, inStep, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import type { ArticleData, Confirmation } from "./article-data.ts";

/** Undefined if the project, the category or the site was deleted meanwhile. */
export function readConfirmation(
  turn: StepContext<ArticleData, BotServices>,
): Promise<Confirmation | undefined> {
  const { projectId, categoryId, connectionId, phrase } = turn.data;
  const services = inStep(turn);
  const { sql } = services;
  const whose = whoseOf(turn);
  return ifFound(async () => {
    const project = await readProject(sql, whose, projectId);
    const category = await readCategory(sql, whose, categoryId);
    const site = connectionId === null ? null : await readConnection(sql, whose, connectionId);
    const estimate = await estimateWork(services, whose, categoryId);
    const [next = null] = await inTurn(turn.sql, whose, categoryId, turn.now);
    const lacking = estimate.missing.find(({ what }) => what === "phrases" || what === "article_phrases");
    return {
      ...{ project: project.name, site: site?.identifier ?? null, category: category.name },
      ...{ clusters: category.clusters, phrase: phrase === "" ? next : phrase, images: estimate.images },
      ...{ minutes: estimate.minutes, balance: estimate.balance },
      ...{ about: estimate.tokens.about, most: estimate.tokens.to },
      ...{ isFree: estimate.is_free, lacking: lacking?.message ?? null },
    };
  });
}

/** Whether the tokens do not suffice, as far as is known. */
export function isShort({ confirmation, needed }: ArticleData): boolean {
  return (
    confirmation !== null &&
    !confirmation.isFree &&
    confirmation.balance < Math.max(confirmation.about, needed)
  );
}

export function confirmationText(header: string, data: ArticleData, language: Language): string {
  const say = texts[language].articles.confirm;
  const { confirmation: given, planId, update, needed } = data;
  if (!given) return header;
  if (given.lacking) return `${header}\n\n${given.lacking[language]}`;
  const { balance, about } = given;
  const short = isShort(data);
  const held = given.isFree || short ? 0 : Math.min(given.most, balance);
  const paid = short
    ? [balance < 0 ? say.debt(balance) : say.short(Math.max(about, needed), balance), say.topUpFirst]
    : [say.ask];
  return [
    header,
    "",
    say.place(given.project, given.site),
    say.theme(given.category),
    ...(given.phrase === null ? [] : [say.phrase(given.phrase, given.clusters)]),
    ...(update === "" ? [] : [say.update(update)]),
    ...(planId === "" ? [] : [say.planned]),
    say.images(given.images),
    say.time(given.minutes.from, given.minutes.to),
    given.isFree ? say.free(about) : say.cost(about),
    say.balance(balance),
    ...(held > about ? [say.held(held)] : []),
    "",
    ...paid,
  ].join("\n");
}
