/** Who wants to know of which thing. What changed is told at most once a frame, and only to those who asked about it. */
export class Topics {
  private readonly listeners = new Map<string, Set<() => void>>();
  private readonly dirty = new Set<string>();
  private isScheduled = false;

  subscribe(topic: string, listener: () => void): () => void {
    const known = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, known.add(listener));
    return () => {
      known.delete(listener);
      if (known.size === 0 && this.listeners.get(topic) === known) this.listeners.delete(topic);
    };
  }

  /** Tells the listeners of a topic with the next frame. */
  touch(topic: string): void {
    if (!this.listeners.has(topic)) return;
    this.dirty.add(topic);
    if (this.isScheduled) return;
    this.isScheduled = true;
    // A hidden page has no frames, and nobody who looks at it.
    if (document.hidden) setTimeout(() => this.tell(), 1_000);
    else requestAnimationFrame(() => this.tell());
  }

  /** Everything may be another now. */
  touchEach(): void {
    for (const topic of this.listeners.keys()) this.dirty.add(topic);
  }

  /** Tells now what is to be told: after a person's own act. */
  tell(): void {
    this.isScheduled = false;
    const topics = [...this.dirty];
    this.dirty.clear();
    for (const topic of topics) {
      for (const listener of this.listeners.get(topic) ?? []) listener();
    }
  }
}
