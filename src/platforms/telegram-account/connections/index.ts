export {
  CannotOpen,
  type ConnectionSettings,
  type Connections,
  createConnections,
} from "./connections.ts";
export { ifOpened, unopened } from "./if-opened.ts";
