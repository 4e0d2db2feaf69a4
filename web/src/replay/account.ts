// The evening's account in words: what is written under its title, who pays whom, and all of it as text.
import { signed } from "../i18n/numbers";
import type { Messages } from "../languages/ru";
import type { Account, AccountPlayer } from "../protocol";
import { lasted, span } from "./times";

/** How amounts and times are written. */
export interface Writing {
  t: Messages;
  locale: string;
  /** Of the currency's smallest unit. */
  money: (amount: number) => string;
  now?: number;
}

/** Money with its sign. */
export const signedMoney = (amount: number, money: Writing["money"]): string =>
  amount > 0 ? `+${money(amount)}` : money(amount);

/** When it was, how long, how many hands; empty before the first. */
export function facts({ hands, began, until }: Account, { t, locale, now }: Writing): string[] {
  if (began === null || until === null) return [];
  return [span(began, until, locale, now), t.account.lasted(...lasted(until - began)), t.table.hands(hands)];
}

/** What is said of somebody beside his name. */
export const remarks = ({ bot, seat, you }: AccountPlayer, t: Messages): string[] => [
  ...(you ? [t.you.toLowerCase()] : []),
  ...(bot ? [t.bot] : []),
  ...(seat === null ? [t.account.left] : []),
];

/** Whether bots have played, with whom nobody settles up. */
export const hasBots = ({ players }: Account): boolean => players.some(({ bot }) => bot);

/** What somebody has won from people, where that is not all he has won; empty where it is. */
export function dueSaid(player: AccountPlayer, unit: Account["unit"], { t, money }: Writing): string[] {
  const all = unit === "money" ? player.money : player.points;
  if (player.bot || player.due === all) return [];
  return [t.account.due(unit === "money" ? signedMoney(player.due, money) : signed(player.due))];
}

export interface Debt {
  payer: AccountPlayer;
  payee: AccountPlayer;
  amount: string;
}

export function debts({ players, payments, unit }: Account, { t, money }: Writing): Debt[] {
  return payments.flatMap(({ payer, payee, amount }) => {
    const [from, to] = [players[payer], players[payee]];
    if (!from || !to) return [];
    return [{ payer: from, payee: to, amount: unit === "money" ? money(amount) : t.points(amount) }];
  });
}

/** Whether what was won and what was lost come to zero. */
export const addsUp = ({ players }: Account): boolean =>
  players.reduce((sum, { points }) => sum + points, 0) === 0 &&
  players.reduce((sum, { money }) => sum + money, 0) === 0;

/** The whole account as it is sent to friends: nobody in it is the reader. */
export function accountText(account: Account, writing: Writing): string {
  const { t, money } = writing;
  const players = account.players.map((player) => {
    const said = [...remarks({ ...player, you: false }, t), ...dueSaid(player, account.unit, writing)];
    const { name, points } = player;
    const amount = `${signed(points)} ${t.points(Math.abs(points)).replace(/^\S+\s/, "")}`;
    const price = account.unit === "money" ? `, ${signedMoney(player.money, money)}` : "";
    return `${name}${said.length > 0 ? ` (${said.join(", ")})` : ""}: ${amount}${price}`;
  });
  const owed = debts(account, writing).map(({ payer, payee, amount }) => `${payer.name} → ${payee.name}: ${amount}`);
  return [
    [`${t.account.title}: ${account.name}`, facts(account, writing).join(", ")],
    players,
    owed.length > 0 ? [`${t.account.pays}:`, ...owed] : [t.account.even],
    ...(hasBots(account) ? [[t.account.bots]] : []),
    ...(addsUp(account) ? [[t.account.zero]] : []),
  ]
    .map((part) => part.filter((line) => line !== "").join("\n"))
    .join("\n\n");
}
