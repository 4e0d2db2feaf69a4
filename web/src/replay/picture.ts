// The evening's account as a picture, drawn in the colours of the theme that is on.
import { signed } from "../i18n/numbers";
import type { Account } from "../protocol";
import { addsUp, debts, dueSaid, facts, hasBots, remarks, signedMoney, type Writing } from "./account";

/** In units of the page; the picture has twice as many points each way, so that it is sharp on any screen. */
export const WIDTH = 640;
export const SCALE = 2;

const EDGE = 28;
const PAD = 22;
const ROW = 58;
const DEBT = 46;
const HEAD = 46;
/** A line more below. */
const NOTE = 22;

/** How high a picture of so many players and payments is. */
export const heightOf = (players: number, payments: number): number =>
  150 + panel(ROW, players) + 14 + panel(DEBT, Math.max(1, payments)) + 62;
const panel = (row: number, rows: number): number => HEAD + rows * row + 10;

/** As much of a text as there is room for. */
export function fit(text: string, room: number, width: (text: string) => number): string {
  if (width(text) <= room) return text;
  const letters = Array.from(text);
  while (letters.length > 1 && width(`${letters.join("").trimEnd()}…`) > room) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

type Colour =
  | "ground"
  | "glow"
  | "panel"
  | "edge"
  | "edge-strong"
  | "text"
  | "muted"
  | "good"
  | "bad"
  | "gold"
  | "raised"
  | "avatar-ink"
  | `avatar-${0 | 1 | 2 | 3}`;

/** A colour of the theme: it depends on it through functions that only the page can work out. */
function colourOf(name: Colour): string {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = `var(--${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

class Pen {
  constructor(readonly context: CanvasRenderingContext2D) {}

  font(size: number, weight: number): void {
    this.context.font = `${weight} ${size}px Onest, system-ui, sans-serif`;
  }

  readonly width = (text: string): number => this.context.measureText(text).width;

  /** A line of text from `x` to the right, or to the left where it ends there; gives its width. */
  text(text: string, x: number, y: number, colour: Colour, room = WIDTH, align: CanvasTextAlign = "left"): number {
    const { context } = this;
    const shown = fit(text, room, this.width);
    context.fillStyle = colourOf(colour);
    context.textAlign = align;
    context.fillText(shown, x, y);
    return this.width(shown);
  }

  panel(y: number, height: number): void {
    const { context } = this;
    context.beginPath();
    context.roundRect(EDGE, y, WIDTH - 2 * EDGE, height, 20);
    context.fillStyle = colourOf("panel");
    context.fill();
    context.strokeStyle = colourOf("edge");
    context.lineWidth = 1;
    context.stroke();
  }

  rule(y: number): void {
    this.context.fillStyle = colourOf("edge");
    this.context.fillRect(EDGE + PAD, y, WIDTH - 2 * (EDGE + PAD), 1);
  }

  avatar(name: string, seat: number | null, x: number, y: number, radius: number): void {
    const { context } = this;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = colourOf(seat === null ? "raised" : `avatar-${(seat % 4) as 0 | 1 | 2 | 3}`);
    context.fill();
    this.font(radius * 0.9, 700);
    this.text(
      Array.from(name)[0]?.toUpperCase() ?? "",
      x,
      y + radius * 0.33,
      seat === null ? "muted" : "avatar-ink",
      WIDTH,
      "center",
    );
  }

  /** ▲ or ▼, its lower edge on the line. */
  mark(up: boolean, x: number, y: number): void {
    const { context } = this;
    const [tip, foot] = up ? [y - 10, y] : [y, y - 10];
    context.beginPath();
    context.moveTo(x, tip);
    context.lineTo(x + 5.5, foot);
    context.lineTo(x - 5.5, foot);
    context.fillStyle = colourOf(up ? "good" : "bad");
    context.fill();
  }

  /** A drawing of the page's own, by its name, as large as `size`. */
  drawing(name: string, x: number, y: number, size: number): void {
    const { context } = this;
    context.save();
    context.translate(x, y);
    context.scale(size / 32, size / 32);
    for (const path of document.querySelectorAll<SVGPathElement>(`#${name} path`)) {
      const line = new Path2D(path.getAttribute("d") ?? "");
      const [fill, stroke] = [path.getAttribute("fill"), path.getAttribute("stroke")];
      if (fill !== null && fill !== "none") {
        context.fillStyle = fill;
        context.fill(line);
      }
      if (stroke !== null) {
        context.strokeStyle = stroke;
        context.lineWidth = Number(path.getAttribute("stroke-width"));
        context.stroke(line);
      }
    }
    context.restore();
  }
}

/** Draw the account; the picture is a PNG. */
export async function accountPicture(account: Account, writing: Writing): Promise<Blob> {
  // What was not shown on the page yet may not be there.
  await Promise.all([560, 700].map((weight) => document.fonts.load(`${weight} 20px Onest`, `Aя${account.name}`)));
  const canvas = document.createElement("canvas");
  const height = heightOf(account.players.length, account.payments.length) + (hasBots(account) ? NOTE : 0);
  canvas.width = WIDTH * SCALE;
  canvas.height = height * SCALE;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("this browser draws no pictures");
  context.scale(SCALE, SCALE);
  draw(new Pen(context), height, account, writing);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error("this browser makes no pictures"));
    }, "image/png");
  });
}

function draw(pen: Pen, height: number, account: Account, writing: Writing): void {
  const { t, money } = writing;
  const { context } = pen;
  const inner = WIDTH - 2 * EDGE;
  const [left, right] = [EDGE + PAD, WIDTH - EDGE - PAD];

  const light = context.createRadialGradient(WIDTH / 2, 0, 0, WIDTH / 2, 0, height);
  light.addColorStop(0, colourOf("glow"));
  light.addColorStop(0.8, colourOf("ground"));
  context.fillStyle = light;
  context.fillRect(0, 0, WIDTH, height);

  pen.drawing("pineapple", EDGE - 4, 30, 44);
  pen.font(27, 700);
  pen.text(t.account.title, EDGE + 50, 62, "text", inner - 50);
  pen.font(17, 560);
  pen.text(account.name, EDGE, 100, "text", inner);
  pen.font(15, 450);
  pen.text(facts(account, writing).join(" · "), EDGE, 124, "muted", inner);

  let y = 150;
  const won = panel(ROW, account.players.length);
  pen.panel(y, won);
  pen.font(14, 560);
  pen.text(t.account.won, left, y + 32, "muted", inner - 2 * PAD);
  account.players.forEach((player, place) => {
    const top = y + HEAD + place * ROW;
    const line = top + ROW / 2 + 6;
    if (place > 0) pen.rule(top);
    pen.avatar(player.name, player.seat, left + 18, top + ROW / 2, 18);
    let end = right;
    if (account.unit === "money") {
      pen.font(17, 560);
      pen.text(signedMoney(player.money, money), end, line, "text", 180, "right");
      end -= 150;
    }
    pen.font(22, 700);
    const tone = player.points > 0 ? "good" : player.points < 0 ? "bad" : "muted";
    const wide = pen.text(signed(player.points), end, line + 1, tone, 140, "right");
    if (player.points !== 0) pen.mark(player.points > 0, end - wide - 14, line - 1);
    const room = end - wide - 30 - (left + 50);
    const said = [...remarks({ ...player, you: false }, t), ...dueSaid(player, account.unit, writing)].join(", ");
    pen.font(18, 620);
    pen.text(player.name, left + 50, said === "" ? line : line - 9, "text", room);
    pen.font(13, 450);
    pen.text(said, left + 50, line + 11, "muted", room);
  });

  y += won + 14;
  const owed = debts(account, writing);
  pen.panel(y, panel(DEBT, Math.max(1, owed.length)));
  pen.font(14, 560);
  pen.text(t.account.pays, left, y + 32, "muted", inner - 2 * PAD);
  pen.font(17, 560);
  if (owed.length === 0) pen.text(t.account.even, left, y + HEAD + 29, "text", inner - 2 * PAD);
  owed.forEach(({ payer, payee, amount }, place) => {
    const line = y + HEAD + place * DEBT + 29;
    if (place > 0) pen.rule(y + HEAD + place * DEBT);
    pen.font(18, 700);
    const wide = pen.text(amount, right, line, "text", 200, "right");
    const room = right - left - wide - 20;
    pen.font(17, 560);
    const arrow = pen.width(" → ");
    const to = pen.width(payee.name);
    const from = pen.text(payer.name, left, line, "text", Math.max(room / 2, room - arrow - to) - arrow / 2);
    pen.text(" → ", left + from, line, "muted");
    pen.text(payee.name, left + from + arrow, line, "text", room - from - arrow);
  });

  pen.font(13.5, 450);
  if (hasBots(account)) pen.text(t.account.bots, WIDTH / 2, height - 27 - NOTE, "muted", inner, "center");
  if (addsUp(account)) pen.text(t.account.zero, WIDTH / 2, height - 27, "muted", inner, "center");
}
