/** Something that is never split: it is on one page. */
export interface FlowBlock {
  readonly heightPt: number;
  /** White space above it, left out at the top of a page. */
  readonly gapPt: number;
  readonly draw: (topPt: number) => void;
  /** Drawn again above it when it is the first on a new page, such as a table's header. */
  readonly repeatedHead?: { readonly heightPt: number; readonly draw: (topPt: number) => void };
  /** Stands on the same page as the block after it, where both fit on one page. */
  readonly keepWithNext?: boolean;
}

export interface PlacedBlock {
  readonly topPt: number;
  readonly draw: (topPt: number) => void;
}

export interface FlowArea {
  readonly firstTopPt: number;
  /** Top of the pages after the first. */
  readonly nextTopPt: number;
  readonly bottomPt: number;
}

/**
 * Distributes blocks over pages from top to bottom; nothing is drawn yet, so that the number of pages is known
 * first. A block higher than a page is placed at its top and runs over its bottom.
 */
export function placeBlocks(blocks: readonly FlowBlock[], area: FlowArea): PlacedBlock[][] {
  const page: PlacedBlock[] = [];
  const pages: PlacedBlock[][] = [page];
  let current = page;
  let topPt = area.firstTopPt;
  blocks.forEach((block, index) => {
    const gapPt = current.length === 0 ? 0 : block.gapPt;
    const isFull = topPt + gapPt + heightWithNext(blocks, index) > area.bottomPt;
    if (isFull && current.length > 0) {
      current = [];
      pages.push(current);
      topPt = area.nextTopPt;
      if (block.repeatedHead !== undefined) {
        current.push({ topPt, draw: block.repeatedHead.draw });
        topPt += block.repeatedHead.heightPt;
      }
    } else {
      topPt += gapPt;
    }
    current.push({ topPt, draw: block.draw });
    topPt += block.heightPt;
  });
  return pages;
}

function heightWithNext(blocks: readonly FlowBlock[], index: number): number {
  const block = blocks[index];
  if (block === undefined) return 0;
  const next = blocks[index + 1];
  if (block.keepWithNext !== true || next === undefined) return block.heightPt;
  return block.heightPt + next.gapPt + heightWithNext(blocks, index + 1);
}
