export {
  type AdoptedConnection,
  adoptConnection,
  type Connected,
  connect,
  connectionOf,
  disconnect,
  type NewConnection,
} from "./connections.ts";
export { type CorrectionEnd, correctAddressed, correctionEnd, withdrawAddressed } from "./correct.ts";
export {
  type DeliveryEnd,
  defineEndTask,
  deliveryEndSchema,
  deliveryOutcomes,
  type EndTask,
} from "./delivery-end.ts";
export {
  type AddressedPost,
  type Owner,
  type Published,
  type PublishedDelivery,
  personWaitsMs,
  publishAddressed,
  publishedBefore,
  waitedInVain,
} from "./publish.ts";
