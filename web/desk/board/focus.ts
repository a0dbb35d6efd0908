import type { LaneKey } from './lanes.ts';
import type { Iri } from './rows.ts';
import type { Topics } from './topics.ts';

/** The card of a lane that Tab reaches, and whether it is to take the focus. */
export interface LaneFocus {
  readonly task: Iri;
  /** A new object for each request: the card takes the focus once for it. */
  readonly request: object | undefined;
}

/** Which card the keys act on. It is asked for by lane and task, since a card may have to be scrolled to before it exists. */
export class BoardFocus {
  private readonly lanes = new Map<LaneKey, LaneFocus>();
  private readonly topics: Topics;
  /** Where the focus is or was last. */
  at: { readonly lane: LaneKey; readonly task: Iri } | undefined;
  /** Whether the focus is on the board now: also when the card that had it has gone. */
  isInside = false;

  constructor(topics: Topics) {
    this.topics = topics;
  }

  of(lane: LaneKey): LaneFocus | undefined {
    return this.lanes.get(lane);
  }

  /** Gives the focus to a card, which is scrolled to. */
  request(lane: LaneKey, task: Iri): void {
    this.at = { lane, task };
    this.set(lane, { task, request: {} });
    this.topics.tell();
  }

  /** Notes that a card has taken the focus. */
  note(lane: LaneKey, task: Iri): void {
    this.isInside = true;
    this.at = { lane, task };
    if (this.lanes.get(lane)?.task !== task) this.set(lane, { task, request: undefined });
  }

  private set(lane: LaneKey, focus: LaneFocus): void {
    this.lanes.set(lane, focus);
    this.topics.touch(`focus ${lane}`);
    this.topics.touch('focus');
  }
}
