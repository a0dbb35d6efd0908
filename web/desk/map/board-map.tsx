import type { BoardMapProps } from '../board/map-slot.ts';

export default function BoardMap(_props: BoardMapProps) {
  return null;
}
