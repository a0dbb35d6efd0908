import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';

import { cleanLine } from './clean-text.ts';
import { openFonts } from './fonts.ts';
import { createTypesetter } from './text-layout.ts';
import type { MeasuredRun, TextBlock, Typesetter } from './text-layout.ts';

export interface PageFormat {
  readonly widthPt: number;
  readonly heightPt: number;
}

export interface DocumentHead {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  readonly createdAt: Date;
  readonly page: PageFormat;
}

export type TagElement = PDFKit.PDFStructureElement;

/** `start`: left for a left-to-right text and right for a right-to-left one. */
export type TextAlign = 'left' | 'right' | 'center' | 'start';

export interface TextPlace {
  readonly xPt: number;
  /** Top of the first line. */
  readonly yPt: number;
  readonly widthPt?: number;
  readonly align?: TextAlign;
  readonly color?: string;
}

/**
 * One tagged PDF (PDF 1.7, structure tree and marked artifacts as PDF/UA wants them) under construction.
 * What is drawn inside `tagged` is content, anything else must be drawn inside `decoration`.
 */
export class PageCanvas {
  readonly typesetter: Typesetter;
  readonly vector: PDFKit.PDFDocument;
  private readonly root: TagElement;
  private readonly bytes: Promise<Uint8Array>;

  private constructor(vector: PDFKit.PDFDocument, typesetter: Typesetter) {
    this.vector = vector;
    this.typesetter = typesetter;
    this.root = vector.struct('Document');
    vector.addStructure(this.root);
    this.bytes = buffer(vector);
  }

  /** Starts a document without pages. */
  static async open(head: DocumentHead): Promise<PageCanvas> {
    const fonts = await openFonts();
    const title = cleanLine(head.title);
    const author = cleanLine(head.author);
    const vector = new PDFDocument({
      size: [head.page.widthPt, head.page.heightPt],
      margin: 0,
      autoFirstPage: false,
      font: '',
      pdfVersion: '1.7',
      tagged: true,
      lang: head.language,
      displayTitle: true,
      info: { Title: title, Author: author, CreationDate: head.createdAt, ModDate: head.createdAt },
    });
    vector.initSubset({ subset: 'PDF/UA' });
    escapeInMetadata(vector, [title, author]);
    for (const [name, font] of Object.entries(fonts)) vector.registerFont(name, font);
    return new PageCanvas(vector, createTypesetter(fonts));
  }

  /** Opens an element that holds others, such as a section or a table row; the document closes it. */
  group(type: string, parent: TagElement = this.root): TagElement {
    const element = this.vector.struct(type);
    parent.add(element);
    return element;
  }

  /** Draws content as one tagged element. */
  tagged(
    parent: TagElement,
    type: string,
    options: PDFKit.Mixins.StructureElementOptions,
    draw: () => void,
  ): void {
    parent.add(this.vector.struct(type, options, [draw]));
  }

  /** Draws what only decorates or repeats: rules, boxes, page numbers. */
  decoration(draw: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
    this.vector.markContent('Artifact', { type });
    draw();
    this.vector.endMarkedContent();
  }

  /** Draws a text as a tagged element; a screen reader gets a right-to-left one in its reading order. */
  taggedText(parent: TagElement, type: string, block: TextBlock, place: TextPlace): void {
    const options = block.lines.some((line) => line.runs.some((run) => run.isRightToLeft))
      ? { actual: block.plainText, ...(block.isRightToLeft ? { lang: 'ar' } : {}) }
      : {};
    this.tagged(parent, type, options, () => this.text(block, place));
  }

  /** Draws a text, line by line, without a tag of its own. */
  text(block: TextBlock, place: TextPlace): void {
    const { sizePt, leadingPt } = block.style;
    // Centres the capitals in the line's height: 0.698 em is the fonts' capital height.
    const baselinePt = leadingPt / 2 + sizePt * 0.349;
    block.lines.forEach((line, index) => {
      const spare = (place.widthPt ?? line.widthPt) - line.widthPt;
      let xPt = place.xPt + spare * shareBefore(place.align ?? 'left', line.isRightToLeft);
      for (const run of line.runs) {
        this.run(run, sizePt, xPt, place.yPt + index * leadingPt + baselinePt, place.color ?? '#000000');
        xPt += run.widthPt;
      }
    });
  }

  private run(run: MeasuredRun, sizePt: number, xPt: number, baselinePt: number, color: string): void {
    // Vowel marks are set above and below the line; readers of PDF would take them for lines of their own.
    const hasRaisedMarks = run.isRightToLeft && /\p{M}/u.test(run.text);
    if (hasRaisedMarks) this.vector.markContent('Span', { actual: run.visualText });
    this.vector
      .font(run.font, sizePt)
      .fillColor(color)
      .text(run.text, xPt, baselinePt, { lineBreak: false, baseline: 'alphabetic', features: [] });
    if (hasRaisedMarks) this.vector.endMarkedContent();
  }

  /** Closes the document and resolves to its bytes. */
  close(): Promise<Uint8Array> {
    this.root.end();
    this.vector.end();
    return this.bytes;
  }
}

/** pdfkit 0.20 writes title and author into its XML metadata as they are; an ampersand would break it. */
function escapeInMetadata(vector: PDFKit.PDFDocument, values: readonly string[]): void {
  const append = vector.appendXML.bind(vector);
  vector.appendXML = (xml, newLine) => {
    const escaped = values.reduce((text, value) => {
      return text.replace(`>${value}</rdf:li>`, () => `>${escapeXml(value)}</rdf:li>`);
    }, xml);
    append(escaped, newLine);
  };
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function shareBefore(align: TextAlign, isRightToLeft: boolean): number {
  if (align === 'center') return 0.5;
  if (align === 'right') return 1;
  return align === 'start' && isRightToLeft ? 1 : 0;
}
