/** Scores an article without a model: 0 to 100 in five dimensions, every point explained. */
export { type ScoreInput, usualWords } from "./input.ts";
export {
  type CheckId,
  type Dimension,
  dimensions,
  figures,
  type Gate,
  gateOf,
  gates,
  points,
} from "./points.ts";
export { type ArticleText, type Block, readArticle, readTree } from "./read-article.ts";
export { type ScoreRouteDeps, scoreRoutes } from "./routes.ts";
export { type Score, type ScoredCheck, type ScoreWarning, scoreArticle } from "./score.ts";
