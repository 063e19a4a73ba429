export { type RunningTwins, startTwins, type TwinsSettings } from "./server.ts";
export type {
  ChatView,
  FaultKind,
  JournalEntry,
  MessageView,
  PlaceView,
  TwinEvent,
} from "./shared/contract.ts";
