/** What the pipeline of posts remembers, besides the post itself. */
import { z } from "zod";
import { noPinterest, pinterestAnswers } from "../connections/connect-pinterest.ts";
import { noTelegram, telegramAnswers } from "../connections/connect-telegram.ts";
import { noVk, vkAnswers } from "../connections/connect-vk.ts";
import { nothingPrepared, preparedData } from "../pipeline/prepared-data.ts";
import { noPost, postData } from "./post-data.ts";

export const pipelineData = z.object({
  ...{ ...postData.shape, ...preparedData.shape },
  ...{ ...telegramAnswers.shape, ...vkAnswers.shape, ...pinterestAnswers.shape },
  hasDescription: z.boolean(),
  /** The connection gets another account. */
  isReconnecting: z.boolean(),
});
export type PipelineData = z.infer<typeof pipelineData>;

export const noPipeline: PipelineData = {
  ...{ ...noPost, ...nothingPrepared, ...noTelegram, ...noVk, ...noPinterest },
  ...{ hasDescription: false, isReconnecting: false },
};
