/**
 * The way of an article from its confirmation to the site, as the pipeline and the platform's menu share it: confirmed, planned if
 * wanted, ordered, written, looked at, published, written anew or cancelled.
 */
import type { Both, Button, State, StepContext, Target, Text } from "../../../dialogs/index.ts";
import type { BotServices } from "../services.ts";
import type { ArticleData } from "./article-data.ts";
import { orderStates } from "./order-states.ts";
import { planStates } from "./plan-states.ts";
import { publishStates } from "./publish-states.ts";
import { reviewStates } from "./review-states.ts";

export type ArticleTurn = StepContext<ArticleData, BotServices>;

/** The states that both flows have. */
export type ArticleName =
  | "confirm_cost"
  | "planning"
  | "plan"
  | "ordering"
  | "page_serves"
  | "other_phrase"
  | "generating"
  | "generation_failed"
  | "preview"
  | "expired"
  | "regenerating"
  | "regeneration_short"
  | "cancelling"
  | "taking"
  | "publishing_begins"
  | "publishing"
  | "publishing_failed"
  | "select_site";

export type ArticleButton<Extra extends string> = Button<ArticleData, ArticleName | Extra, BotServices>;
export type ArticleState<Extra extends string = never> = State<ArticleData, ArticleName | Extra, BotServices>;

/** In which the two flows differ. */
export interface ArticleWay<Extra extends string> {
  readonly headers: {
    readonly confirm: Both;
    readonly generating: Both<Text>;
    readonly preview: Both;
    readonly publishing: Both<Text>;
  };
  readonly create: Both;
  readonly retry: Both;
  /** Said when the text could not be written. */
  failure(returned: number): Both;
  /** Where phrases are found if there are none, and where another theme is chosen. */
  readonly phrases: ArticleButton<Extra>;
  readonly otherTheme: ArticleButton<Extra>;
  /** More ways on at the confirmation, and at a preview without a site. */
  readonly atConfirmation?: Readonly<Record<string, ArticleButton<Extra>>>;
  readonly atPreview?: Readonly<Record<string, ArticleButton<Extra>>>;
  /** Where the flow ends when nothing came of it. */
  readonly home: Target<never>;
  homeOf(data: ArticleData): Target<never>;
}

export function articleStates<Extra extends string>(
  way: ArticleWay<Extra>,
): Readonly<Record<ArticleName, ArticleState<Extra>>> {
  return { ...planStates, ...orderStates(way), ...reviewStates(way), ...publishStates(way) };
}
