import { payment } from "./payment.ts";
import { history, historyOf, notifications, notify, profile } from "./profile.ts";
import { openReferral, referral, referralLink } from "./referral.ts";
import {
  askToCancel,
  askToChange,
  cancel,
  change,
  changePlan,
  resume,
  subscription,
  subscriptionChange,
} from "./subscription.ts";
import { byCard, byStars, offer, offerOnce, onceByCard, onceByStars, tariffs } from "./tariffs.ts";

export const moneyFlows = [payment, referralLink, subscriptionChange] as const;
export const moneyScreens = [
  ...[profile, history, historyOf, openReferral, referral, notifications, notify],
  ...[tariffs, offer, offerOnce, byStars, onceByStars, byCard, onceByCard],
  ...[subscription, askToCancel, cancel, resume, change, askToChange, changePlan],
] as const;
