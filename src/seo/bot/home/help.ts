import { listPrices, tokensFor } from "../../../billing/index.ts";
import { usualCost } from "../../estimates/outlook.ts";
import { inStep, screen } from "../services.ts";
import { texts } from "../texts/index.ts";

const topics = ["connect", "project", "categories", "publishing"] as const;

export const help = screen("help", {
  commands: ["help"],
  waitsForFlow: true,
  to: ["help:{@topic}", "support", "dashboard"],
  show(_, { language, services }) {
    const { home, common } = texts[language];
    const say = home.help;
    return {
      text: say.text,
      buttons: [
        ...topics.map((topic) => [{ label: say.topics[topic], to: `help:${topic}` }]),
        services.support === undefined ? [] : [{ label: home.settings.support, to: "support" }],
        [{ label: common.mainMenu, to: "dashboard" }],
      ],
    };
  },
});

/** Where to go after reading. */
const doors = {
  connect: "page:projects:1",
  project: "project:new",
  categories: "page:projects:1",
  publishing: "pipeline:article:start",
} as const satisfies Record<(typeof topics)[number], string>;

export const helpTopic = screen("help:{@topic}", {
  to: ["page:projects:{page}", "project:new", "pipeline:article:start", "help", "dashboard"],
  async show({ topic: wanted }, visit) {
    const topic = topics.find((each) => each === wanted);
    if (!topic) return undefined;
    const { home, common } = texts[visit.language];
    const say = home.help;
    const prices = await listPrices(inStep(visit).sql, visit.workspaceId);
    const price = (operation: string) => tokensFor(prices, operation, 1);
    const costs = {
      ...usualCost,
      keyword: price("keyword_generation"),
      description: price("description"),
      image: price("image_generation"),
      crossPost: price("cross_post"),
    };
    return {
      text: `${say.topics[topic]}\n\n${say.about[topic](costs)}`,
      buttons: [
        [{ label: say.doors[topic], to: doors[topic], style: "primary" }],
        [
          { label: say.back, to: "help" },
          { label: common.mainMenu, to: "dashboard" },
        ],
      ],
    };
  },
});
