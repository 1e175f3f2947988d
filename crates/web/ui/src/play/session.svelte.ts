// A game that is being played: position, what came before, hints, and a player that goes on by itself. The rules are the server's.
import { address, api, ApiError, explain, path } from '../api/client';
import { readStream, type Heard } from '../api/stream';
import type { GameInfo, Hint, Rules, Step, View } from '../api/types';
import { after, settled, still, type Shown } from '../boards/shown';
import { remember } from '../lib/memory';
import { newSeed, readMoves, writeMoves, type Place } from './place';

/** Key presses that wait while the server answers; more would run away from the player's eyes. */
const WAITING_MOVES = 8;
/** How long a position is thought about while the person does, in ms. */
const THINKING = 60_000;

export class Session {
  shown = $state.raw<Shown | null>(null);
  private past = $state.raw<Shown[]>([]);
  /** All moves from the start, in a game whose positions can be written so; null if the game began elsewhere. */
  private moves = $state.raw<string[] | null>(null);
  busy = $state(false);
  problem = $state('');
  hint = $state.raw<Hint | null>(null);
  hinting = $state(false);
  /** A player makes all moves until it is told to stop. */
  playsOn = $state(false);
  /** Time between its moves, in ms. */
  delay = $state(300);
  /** The longest time of a search, in ms. */
  timeMs = $state(1000);
  /** Who gives hints in every position, without being asked; nobody if empty. */
  hinter = $state('');
  lastMs = $state<number | null>(null);
  /** A move that a hint points at. */
  pointed = $state<string | null>(null);
  /** A way to play that a kind of board has beside the usual one; the address holds it. */
  mode = $state('');
  /** A game for two: who plays against the person; nobody means two people. */
  opponent = $state('');
  opponentSeat = $state<0 | 1>(1);
  /** "You have won" is told once, then the game goes on. */
  goesOn = $state(false);

  rules: Rules = {};
  seed = $state(newSeed());
  private waiting: string[] = [];
  private search: AbortController | null = null;
  private hints: AbortController | null = null;
  /** Answers to questions about an earlier game come too late. */
  private round = 0;

  constructor(readonly game: GameInfo) {}

  get isForTwo(): boolean {
    return this.game.seats === 2;
  }

  get view(): View | null {
    return this.shown?.view ?? null;
  }

  get isOver(): boolean {
    return this.view?.turn.kind === 'over';
  }

  get canUndo(): boolean {
    return this.past.length > 0 || (this.moves?.length ?? 0) > 0;
  }

  get moveCount(): number {
    return this.moves?.length ?? this.past.length;
  }

  /** The moves so far as one text, in a game whose positions can be written so. */
  get movesText(): string | undefined {
    return this.moves && this.moves.length > 0 ? writeMoves(this.moves) : undefined;
  }

  /** What the address holds of the position. */
  get position(): string | undefined {
    if (this.moves) return this.moves.length > 0 ? writeMoves(this.moves) : undefined;
    return this.view?.position;
  }

  /** Is it the turn of a person? */
  get mayMove(): boolean {
    const turn = this.view?.turn;
    return turn?.kind === 'player' && !this.playsOn && !this.isOpponents(turn.seat);
  }

  async begin(place: Place): Promise<void> {
    this.forget();
    const round = this.round;
    this.rules = place.rules;
    this.seed = place.seed ?? newSeed();
    try {
      const view = await api.view(this.game.name, { rules: this.rules, position: place.position, seed: this.seed });
      if (round !== this.round) return;
      this.moves = this.game.by_moves ? readMoves(place.position ?? '') : null;
      this.shown = still(view, this.moves?.at(-1));
      void this.answer();
    } catch (error) {
      if (round === this.round) this.problem = explain(error);
    }
  }

  restart(rules: Rules = this.rules): Promise<void> {
    return this.begin({ rules, position: undefined, seed: undefined });
  }

  private forget(): void {
    this.round++;
    this.search?.abort();
    this.hints?.abort();
    this.waiting = [];
    this.past = [];
    this.moves = null;
    this.hint = null;
    this.pointed = null;
    this.problem = '';
    this.playsOn = false;
    this.goesOn = false;
    this.lastMs = null;
    this.busy = false;
  }

  /** A person moves. What is no move is not sent. */
  async move(move: string): Promise<void> {
    if (this.busy) {
      if (this.waiting.length < WAITING_MOVES) this.waiting.push(move);
      return;
    }
    if (!this.mayMove || !this.view?.moves.includes(move)) return;
    await this.act((view) =>
      api.move(this.game.name, { rules: this.rules, position: view.position, move, seed: this.seed, step: this.past.length }),
    );
    const next = this.waiting.shift();
    if (next !== undefined) return this.move(next);
    await this.answer();
  }

  /** A player makes one move. */
  async choose(player: string): Promise<boolean> {
    if (this.busy || !this.view || this.isOver) return false;
    return this.act(async (view) => {
      this.search?.abort();
      this.search = new AbortController();
      const body = { rules: this.rules, position: view.position, player, seed: this.seed, step: this.past.length, time_ms: this.timeMs };
      const choice = await api.choose(this.game.name, body, this.search.signal);
      this.lastMs = choice.ms;
      return choice.steps;
    });
  }

  /** The other player answers, where there is one. */
  private async answer(): Promise<void> {
    const turn = this.view?.turn;
    if (!this.playsOn && turn?.kind === 'player' && this.isOpponents(turn.seat)) await this.choose(this.opponent);
    await this.hintOn();
  }

  /** Hints without being asked, where they are wanted. */
  private async hintOn(): Promise<void> {
    if (this.hinter && this.mayMove && !this.hint) await this.askHint(this.hinter);
  }

  async setHinter(player: string): Promise<void> {
    this.hinter = player;
    await this.hintOn();
  }

  private isOpponents(seat: number): boolean {
    return this.opponent !== '' && seat === this.opponentSeat;
  }

  setMode(mode: string): void {
    this.mode = mode;
    remember(`${this.game.name}.mode`, mode);
  }

  async seatOpponent(seat: 0 | 1): Promise<void> {
    this.opponentSeat = seat;
    await this.answer();
  }

  async setOpponent(player: string): Promise<void> {
    this.opponent = player;
    await this.answer();
  }

  /** Against this player, who shows what every move is worth. */
  async challenge(player: string): Promise<void> {
    this.opponent = player;
    this.hinter = player;
    await this.answer();
  }

  private async act(ask: (view: View) => Promise<Step[]>): Promise<boolean> {
    const before = this.shown;
    const round = this.round;
    if (!before) return false;
    this.hints?.abort();
    this.busy = true;
    try {
      const steps = await ask(before.view);
      if (round !== this.round) return false;
      const shown = after(before, steps);
      if (!shown) return false;
      this.past = [...this.past, before];
      if (this.moves && shown.move) this.moves = [...this.moves, shown.move];
      this.shown = shown;
      this.hint = null;
      this.hinting = false;
      this.pointed = null;
      this.problem = '';
      return true;
    } catch (error) {
      if (round === this.round) this.fail(error);
      return false;
    } finally {
      if (round === this.round) this.busy = false;
    }
  }

  private fail(error: unknown): void {
    this.waiting = [];
    this.playsOn = false;
    const isOld = (error instanceof ApiError && error.isCancelled) || (error instanceof DOMException && error.name === 'AbortError');
    if (!isOld) this.problem = explain(error);
  }

  /** Back to the person's last turn. */
  async undo(): Promise<void> {
    this.stop();
    this.round++;
    this.busy = false;
    this.waiting = [];
    this.hint = null;
    this.goesOn = false;
    do await this.back();
    while (this.canUndo && this.view?.turn.kind === 'player' && this.isOpponents(this.view.turn.seat));
    await this.hintOn();
  }

  private async back(): Promise<void> {
    const last = this.past.at(-1);
    if (last) {
      this.past = this.past.slice(0, -1);
      this.moves = this.moves?.slice(0, -1) ?? null;
      this.shown = settled(last);
      return;
    }
    // A game that came from the address has no past here, but its moves lead to it.
    const moves = this.moves?.slice(0, -1);
    if (!moves) return;
    const view = await api.view(this.game.name, { rules: this.rules, position: writeMoves(moves), seed: this.seed });
    this.moves = moves;
    this.shown = still(view, moves.at(-1));
  }

  async askHint(player: string): Promise<void> {
    const view = this.view;
    if (!view || this.isOver) return;
    this.hints?.abort();
    const hints = new AbortController();
    this.hints = hints;
    this.hinting = true;
    const began = performance.now();
    do await this.hearHints(view, player, hints.signal);
    while (!hints.signal.aborted && !this.problem && this.hint?.solves && !this.hint.exact && performance.now() - began < THINKING);
    if (this.hints === hints) this.hinting = false;
  }

  /** Hears hints until the server has said all it knows, or is out of time. */
  private async hearHints(view: View, player: string, signal: AbortSignal): Promise<void> {
    // Who solves positions tells what is known meanwhile, so it may take the time that the server allows.
    const time = player === 'perfect' ? undefined : this.timeMs;
    const query = { rules: JSON.stringify(this.rules), position: view.position, player, time_ms: time };
    const hear = ({ event, data }: Heard) => {
      if (signal.aborted) return;
      if (event === 'hint') this.hint = JSON.parse(data) as Hint;
      else if (event === 'problem') this.problem = (JSON.parse(data) as { message: string }).message;
    };
    await readStream(address(path('games', this.game.name, 'hints'), query), signal, hear, (why) => (this.problem = why));
  }

  /** No more hints for this position; what is known stays. */
  stopHints(): void {
    this.hints?.abort();
    this.hinting = false;
  }

  /** Lets a player go on from here until the end, or until it is stopped; who plays may change meanwhile. */
  async playOn(player: () => string): Promise<void> {
    if (this.playsOn) return;
    this.playsOn = true;
    const round = this.round;
    while (this.playsOn && round === this.round && !this.isOver) {
      const began = performance.now();
      if (!(await this.choose(player()))) break;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, this.delay - (performance.now() - began))));
    }
    if (round === this.round) this.playsOn = false;
  }

  stop(): void {
    this.playsOn = false;
    this.search?.abort();
    this.stopHints();
  }
}
