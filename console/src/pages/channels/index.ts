export { ChannelFilePage } from "./channel-file-page.tsx";
export { ChannelPage } from "./channel-page.tsx";
export { ChannelsPage } from "./channels-page.tsx";
export { NewChannelPage } from "./new-channel-page.tsx";
