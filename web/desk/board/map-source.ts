import { focusWhereItIs } from './acts.ts';
import type { BoardTools } from './board-context.ts';
import { pinOf } from './lanes.ts';
import type { MapSource, MapTask } from './map-slot.ts';
import type { BoardDriver } from './rows.ts';
import type { Card } from './store.ts';
import { TOPICS } from './store.ts';

/** What the map shows of a board: the tasks and drivers of the lanes, and their selection. */
export function mapSource(tools: BoardTools): MapSource {
  const { store } = tools;
  const tasks = derived<readonly Card[], readonly MapTask[]>((cards) => cards.map(mapTask));
  const drivers = derived<string, readonly BoardDriver[]>(() => [...store.rows.drivers.values()]);
  return {
    subscribe: (notify) => {
      const topics = [TOPICS.tasks, TOPICS.drivers, TOPICS.selection];
      const stops = topics.map((topic) => store.topics.subscribe(topic, notify));
      return () => {
        for (const stop of stops) stop();
      };
    },
    tasks: () => tasks(store.allShown()),
    drivers: () => drivers([...store.rows.drivers.values()].map(({ version }) => version).join()),
    selection: () => store.selection(),
    select: (iris, how = 'replace') => {
      const before = store.selection();
      const added = how === 'toggle' ? iris.filter((iri) => !before.has(iri)) : iris;
      const kept = how === 'replace' ? [] : [...before].filter((iri) => how === 'add' || !iris.includes(iri));
      store.select([...kept, ...added]);
    },
    reveal: (task) => focusWhereItIs(tools, task),
  };
}

const known = new WeakMap<Card, MapTask>();

/** A card that has not changed is the same pin. */
function mapTask(card: Card): MapTask {
  const before = known.get(card);
  if (before !== undefined) return before;
  const { task, attention, mark } = card;
  const pin = { ...task, pin: pinOf(task, attention), isPending: mark !== undefined && mark !== 'applied' };
  known.set(card, pin);
  return pin;
}

/** What follows from a value, made again only for another value. */
function derived<From, To>(make: (from: From) => To): (from: From) => To {
  let last: { readonly from: From; readonly to: To } | undefined;
  return (from) => {
    if (last?.from !== from) last = { from, to: make(from) };
    return last.to;
  };
}
