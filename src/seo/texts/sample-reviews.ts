/** A model's reviews, put right: their number, ratings and dates. All of it is pure. */
import type { ReviewsAnswer } from "../answers/index.ts";
import type { Review } from "../categories/shape.ts";

export const reviewQuantities = [3, 5, 10] as const;

/** Of a hundred reviews, so many have this rating. */
const shares = [
  { rating: 5, percent: 60 },
  { rating: 4, percent: 25 },
  { rating: 3, percent: 15 },
] as const;
/** Six months. */
const days = 182;
const dayMs = 86_400_000;

export function sampleReviews({ reviews }: ReviewsAnswer, quantity: number, now: Date): Review[] {
  const usable = reviews
    .map((review) => ({ ...review, author: review.author.trim(), text: review.text.trim() }))
    .filter(({ author, text }) => author !== "" && text !== "")
    .slice(0, quantity);
  const ratings = ratingsOf(usable.length);
  // The best text gets the best rating, so that the words and the stars agree.
  const byRating = usable
    .map((review, index) => ({ rating: review.rating, index }))
    .toSorted((one, other) => other.rating - one.rating || one.index - other.index);
  const ratingAt = new Map(byRating.map(({ index }, place) => [index, ratings[place] ?? 5]));
  const taken = new Set<string>();
  return usable.map((review, index) => {
    const date = dateOf(review.date, now, taken) ?? spreadDate(index, usable.length, now, taken);
    taken.add(date);
    return {
      ...{ author: review.author.slice(0, 100), date, rating: ratingAt.get(index) ?? 5 },
      ...{ text: review.text.slice(0, 2_000), sample: true },
      ...{ pros: review.pros.trim().slice(0, 1_000), cons: review.cons.trim().slice(0, 1_000) },
    };
  });
}

/** So many ratings, the best first: 60 % five, 25 % four, 15 % three, by the largest remainders. */
export function ratingsOf(count: number): number[] {
  const exact = shares.map(({ rating, percent }) => ({ rating, wanted: (count * percent) / 100 }));
  const whole = new Map<number, number>(exact.map(({ rating, wanted }) => [rating, Math.floor(wanted)]));
  const rest = count - [...whole.values()].reduce((sum, each) => sum + each, 0);
  const byRemainder = exact.toSorted((one, other) => (other.wanted % 1) - (one.wanted % 1));
  for (const { rating } of byRemainder.slice(0, rest)) whole.set(rating, (whole.get(rating) ?? 0) + 1);
  return [...whole].flatMap(([rating, times]) => Array.from({ length: times }, () => rating));
}

/** The date as it was given, if it is one of the last six months and nobody else has it. */
function dateOf(given: string, now: Date, taken: ReadonlySet<string>): string | undefined {
  const time = /^\d{4}-\d\d-\d\d$/.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(time) || isoDate(time) !== given || taken.has(given)) return undefined;
  return time <= now.getTime() && time >= now.getTime() - days * dayMs ? given : undefined;
}

/** A date of its own in the last six months, spread evenly; the next free day before it if it is taken. */
function spreadDate(index: number, count: number, now: Date, taken: ReadonlySet<string>): string {
  const first = 1 + Math.floor((index * (days - 12)) / count);
  const free = Array.from({ length: 11 }, (_, more) => isoDate(now.getTime() - (first + more) * dayMs));
  return free.find((date) => !taken.has(date)) ?? isoDate(now.getTime() - first * dayMs);
}

const isoDate = (time: number) => new Date(time).toISOString().slice(0, 10);
