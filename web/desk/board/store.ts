import { formatAmount, parseAmount } from '../../../domain/money.ts';
import { isTerminalTask } from '../../../domain/shipment-status.ts';
import type { StreamEvent } from '../../shared/changes.ts';
import type { BoardFilter } from './board-rows.ts';
import { BoardRows } from './board-rows.ts';
import { boardDay } from './day.ts';
import type { Standing } from './lane-index.ts';
import { LaneIndex } from './lane-index.ts';
import type { Attention, LaneKey } from './lanes.ts';
import { attentionOf, isDriverLane, lanesOf, sortKeyOf } from './lanes.ts';
import { byName, driverName } from './names.ts';
import type { Rejection } from './rejection.ts';
import { matches, searchWords } from '../../../domain/text-search.ts';
import type { Board, BoardTask, Iri } from './rows.ts';
import { Topics } from './topics.ts';
import type { Card, LaneView, Mark, Overlay } from './views.ts';
import { TOPICS } from './views.ts';

/**
 * The board in the browser: the service's rows, what moves lay over them, and the lanes that follow from both. One change touches
 * the topics of one card and of the lanes whose order changes with it.
 */
export class BoardStore {
  readonly rows = new BoardRows();
  readonly topics = new Topics();
  private readonly index = new LaneIndex((lane, isNew) => this.onLane(lane, isNew));
  private readonly overlays = new Map<Iri, Overlay>();
  private readonly rejections = new Map<Iri, Rejection>();
  private readonly attentions = new Map<Iri, Attention | undefined>();
  private readonly cards = new Map<Iri, Card>();
  private readonly laneViews = new Map<LaneKey, LaneView>();
  private laneKeys: readonly LaneKey[] = [];
  private areLanesOld = true;
  private allCards: readonly Card[] | undefined;
  private selected: ReadonlySet<Iri> = new Set();
  private words: readonly string[] = [];
  private nowMs: number;
  private onReadAgain: () => void = () => undefined;
  /** Called with each task that the service told something new of. */
  onNews: (task: Iri) => void = () => undefined;

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  /** Sets what reads the board again, where only the service can tell what belongs to it. */
  whenToReadAgain(read: () => void): void {
    this.onReadAgain = read;
  }

  readAgain(): void {
    this.onReadAgain();
  }

  load(board: Board, filter: BoardFilter): void {
    this.rows.load(board, boardDay(board.date, board.timezone, new Date(board.asOf)), filter);
    this.attentions.clear();
    this.cards.clear();
    this.index.fill(this.standings());
    this.laneViews.clear();
    this.touchAll();
    for (const task of this.overlays.keys()) this.onNews(task);
  }

  accept(event: StreamEvent): void {
    if (event.kind === 'state' || event.kind === 'reset') return;
    const isNewRun = event.kind === 'DeliveryRun' && !this.rows.runs.has(event.row['@id']);
    const effect = this.rows.accept(event.kind, event.row);
    if (effect === 'read_again') this.onReadAgain();
    if (typeof effect === 'string') return;
    const { iri, kind } = effect;
    if (kind === 'Task') {
      this.refresh(iri);
      this.onNews(iri);
    } else if (kind === 'Driver') {
      this.touchDriver(iri);
    } else if (isNewRun) {
      for (const { '@id': task, deliveryRun } of this.rows.tasks.values())
        if (deliveryRun === iri) this.refresh(task);
    }
  }

  /** Looks whose time has come: a task becomes late without a change. */
  tick(nowMs: number): void {
    this.nowMs = nowMs;
    for (const task of this.rows.tasks.keys()) {
      const shown = this.task(task);
      if (shown !== undefined && attentionOf(shown, nowMs) !== this.attentions.get(task)) this.refresh(task);
    }
  }

  /** Shows a task otherwise than the service says, until `undefined` takes that away. */
  overlay(task: Iri, overlay: Overlay | undefined): void {
    if (overlay === undefined) this.overlays.delete(task);
    else this.overlays.set(task, overlay);
    this.topics.touch(TOPICS.moves);
    this.refresh(task);
  }

  /** How many cards have a mark. */
  marked(mark: Mark): number {
    return [...this.overlays.values()].filter((overlay) => overlay.mark === mark).length;
  }

  overlayOf(task: Iri): Overlay | undefined {
    return this.overlays.get(task);
  }

  reject(task: Iri, rejection: Rejection | undefined): void {
    if (rejection === undefined && !this.rejections.has(task)) return;
    if (rejection === undefined) this.rejections.delete(task);
    else this.rejections.set(task, rejection);
    this.refresh(task);
  }

  /** What was rejected and is still said at its cards. */
  rejected(): ReadonlyMap<Iri, Rejection> {
    return this.rejections;
  }

  /** A task as the board shows it; undefined where it is not on the board. */
  task(task: Iri): BoardTask | undefined {
    const row = this.rows.tasks.get(task);
    const overlay = this.overlays.get(task);
    return row === undefined || overlay === undefined ? row : { ...row, ...overlay.patch };
  }

  card(task: Iri): Card | undefined {
    const known = this.cards.get(task);
    if (known !== undefined) return known;
    const shown = this.task(task);
    if (shown === undefined) return undefined;
    const card: Card = {
      task: shown,
      attention: this.attentions.get(task),
      mark: this.overlays.get(task)?.mark,
      rejection: this.rejections.get(task),
      isSelected: this.selected.has(task),
    };
    this.cards.set(task, card);
    return card;
  }

  lane(lane: LaneKey): LaneView {
    const known = this.laneViews.get(lane);
    if (known !== undefined) return known;
    const all = this.index.order(lane);
    const driver = this.rows.drivers.get(lane);
    const isOwnName = driver !== undefined && matches(this.words, driverName(driver));
    const order = this.words.length === 0 || isOwnName ? all : all.filter((task) => this.isFound(task));
    const view = { order, total: all.length, cash: formatAmount(this.index.cashCents(lane)) };
    this.laneViews.set(lane, view);
    return view;
  }

  lanesOf(task: Iri): readonly LaneKey[] {
    return this.index.lanesOf(task);
  }

  /** The drivers' lanes by name; with a text filter those where something is found. */
  driverLanes(): readonly LaneKey[] {
    if (this.areLanesOld) {
      const lanes = this.sortedLanes();
      if (lanes.join() !== this.laneKeys.join()) this.laneKeys = lanes;
      this.areLanesOld = false;
    }
    return this.laneKeys;
  }

  /** Every task that the lanes show. */
  allShown(): readonly Card[] {
    this.allCards ??= [...this.rows.tasks.keys()]
      .filter((task) => this.words.length === 0 || this.isFound(task))
      .flatMap((task) => this.card(task) ?? []);
    return this.allCards;
  }

  selection(): ReadonlySet<Iri> {
    return this.selected;
  }

  select(tasks: Iterable<Iri>): void {
    const before = this.selected;
    this.selected = new Set(tasks);
    for (const task of new Set([...before, ...this.selected])) {
      if (before.has(task) === this.selected.has(task)) continue;
      this.cards.delete(task);
      this.topics.touch(TOPICS.card(task));
    }
    this.topics.touch(TOPICS.selection);
    this.topics.tell();
  }

  /** Leaves in the lanes what has each of the words. */
  filterBy(text: string): void {
    this.words = searchWords(text);
    this.laneViews.clear();
    this.touchAll();
  }

  private isFound(task: Iri): boolean {
    const shown = this.task(task);
    if (shown === undefined) return false;
    const { recipientName, trackingNumber, street, city, landmark } = shown;
    return matches(this.words, [recipientName, trackingNumber, street, city, landmark].join(' '));
  }

  private sortedLanes(): readonly LaneKey[] {
    const { drivers } = this.rows;
    const unknown = this.index.filled().filter((lane) => isDriverLane(lane) && !drivers.has(lane));
    const known = [...drivers.values()].sort(byName);
    const lanes = [...known.map(({ '@id': iri }) => iri), ...unknown];
    if (this.words.length === 0) return lanes;
    return lanes.filter((lane) => {
      const driver = drivers.get(lane);
      return this.lane(lane).order.length > 0 || (driver && matches(this.words, driverName(driver)));
    });
  }

  private *standings(): Iterable<readonly [Iri, Standing]> {
    for (const iri of this.rows.tasks.keys()) {
      const standing = this.standingOf(iri);
      if (standing !== undefined) yield [iri, standing];
    }
  }

  private standingOf(iri: Iri): Standing | undefined {
    const task = this.task(iri);
    if (task === undefined) return undefined;
    const attention = attentionOf(task, this.nowMs);
    this.attentions.set(iri, attention);
    const reference = this.rows.runs.get(task.deliveryRun ?? '')?.reference ?? '';
    const isEnded = isTerminalTask(task.type, task.status);
    return {
      places: lanesOf(task, attention).map((lane) => ({
        lane,
        key: sortKeyOf(lane, task, reference, attention),
      })),
      cashCents: isEnded ? 0 : (parseAmount(task.cashToCollect) ?? 0),
    };
  }

  private refresh(task: Iri): void {
    const standing = this.standingOf(task);
    if (standing === undefined) this.attentions.delete(task);
    this.cards.delete(task);
    this.index.put(task, standing);
    this.allCards = undefined;
    this.topics.touch(TOPICS.card(task));
    this.topics.touch(TOPICS.tasks);
  }

  private onLane(lane: LaneKey, isNew: boolean): void {
    this.laneViews.delete(lane);
    this.topics.touch(TOPICS.lane(lane));
    const isUnknown = isDriverLane(lane) && !this.rows.drivers.has(lane);
    if ((isNew && isUnknown) || this.words.length > 0) this.touchLanes();
  }

  private touchDriver(driver: Iri): void {
    this.topics.touch(TOPICS.driver(driver));
    this.topics.touch(TOPICS.drivers);
    this.touchLanes();
  }

  private touchLanes(): void {
    this.areLanesOld = true;
    this.topics.touch(TOPICS.lanes);
  }

  private touchAll(): void {
    this.allCards = undefined;
    this.touchLanes();
    this.topics.touchEach();
    this.topics.tell();
  }
}
