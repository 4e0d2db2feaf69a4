// Sounds, made here and not fetched: a few soft notes each, like a kalimba.
import type { Happening } from "./happenings";

/** When it sounds, in seconds from the first; how high, in half tones above a; how long it rings; how loud. */
type Note = readonly [at: number, tone: number, rings: number, loud: number];

const TUNES: Record<Happening, readonly Note[]> = {
  // e, a: your turn.
  turn: [
    [0, 7, 0.5, 0.8],
    [0.11, 12, 0.8, 0.9],
  ],
  // Three times the same, low.
  hurry: [
    [0, 3, 0.22, 1],
    [0.17, 3, 0.22, 1],
    [0.34, 3, 0.4, 1],
  ],
  // c, e, g, c, e: up and away.
  fantasy: [
    [0, 3, 0.5, 0.6],
    [0.08, 7, 0.5, 0.65],
    [0.16, 10, 0.5, 0.7],
    [0.24, 15, 0.7, 0.75],
    [0.36, 19, 1.2, 0.8],
  ],
  // A chord, rolled downward: everything lies open.
  showdown: [
    [0, 10, 0.7, 0.5],
    [0.06, 7, 0.7, 0.5],
    [0.12, 3, 0.9, 0.6],
  ],
};

const VOLUME = 0.28;
const A = 440;
/** What a plucked tongue sounds of beside its own tone, and how much of it. */
const OVERTONES = [
  [1, 1],
  [3, 0.12],
  [5.4, 0.05],
] as const;

class Sound {
  #context: AudioContext | null = null;
  #out: AudioNode | null = null;

  /** To be called where somebody has just touched the page: before that, browsers let nothing be heard. */
  async wake(): Promise<void> {
    if (!("AudioContext" in globalThis)) return;
    if (this.#context === null) {
      const context = new AudioContext();
      const volume = new GainNode(context, { gain: VOLUME });
      volume.connect(context.destination);
      [this.#context, this.#out] = [context, volume];
    }
    // Also after a call has come in, or the phone was locked.
    if (this.#context.state !== "running") await this.#context.resume().catch(() => undefined);
  }

  play(happening: Happening): void {
    if (this.#context?.state !== "running") return;
    for (const note of TUNES[happening]) this.#pluck(this.#context, note);
  }

  #pluck(context: AudioContext, [at, tone, rings, loud]: Note): void {
    const start = context.currentTime + 0.02 + at;
    for (const [times, part] of OVERTONES) {
      const length = rings / Math.sqrt(times);
      const gain = new GainNode(context, { gain: 0 });
      gain.gain.setValueAtTime(0, start);
      gain.gain.linearRampToValueAtTime(loud * part, start + 0.006);
      gain.gain.setTargetAtTime(0, start + 0.006, length / 4);
      const oscillator = new OscillatorNode(context, { frequency: A * 2 ** (tone / 12) * times });
      oscillator.connect(gain);
      if (this.#out) gain.connect(this.#out);
      oscillator.start(start);
      oscillator.stop(start + length + 0.1);
      oscillator.onended = () => {
        gain.disconnect();
      };
    }
  }
}

export const sound = new Sound();
