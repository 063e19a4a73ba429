/** Which providers are asked where. A new step or work that asks one, or an example that no longer gets that far, changes these. */
import type { Work } from "../walk-runs.ts";

const cleanUp = ["objects", "telegraph"];
const [files, site, channel, community, board] = [
  ["objects"],
  ["wordpress"],
  ["telegram"],
  ["vk"],
  ["pinterest"],
];

/** By the state in which the bot works. */
export const stepsThatAsk: Readonly<Record<string, readonly string[]>> = {
  "MediaUpload.keeping": ["objects", "telegram"],
  "ConnectWordPress.probing": site,
  "ConnectWordPress.checking": site,
  "ConnectTelegram.checking": channel,
  "ConnectVK.listing": community,
  "ConnectVK.connecting": community,
  // The name of the bot, by which the person comes back.
  "ConnectPinterest.opening": ["telegram"],
  "ConnectPinterest.listing": board,
  "ConnectPinterest.connecting": board,
  "ConnectionCheck.checking": ["pinterest", "telegram", "vk", "wordpress"],
  "ArticlePublish.cancelling": cleanUp,
  "ArticlePublish.publishing_begins": files,
  "ArticlePipeline.connect_wp_probing": site,
  "ArticlePipeline.connect_wp_checking": site,
  "ArticlePipeline.cancelling": cleanUp,
  "ArticlePipeline.publishing_begins": files,
  // Whoever connects Pinterest again goes on to its opening.
  "SocialPostPublish.cancelling": ["objects", "telegram"],
  "SocialPostPublish.handing_over": ["objects", "telegram"],
  "SocialPipeline.connect_tg_verify": channel,
  "SocialPipeline.connect_vk_listing": community,
  "SocialPipeline.connect_vk_connecting": community,
  "SocialPipeline.connect_pinterest_opening": ["telegram"],
  "SocialPipeline.connect_pinterest_listing": board,
  "SocialPipeline.connect_pinterest_connecting": board,
  "SocialPipeline.cancelling": ["objects", "telegram"],
  "SocialPipeline.handing_over": ["objects", "telegram"],
  "SocialPipeline.cross_post_handing": ["objects", "vk"],
  "SocialPipeline.cross_post_cancelling": files,
  "CompetitorAnalysis.checking": site,
  "Payment.ordering": ["telegram", "yookassa"],
  "ReferralLink.looking": ["telegram"],
  "SubscriptionChange.changing": ["telegram"],
};

/** By the work that is waited for. */
export const worksThatAsk: Readonly<Record<Work, readonly string[]>> = {
  article: ["firecrawl", "objects", "openrouter", "serper", "telegraph", "wordpress"],
  plan: ["firecrawl", "openrouter", "serper"],
  post: ["objects", "openrouter"],
  crossPost: ["objects", "openrouter"],
  pin: ["objects", "openrouter"],
  description: ["openrouter"],
  reviews: ["openrouter"],
  keywords: ["dataforseo", "openrouter", "yandex"],
  upload: ["dataforseo", "openrouter", "yandex"],
  audit: ["pagespeed"],
  competitor: ["firecrawl", "openrouter"],
};
