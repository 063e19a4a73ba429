/** Whether a post is an advert: asked once, before it is published. */
import type { AskState } from "../../../dialogs/index.ts";
import { keepMarking, markingLine, parseMarking, projectMarking } from "../../adverts/index.ts";
import { goneHome } from "../categories/gone.ts";
import { type BotServices, inStep, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import type { PostData } from "./post-data.ts";

type Name = "advert_kind" | "advert_details" | "handing_over";

interface AdvertStates {
  readonly advert_kind: AskState<PostData, Name, BotServices>;
  readonly advert_details: AskState<PostData, Name, BotServices>;
}

export const advertStates: AdvertStates = {
  advert_kind: {
    ask: ({ marking }, language) => {
      const say = texts[language].posts.advert;
      return marking === null ? say.kind : `${say.kind}\n\n${say.known(marking)}`;
    },
    prepare: {
      async take(turn) {
        const marking = await projectMarking(inStep(turn).sql, whoseOf(turn), turn.data.projectId);
        return { data: { marking: marking ? markingLine(marking) : null } };
      },
    },
    buttons: {
      advert: {
        label: both((t) => t.posts.advert.advert),
        row: 1,
        to: ["handing_over", "advert_details"],
        press: ({ data }) =>
          data.marking === null ? { to: "advert_details" } : { to: "handing_over", data: { kind: "advert" } },
      },
      information: {
        label: both((t) => t.posts.advert.information),
        row: 1,
        to: "handing_over",
        press: () => ({ data: { kind: "information" } }),
      },
      change: {
        label: both((t) => t.posts.advert.change),
        when: ({ marking }) => marking !== null,
        to: "advert_details",
      },
    },
  },
  advert_details: {
    ask: both((t) => t.posts.advert.details),
    text: {
      to: ["handing_over", "screen:dashboard"],
      async take(turn, typed) {
        const read = parseMarking(typed);
        if (!read.ok) return { refuse: read.said[turn.language] };
        const kept = await ifFound(async () => {
          await keepMarking(inStep(turn), whoseOf(turn), turn.data.projectId, read.marking);
          return true;
        });
        if (!kept) return goneHome(turn);
        const notice = texts[turn.language].posts.advert.kept;
        return { to: "handing_over", data: { kind: "advert" }, notice };
      },
    },
  },
};
