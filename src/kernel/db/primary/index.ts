export { askHosts } from "./ask-host.ts";
export { describeAnswer } from "./choose-primary.ts";
export { createPrimary, type Primary } from "./create-primary.ts";
export { WatchedSocket } from "./sockets.ts";
export { timelinesHere } from "./timelines.ts";
