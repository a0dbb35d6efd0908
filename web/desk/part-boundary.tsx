import type { ReactNode } from 'react';
import { Component } from 'react';

interface Props {
  /** What is shown instead of a part that failed. */
  readonly fallback: ReactNode;
  /** A new key tries again: the screen's address. */
  readonly resetKey: string;
  readonly children: ReactNode;
}

interface State {
  readonly hasFailed: boolean;
  readonly resetKey: string;
}

/** Keeps the frame when a part of the page fails: its code could not be loaded, or it has a fault. */
export class PartBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false, resetKey: this.props.resetKey };

  static getDerivedStateFromProps({ resetKey }: Props, state: State): Partial<State> | null {
    return resetKey === state.resetKey ? null : { hasFailed: false, resetKey };
  }

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
