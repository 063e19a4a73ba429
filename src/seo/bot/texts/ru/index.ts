import { admin } from "./admin.ts";
import { analysis } from "./analysis.ts";
import { articles } from "./articles.ts";
import { autopublish } from "./autopublish.ts";
import { categories } from "./categories.ts";
import { common } from "./common.ts";
import { connections } from "./connections.ts";
import { content } from "./content.ts";
import { engine } from "./engine.ts";
import { home } from "./home.ts";
import { keywords } from "./keywords.ts";
import { money } from "./money.ts";
import { notices } from "./notices.ts";
import { posts } from "./posts.ts";
import { projects } from "./projects.ts";
import { removal } from "./removal.ts";
import { runs } from "./runs.ts";
import { schedule } from "./schedule.ts";

export const ru = {
  common,
  engine,
  runs,
  removal,
  home,
  projects,
  categories,
  keywords,
  content,
  connections,
  articles,
  posts,
  schedule,
  autopublish,
  analysis,
  money,
  admin,
  notices,
};
