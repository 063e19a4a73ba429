import fc from "fast-check";

/** One operation on the books. It is requested `times` times at once, as providers and double taps do. */
export type LedgerOperation = {
  readonly user: number;
  readonly tokens: number;
  /** Which of the work, the sales or the payments that this process has begun, if any. */
  readonly pick: number;
  readonly times: number;
  /** After how many of its statements the connection breaks, the first time; never if there are fewer. */
  readonly dieAfter: number;
  readonly kind:
    | "article"
    | "regenerate"
    | "lower"
    | "publish"
    | "cancel"
    | "publish_or_cancel"
    | "drop_images"
    | "abandon"
    | "give_back_lost"
    | "charge"
    | "refund"
    | "credit"
    | "adjust"
    | "stars_offer"
    | "stars_charge"
    | "stars_back"
    | "card_offer"
    | "card_moves"
    | "card_notice"
    | "card_renew"
    | "card_switch";
};

/** How often each is done: work most of all, money enough to pay for it. */
const weights: Record<LedgerOperation["kind"], number> = {
  article: 18,
  regenerate: 4,
  lower: 8,
  publish: 8,
  cancel: 5,
  publish_or_cancel: 4,
  drop_images: 3,
  abandon: 3,
  give_back_lost: 2,
  charge: 10,
  refund: 3,
  credit: 3,
  adjust: 4,
  stars_offer: 4,
  stars_charge: 8,
  stars_back: 2,
  card_offer: 5,
  card_moves: 9,
  card_notice: 14,
  card_renew: 3,
  card_switch: 2,
};

const kind = fc.oneof(
  ...Object.entries(weights).map(([name, weight]) => ({
    weight,
    arbitrary: fc.constant(name as LedgerOperation["kind"]),
  })),
);

/** Few people, so that everybody meets at the same accounts. */
export const people = 6;

export const ledgerOperation: fc.Arbitrary<LedgerOperation> = fc.record({
  kind,
  user: fc.integer({ min: 1, max: people }),
  tokens: fc.integer({ min: 1, max: 400 }),
  pick: fc.nat(1_000),
  times: fc.constantFrom(1, 1, 1, 2, 3),
  dieAfter: fc.constantFrom(0, 1, 2, 3, 9, 9, 9, 9, 9, 9),
});
