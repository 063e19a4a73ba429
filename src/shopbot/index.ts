/** The shop bot: answers customers in MAX by rules, and hands over to people. */
export { botProblems } from "./admin/problems.ts";
export { botChanges, changeBot, newBot, readBot, renewSecret, setUpBot } from "./admin/setup.ts";
export { answerCustomer, returnChat, takeChat } from "./admin/talk.ts";
export { tryMessage } from "./admin/try.ts";
export { demoShop } from "./demo/names.ts";
export { seedWithRules } from "./demo/rules-sql.ts";
export { seedShopBot } from "./demo/seed.ts";
export { shopbot } from "./module.ts";
export { forgetOldDialogues, lookAtBot, watchBots } from "./monitor/monitor.ts";
export { type ShopBotParts, shopBotParts } from "./parts.ts";
export { type DialogueSummary, type DialogueView, listDialogues, readDialogue } from "./read/dialogues.ts";
export type { QuestionGroup } from "./read/similar.ts";
export { botStats } from "./read/stats.ts";
export { unanswered } from "./read/unanswered.ts";
export { shopBotRoutes } from "./routes.ts";
export { type Check, checkFile, replayFile, testFile } from "./rules/check.ts";
export type { RuleDiff } from "./rules/diff.ts";
export { ruleEntry } from "./rules/file-shape.ts";
export { ruleOfText } from "./rules/read-rule.ts";
export {
  applyFile,
  currentFile,
  type Release,
  releaseFile,
  releasePage,
  rollBack,
} from "./rules/releases.ts";
export type { Replay } from "./rules/replay.ts";
export { activateRule, listRules, readRule, removeRule, ruleVersions, saveRule } from "./rules/rules.ts";
export { keepSubscribed } from "./subscription/keep-subscribed.ts";
export { createSubscriptionKeeper } from "./subscription/keeper.ts";
export { createReplyCompiler } from "./work/compile-reply.ts";
export type { RuleRow } from "./work/load-bot.ts";
export { createShopBot } from "./work/shop-bot.ts";
