import type { Command } from "commander";
import type { AddCommand, Terminal } from "../../terminal/index.ts";
import { addArticles } from "./article.ts";
import { addAudits } from "./audit.ts";
import { addCategories } from "./category.ts";
import { addCompetitors } from "./competitor.ts";
import { addConnections } from "./connection.ts";
import { addEstimate } from "./estimate.ts";
import { addHistory } from "./history.ts";
import { addImages } from "./image.ts";
import { addImport } from "./import.ts";
import { addKeywords } from "./keywords.ts";
import { addMediaCommands } from "./media.ts";
import { addPosts } from "./post.ts";
import { addPrices } from "./price.ts";
import { addProjects } from "./project.ts";
import { addRanks } from "./rank.ts";
import { addRefresh } from "./refresh.ts";
import { addRun } from "./run.ts";
import { addSchedulePlan, addSchedules } from "./schedule.ts";
import { addScore } from "./score.ts";
import { addSettings } from "./settings.ts";
import { addStyles } from "./style.ts";
import { addTexts } from "./text.ts";
import { addUsers } from "./user.ts";

/** A subcommand of `molva seo`. */
export type AddSeoCommand = (seo: Command, terminal: Terminal) => void;

const commands: readonly AddSeoCommand[] = [
  addUsers,
  addProjects,
  addCategories,
  addKeywords,
  addArticles,
  addPosts,
  addImages,
  addPrices,
  addSettings,
  addConnections,
  addSchedules,
  addSchedulePlan,
  addHistory,
  addRanks,
  addRefresh,
  addRun,
  addScore,
  addStyles,
  addTexts,
  addMediaCommands,
  addCompetitors,
  addAudits,
  addEstimate,
  addImport,
];

/** `molva seo …`: everything that SEO Master does, without its bot. */
export const addSeo: AddCommand = (program, terminal) => {
  const command = program
    .command("seo")
    .description("businesses, keywords, articles and posts of SEO Master");
  for (const add of commands) add(command, terminal);
};
