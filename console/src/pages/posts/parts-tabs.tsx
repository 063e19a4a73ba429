import { Tabs } from "../../ui/index.ts";
import { usePostsTexts } from "./use-posts-texts.ts";

/** Posts, or what became of them channel by channel. */
export function PartsTabs({ current }: { current: "/posts" | "/deliveries" }) {
  const texts = usePostsTexts();
  const tabs = [
    { path: "/posts", title: texts.posts },
    { path: "/deliveries", title: texts.deliveries },
  ];
  return <Tabs label={texts.parts} current={current} tabs={tabs} />;
}
