export {
  BusyElsewhere,
  type ConnectionSettings,
  type Connections,
  createConnections,
} from "./connections.ts";
export { ifBusy, unlessBusy } from "./unless-busy.ts";
