import type { Language } from "../../../dialogs/index.ts";
import { cut } from "../../../kernel/words/index.ts";
import type { Review } from "../../categories/shape.ts";
import { texts } from "../texts/index.ts";

/** All of them together fit into a message with what stands around them. */
const longest = 3_300;

/** Reviews as they are read in a chat, each as long as there is room for. */
export function reviewTexts(reviews: readonly Review[], language: Language): string {
  const room = Math.floor(longest / Math.max(1, reviews.length)) - 4;
  return reviews
    .map((review) => {
      const whole = reviewText(review, language);
      return whole.length > room ? `${cut(whole, room - 1)}…` : whole;
    })
    .join("\n\n");
}

function reviewText({ author, date, rating, text, pros, cons }: Review, language: Language): string {
  const say = texts[language].categories.reviews;
  const day = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(
    new Date(date),
  );
  return [
    `${"★".repeat(rating)} ${author}, ${day}`,
    text,
    ...(pros === "" ? [] : [say.pros(pros)]),
    ...(cons === "" ? [] : [say.cons(cons)]),
  ].join("\n");
}
